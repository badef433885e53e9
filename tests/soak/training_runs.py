"""Two training runs that last as long as the soak: one in this process, one in a process that is killed every round."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from ttr_env.agents import policy_file
from ttr_env.learning import configs, settings
from ttr_env.learning.sb3 import checkpoints
from ttr_env.learning.sb3.trainer import Trainer

SMALL = (
    "run.steps=1_000_000_000",
    "run.checkpoint_minutes=0.001",
    "ppo.games=64",
    "league.snapshot_every=100",  # every snapshot stays in memory, which is meant to grow that much
)
START_SECONDS = 60  # the most that a child may take until its first checkpoint


class LongRun:
    """A run that goes on in this process, round after round, and is saved in each."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._trainer = Trainer(settings.read(configs.find("quickstart"), list(SMALL)), folder)
        self._updates = self._trainer.updates()

    def __call__(self, number: int, updates: int = 10) -> int:
        """Learn for a while; what is written can be read, and plays."""
        before = self._trainer.steps
        for _ in range(updates):
            update = next(self._updates)
            assert all(np.isfinite(value) for value in update.learning.values()), update
        self._trainer.save()
        assert checkpoints.read_progress(self._trainer.checkpoint)["updates"] == self._trainer.done
        file = self._trainer.folder / "policy.npz"
        self._trainer.export(file)
        assert policy_file.load_scorer(file).about["steps"] == self._trainer.steps
        return self._trainer.steps - before


class KilledRun:
    """A run in a process of its own that is killed without warning every round, and resumed in the next."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._updates = 0
        self._process: subprocess.Popen[bytes] | None = None
        self.kills = 0

    @property
    def _checkpoint(self) -> Path:
        return self._folder / "checkpoint.zip"

    def start(self) -> None:
        """Begin the run, or go on with it."""
        sets = [part for change in SMALL for part in ("--set", change)]
        command = [sys.executable, "-m", "training.train", "--config", "quickstart", *sets, "--out", str(self._folder)]
        resume = ["--resume"] if self._checkpoint.exists() else []
        self._process = subprocess.Popen(
            [*command, *resume],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is meant for the soak
        )

    def kill(self) -> None:
        """Kill it at no special moment; its checkpoint is whole, and not older than the last one."""
        process = self._process
        assert process is not None
        waited = time.monotonic()
        while not self._checkpoint.exists() and time.monotonic() - waited < START_SECONDS:
            time.sleep(0.2)
        assert process.poll() is None, self._last_words()
        process.kill()
        process.communicate()
        self.kills += 1
        before, self._updates = self._updates, checkpoints.read_progress(self._checkpoint)["updates"]
        assert self._updates >= before, f"the checkpoint went back from update {before} to {self._updates}"

    def _last_words(self) -> Any:
        assert self._process is not None
        return self._process.communicate()[1].decode()

    def end(self) -> None:
        """Leave no process behind."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.communicate()
