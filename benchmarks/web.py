"""How quick `ttr serve` is: `python -m benchmarks.web [--clicks 200] [--tables 50] [--minutes 60]`.

It starts a server for this machine. First a Chromium plays alone, click by click: from each click until the changed
board was painted. Then it sits down at tables as pages do: a move a second at each, against planners.
It tells how long the server takes to start, how long an answer takes, how large the pages are, and how memory grows.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import itertools
import json
import re
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psutil
from playwright.sync_api import sync_playwright
from websockets.asyncio.client import ClientConnection, connect

from tests.helpers import chromium
from ttr_env import maps
from ttr_env.web.app import static_files

_SAMPLES = 30  # of memory
_LONG = 300.0  # seconds, from which on memory is told as it goes
_SEATS = [{"agent": None, "name": "bench"}, {"agent": "planner", "name": ""}]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clicks", type=int, default=200, help="clicks in the browser")
    parser.add_argument("--tables", type=int, default=50, help="tables at once")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long they play")
    parser.add_argument("--minutes", type=float, default=0.0, help="the same in minutes")
    arguments = parser.parse_args()
    began = time.perf_counter()
    with _server() as (url, process):
        print(f"from the start to the lobby: {_until(url, began):.1f} s")
        _post(url, "/api/tables", _form())
        print(f"from the start to a table:   {time.perf_counter() - began:.1f} s")
        print(f"all files, gzipped:          {_size(url) / 1000:.0f} kB")
        _click(url, arguments.clicks)
        asyncio.run(_play(url, process, arguments.tables, arguments.minutes * 60 or arguments.seconds))


@contextmanager
def _server() -> Iterator[tuple[str, psutil.Process]]:
    command = [sys.executable, "-m", "ttr_env.cli", "serve", "--no-open", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found is not None
    try:
        yield found[0].rstrip("/"), psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait()


def _until(url: str, began: float) -> float:
    with urllib.request.urlopen(f"{url}/api/lobby"):
        return time.perf_counter() - began


def _form() -> dict[str, Any]:
    return {"map": "nederland", "options": {}, "seed": None, "seats": _SEATS}


def _post(url: str, address: str, form: Any) -> Any:
    with urllib.request.urlopen(urllib.request.Request(url + address, json.dumps(form).encode())) as answer:
        return json.load(answer)


def _size(url: str) -> int:
    """Bytes of all that the pages are made of, gzipped, without a game."""
    names = ["/", "/table/any", "/look.css", *(f"/static/{name}" for name in static_files())]
    names += [f"/maps/{name}.svg" for name in maps.names()]
    total = 0
    for name in names:
        with urllib.request.urlopen(url + name) as answer:
            total += len(gzip.compress(answer.read()))
    return total


# Clicks whatever is offered. A message that is sent in a frame's callback comes after that frame was painted.
_CLICKING = """async (clicks) => {
  const at = (id) => document.getElementById(id);
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(null);
  }));
  const changed = () => new Promise((done) => {
    const watcher = new MutationObserver(() => { watcher.disconnect(); done(); });
    watcher.observe(at("where"), { childList: true });
  });
  while (document.querySelector("#board svg") === null) await pause(10);
  at("pace").value = "0";
  at("pace").dispatchEvent(new Event("input"));
  const times = [];
  while (times.length < clicks && at("result").hidden) {
    await pause(50);
    if (!at("question").classList.contains("yours")) continue;
    for (const box of document.querySelectorAll(".offered input:not(:checked)")) box.click();
    const choices = ["#pay[open] .way", "#keep:not(:disabled)", ".board .legal polygon", ".others button",
      "[data-id=pile-deck]:not(:disabled)", ".row button:not(:disabled)", "[data-id=pile-tickets]:not(:disabled)"];
    const found = choices.map((choice) => document.querySelector(choice)).find((choice) => choice !== null);
    const began = performance.now();
    const change = changed();
    found.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    if (at("pay").open) continue; // how to pay is asked without the server
    await change;
    await painted();
    times.push(performance.now() - began);
  }
  return times;
}"""


def _click(url: str, clicks: int) -> None:
    """How long it takes from a click to the changed board, painted; agents think afterwards."""
    executable = chromium.find()
    if executable is None:
        print(chromium.HOW_TO_GET_ONE)
        return
    times: list[float] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(chromium.FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        while len(times) < clicks:
            page.goto("about:blank")
            page.goto(url + _post(url, "/api/tables", _form())["seats"][0]["link"])
            times += [milliseconds / 1000 for milliseconds in page.evaluate(_CLICKING, clicks - len(times))]
        browser.close()
    _tell("a click to a painted board", times)


async def _play(url: str, process: psutil.Process, tables: int, seconds: float) -> None:
    end = time.perf_counter() + seconds
    answers: list[float] = []
    replies: list[float] = []
    watching = asyncio.create_task(_watch_memory(process, seconds))
    await asyncio.gather(*(_sit(url, place / tables, end, answers, replies) for place in range(tables)))
    _tell("a move to the changed board", answers)
    _tell("a move to the planner's", replies)
    samples = await watching
    for what, megabytes in zip(("memory of the server", "with its agents"), zip(*samples, strict=True), strict=True):
        settled, last = statistics.mean(megabytes[5:10]), statistics.mean(megabytes[-5:])
        print(f"{what + ':':<28} {settled:.0f} MB, {last:.0f} MB in the end ({last / settled - 1:+.1%})")


def _tell(what: str, times: list[float]) -> None:
    cuts = statistics.quantiles(times, n=20)
    print(f"{what + ':':<28} {1000 * cuts[9]:.0f} ms, p95 {1000 * cuts[18]:.0f} ms ({len(times)} moves)")


async def _watch_memory(process: psutil.Process, seconds: float) -> list[tuple[float, float]]:
    """Megabytes of the server itself and of it with its agents' processes, every thirtieth of the time."""
    samples = []
    for number in range(1, _SAMPLES + 1):
        await asyncio.sleep(seconds / _SAMPLES)
        samples.append(await asyncio.to_thread(_megabytes, process))
        if seconds > _LONG:
            server, everything = samples[-1]
            print(f"  {number * seconds / _SAMPLES / 60:4.0f} min: {server:.0f} MB, {everything:.0f} MB", flush=True)
    return samples


