"""Training on a cluster of three nodes that loses and gains some of them. It takes minutes: `make cluster` runs it."""

from __future__ import annotations

import csv
import itertools
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("ray")

from tests.helpers.ray_nodes import nodes

pytestmark = pytest.mark.slow

GAMES, STEPS = 8, 16
SMALL = [
    *("run.steps=100_000_000", "run.threads=1", "run.checkpoint_minutes=0.0001", "run.evaluation_games=2"),
    *("run.evaluation_opponents=[random]", f"ppo.games={GAMES}", f"ppo.n_steps={STEPS}", "ppo.batch_size=64"),
    "network.layers=[16, 16]",
]
TWO = ("--set", "workers.env_runners=2")
PATIENCE = 600.0  # seconds, on a machine that may be busy


def environment(folder: Path, token: str) -> dict[str, str]:
    """What Ray is told: to use a token, or not to although the machine has one."""
    file = folder / "token"
    file.write_text("0123456789abcdef" * 4)
    mode = {"with a token": {"RAY_AUTH_MODE": "token"}, "without one": {}}[token]
    # Ray lets all others go first; on a machine that is busy its processes would not be ready for minutes.
    return {"RAY_AUTH_TOKEN_PATH": str(file), "RAY_worker_niceness": "0", **mode}


class Run:
    """A training run in a process of its own."""

    def __init__(self, out: Path, address: str, environment: dict[str, str], *more: str) -> None:
        self._out = out
        sets = [part for change in SMALL for part in ("--set", change)]
        command = [sys.executable, "-m", "training.rllib", "--config", "rllib-flat", *sets, "--out", str(out)]
        self._said = (out.parent / f"{out.name}.log").open("a+")
        self.process = subprocess.Popen(
            [*command, "--address", address, *more],
            env={**os.environ, **environment},
            stdout=self._said,
            stderr=self._said,
        )

    def rows(self) -> list[dict[str, str]]:
        """The lines of the metrics so far."""
        try:
            with (self._out / "metrics.csv").open(newline="") as file:
                return list(csv.DictReader(file))
        except FileNotFoundError:
            return []

    def said(self) -> str:
        """What it has printed."""
        return Path(self._said.name).read_text()

    def wait(self, ready: Callable[[], object], living: bool = True) -> None:
        """Wait until something is so."""
        ends = time.monotonic() + PATIENCE
        while not ready():
            assert time.monotonic() < ends, self.said()
            assert not living or self.process.poll() is None, self.said()
            time.sleep(0.2)

    def wait_for_updates(self, number: int) -> None:
        """Wait for so many more updates, and a checkpoint."""
        before = len(self.rows())
        self.wait(lambda: len(self.rows()) >= before + number and list(self._out.glob("checkpoints/update-*[0-9]")))

    def stop(self) -> None:
        """Leave no process behind."""
        self.process.kill()
        self.process.wait()
        self._said.close()


def steps_of_updates(rows: list[dict[str, str]]) -> set[int]:
    """How many decisions each update had, by the counts of all."""
    counts = [0, *(int(row["steps"]) for row in rows)]
    return {after - before for before, after in itertools.pairwise(counts)}


@pytest.fixture(params=["with a token", "without one"])
def told(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    return environment(tmp_path, request.param)


def test_a_lost_node_is_told_of_and_one_that_comes_is_used(tmp_path: Path, told: dict[str, str]) -> None:
    """Three env runners need all three processors; two have too few decisions for an update, and play another round."""
    each = GAMES * STEPS
    with nodes(told) as cluster:
        run = Run(tmp_path / "run", cluster.address, told, "--set", "workers.env_runners=3")
        try:
            run.wait_for_updates(3)
            assert steps_of_updates(run.rows()) == {3 * each}
            cluster.tell("lose")
            run.wait(lambda: "1 of 3 env runners were lost" in run.said())
            run.wait_for_updates(5)
            assert not any(word in run.said() for word in ("Traceback", "raylet", "state-dump"))
            assert steps_of_updates(run.rows()) == {3 * each, 4 * each}
            cluster.tell("gain")
            run.wait(lambda: "3 of 3 env runners play again" in run.said())
            run.wait_for_updates(3)
            assert steps_of_updates(run.rows()) == {3 * each, 4 * each}
            *_, before, last = run.rows()
            assert int(last["steps"]) - int(before["steps"]) == 3 * each
        finally:
            run.stop()


def test_a_run_that_loses_the_head_resumes(tmp_path: Path, told: dict[str, str]) -> None:
    with nodes(told) as cluster:
        run = Run(tmp_path / "run", cluster.address, told, *TWO)
        run.wait_for_updates(2)
        cluster.tell("lose head")
        run.wait(lambda: run.process.poll() is not None, living=False)
        assert run.process.returncode != 0 and "Traceback" not in run.said()
        run.stop()
    resumes(tmp_path / "run", told)


def test_a_run_that_loses_the_learner_says_so_and_resumes(tmp_path: Path, told: dict[str, str]) -> None:
    with nodes(told) as cluster:
        run = Run(tmp_path / "run", cluster.address, told, *TWO, "--set", "workers.learners=1")
        run.wait_for_updates(2)
        [learner] = cluster.processes("_WrappedExecutable")  # as Ray calls the process of a learner
        learner.kill()
        run.wait(lambda: run.process.poll() is not None, living=False)
        assert run.process.returncode == 2, run.said()
        assert "--resume" in run.said() and "Traceback" not in run.said()
        run.stop()
    resumes(tmp_path / "run", told)


def resumes(out: Path, told: dict[str, str]) -> None:
    """A run goes on from its checkpoint on another cluster, and its counts do."""
    with nodes(told) as cluster:
        run = Run(out, cluster.address, told, *TWO, "--resume")
        try:
            run.wait_for_updates(2)
            assert [int(row["update"]) for row in run.rows()] == list(range(1, len(run.rows()) + 1))
            assert steps_of_updates(run.rows()) == {2 * GAMES * STEPS}
        finally:
            run.stop()
