"""How quick `ttr serve` is: `python -m benchmarks.web [--tables 50] [--seconds 20] [--minutes 60]`.

It starts a server for this machine and sits down at tables as pages do: a move a second at each, against planners.
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
from contextlib import contextmanager
from typing import Any

import psutil
from websockets.asyncio.client import ClientConnection, connect

from ttr_env.web.app import static_files

_SEATS = [{"agent": None, "name": "bench"}, {"agent": "planner", "name": ""}]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
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
    names += [f"/maps/{name}.svg" for name in ("nederland", "nordic", "usa")]
    total = 0
    for name in names:
        with urllib.request.urlopen(url + name) as answer:
            total += len(gzip.compress(answer.read()))
    return total


async def _play(url: str, process: psutil.Process, tables: int, seconds: float) -> None:
    end = time.perf_counter() + seconds
    answers: list[float] = []
    replies: list[float] = []
    watching = asyncio.create_task(_watch_memory(process, end))
    await asyncio.gather(*(_sit(url, place / tables, end, answers, replies) for place in range(tables)))
    _tell("a move to the changed board", answers)
    _tell("a move to the planner's", replies)
    first, last = await watching
    print(f"memory of the server:        {first:.0f} MB, {last:.0f} MB in the end ({last / first - 1:+.1%})")


def _tell(what: str, times: list[float]) -> None:
    cuts = statistics.quantiles(times, n=20)
    print(f"{what + ':':<28} {1000 * cuts[9]:.0f} ms, p95 {1000 * cuts[18]:.0f} ms ({len(times)} moves)")


async def _watch_memory(process: psutil.Process, end: float) -> tuple[float, float]:
    """Megabytes of the server itself once it has settled, and at the end."""
    await asyncio.sleep((end - time.perf_counter()) / 3)
    first = process.memory_info().rss / 1e6
    await asyncio.sleep(end - time.perf_counter())
    return first, process.memory_info().rss / 1e6


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
            position = await _hear(line, lambda told: told["offer"] or told["state"]["result"])
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