def _megabytes(process: psutil.Process) -> tuple[float, float]:
    """What the server takes, and what it takes with the processes it started, counting what they share once."""
    everything = 0
    for each in [process, *process.children(recursive=True)]:
        with suppress(psutil.Error):  # it may have ended meanwhile
            everything += each.memory_full_info().pss
    return process.memory_info().rss / 1e6, everything / 1e6


async def _sit(url: str, delay: float, end: float, answers: list[float], replies: list[float]) -> None:
    """Play game after game at tables of one's own."""
    await asyncio.sleep(delay)
    while time.perf_counter() < end:
        links = await asyncio.to_thread(_post, url, "/api/tables", _form())
        path, _, secret = links["seats"][0]["link"].partition("#")
        async with connect(f"{url.replace('http', 'ws')}/socket", max_size=2**24) as line:
            await line.send(json.dumps({"table": path.rpartition("/")[2], "secret": secret}))
            await line.send(json.dumps({"pace": 0, "paused": False}))
            await _play_game(line, end, answers, replies)


async def _play_game(line: ClientConnection, end: float, answers: list[float], replies: list[float]) -> None:
    position = await _hear(line, lambda told: told["pace"] == 0)
    while time.perf_counter() < end and position["state"]["result"] is None:
        started, stamp = time.perf_counter(), position["stamp"]
        await line.send(json.dumps({"act": _choice(position["offer"]), "stamp": stamp}))
        position = await _hear(line, lambda told, stamp=stamp: told["stamp"] > stamp)
        answers.append(time.perf_counter() - started)
        if position["offer"] is None and position["state"]["result"] is None:
            second_thoughts = position["undo"]  # for which agents wait
            position = await _hear(line, lambda told: told["offer"] or told["state"]["result"])
            if not second_thoughts:
                replies.append(time.perf_counter() - started)
        await asyncio.sleep(max(0.0, started + 1 - time.perf_counter()))


async def _hear(line: ClientConnection, wanted: Any) -> dict[str, Any]:
    """The next position that is wanted."""
    while True:
        message: dict[str, Any] = json.loads(await line.recv())
        if message["type"] == "position" and wanted(message):
            return message


def _choice(offer: dict[str, Any]) -> int:
    """Some action: a claim before anything else, so that games end."""
    claims = (way["act"] for track in offer["tracks"].values() for way in track["ways"])
    keeps = (keep["act"] for keep in (offer["tickets"] or {"keep": []})["keep"])
    others = (other["act"] for other in offer["others"])
    found: int = next(itertools.chain(claims, keeps, offer["piles"].values(), offer["row"].values(), others))
    return found


if __name__ == "__main__":
    main()
