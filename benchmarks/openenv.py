"""How long a step takes through OpenEnv's own client: `python -m benchmarks.openenv [--steps 1000]`.

A server in a process of its own, one session against the planner, random moves. The share of the game itself is
measured in the same run, without the server.
"""

from __future__ import annotations

import argparse
import contextlib
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import numpy as np

from ttr_env.llm import Episode
from ttr_env.llm.openenv import TicketAction, TicketClient


def main() -> None:
    """Measure, and print percentiles in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=1000)
    steps = parser.parse_args().steps
    report("the game alone", alone(steps))
    report("a step through the client", through_the_client(steps))


def report(name: str, milliseconds: np.ndarray) -> None:
    """One line of percentiles."""
    middle, most, almost_all = np.percentile(milliseconds, (50, 95, 99))
    print(f"{name:26} median {middle:6.2f} ms   95 % {most:6.2f} ms   99 % {almost_all:6.2f} ms")


def alone(steps: int) -> np.ndarray:
    """Steps of episodes in this process."""
    rng, seed = np.random.default_rng(0), 0
    times: list[float] = []
    episode = Episode(seed=seed)
    while len(times) < steps:
        if episode.done:
            seed += 1
            episode = Episode(seed=seed)
        move = episode.game.text(episode.game.sample(rng))
        start = time.perf_counter()
        episode.say(move)
        times.append(1000 * (time.perf_counter() - start))
    return np.array(times)


def through_the_client(steps: int) -> np.ndarray:
    """Steps of a session on a server."""
    with serving() as url:
        return _session(url, steps)


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """The address of a server in a process of its own, which is ended in the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "ttr_env.llm.openenv", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_for(url, server)
        yield url
    finally:
        server.terminate()
        server.wait()


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers."""
    while server.poll() is None:
        try:
            urllib.request.urlopen(f"{url}/health").close()
            return
        except urllib.error.URLError:
            time.sleep(0.1)
    raise RuntimeError("the server ended")


def _session(url: str, steps: int) -> np.ndarray:
    rng, seed = np.random.default_rng(0), 0
    times: list[float] = []
    with TicketClient(base_url=url).sync() as env:
        done = env.reset(seed=seed).done
        while len(times) < steps:
            if done:
                seed += 1
                env.reset(seed=seed)
            action = TicketAction(move=str(rng.choice(env.state().legal_moves)))
            start = time.perf_counter()
            done = env.step(action).done
            times.append(1000 * (time.perf_counter() - start))
    return np.array(times)


if __name__ == "__main__":
    main()
