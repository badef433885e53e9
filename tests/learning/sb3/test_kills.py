"""A run that is killed without warning, again and again, learns what one learns that is left alone."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from ttr_env.learning import configs, settings
from ttr_env.learning.sb3.trainer import Trainer

KILLS = int(os.environ.get("TTR_KILLS", "2"))  # 25 for the whole run
UPDATES_A_LIFE = 12
SMALL = [
    *("run.threads=1", "run.checkpoint_minutes=0.00001", "run.evaluation_games=2", "run.evaluation_opponents=[random]"),
    *("ppo.games=8", "ppo.n_steps=16", "ppo.batch_size=64", "network.layers=[16, 16]"),
    *("league.snapshot_every=5", "league.snapshot_weight=5"),
    f"run.steps={(KILLS + 2) * 2 * UPDATES_A_LIFE * 8 * 16}",
]


def updates_in(metrics: Path) -> int:
    """How many updates are written down."""
    return len(metrics.read_text().splitlines()) if metrics.exists() else 0


def killed(out: Path, rng: random.Random) -> bool:
    """Start or go on with the run, and kill it at no special moment; false if it has ended before."""
    sets = [part for change in SMALL for part in ("--set", change)]
    resume = ["--resume"] if (out / "checkpoint.zip").exists() else []
    command = [sys.executable, "-m", "training.train", "--config", "flat", *sets, "--out", str(out), *resume]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    goal = updates_in(out / "metrics.csv") + rng.randrange(1, UPDATES_A_LIFE)
    while process.poll() is None and not (updates_in(out / "metrics.csv") > goal and (out / "checkpoint.zip").exists()):
        time.sleep(0.002)
    time.sleep(rng.random() * 0.05)
    process.kill()
    complaints = process.communicate()[1].decode()
    assert process.returncode in (0, -9), complaints
    return process.returncode != 0


def weights(file: Path) -> dict[str, np.ndarray]:
    with np.load(file) as stored:
        return {name: stored[name] for name in stored.files if name != "description"}


@pytest.mark.slow
def test_a_run_that_is_killed_ends_with_the_same_weights(tmp_path: Path) -> None:
    chosen, alone = settings.read(configs.find("flat"), SMALL), tmp_path / "alone"
    alone.mkdir()
    whole = Trainer(chosen, alone)
    for _ in whole.updates():
        pass
    whole.export(alone / "policy.npz")
    out, rng = tmp_path / "killed", random.Random(0)
    assert [killed(out, rng) for _ in range(KILLS)] == [True] * KILLS
    resumed = Trainer(chosen, out, resume=True)
    began = resumed.done
    for _ in resumed.updates():
        pass
    resumed.export(out / "policy.npz")
    print(f"{KILLS} of {KILLS} kills; update {began} of {resumed.done} was the last that a killed process had kept")
    assert 0 < began < resumed.done
    mine, others = weights(out / "policy.npz"), weights(alone / "policy.npz")
    assert mine.keys() == others.keys() and all(np.array_equal(mine[name], others[name]) for name in mine)
