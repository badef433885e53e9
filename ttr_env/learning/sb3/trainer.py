"""A training run: MaskablePPO against a league, one update after the other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.logger import Logger
from threadpoolctl import ThreadpoolController

from ttr_env.agents import policy_file
from ttr_env.learning.run import Update
from ttr_env.learning.sb3 import checkpoints
from ttr_env.learning.sb3.flat import FlatLearning
from ttr_env.learning.sb3.scoring import ScoringLearning
from ttr_env.learning.settings import Settings, along


class Figures(Logger):
    """Keeps what SB3 tells of its learning, by the plain names of the figures; nothing is written."""

    def __init__(self) -> None:
        super().__init__(None, [])
        self.latest: dict[str, float] = {}

    def record(self, key: str, value: Any, exclude: str | tuple[str, ...] | None = None) -> None:
        group, _, name = key.partition("/")
        if group == "train":
            self.latest[name] = float(value)


class Trainer:
    """A run in a folder of its own, from the start or from its checkpoint."""

    def __init__(self, settings: Settings, folder: Path, resume: bool = False) -> None:
        self.settings, self.folder = settings, folder
        torch.set_num_threads(settings.run.threads)
        ThreadpoolController().select(internal_api="openblas").limit(limits=1)  # snapshots play few games at a time
        learning = ScoringLearning if settings.sight.features == "actions" else FlatLearning
        self._learning: Any = learning(settings)
        self.env, self.model, self._finished = self._learning.env, self._learning.model, self._learning.finished
        self.done = 0  # updates
        self._snapshots: list[str] = []
        self._figures = Figures()
        self.model.set_logger(self._figures)
        self.model.begin(settings.run.steps, self._finished)
        if resume:
            self._resume()

    @property
    def checkpoint(self) -> Path:
        """Where the run can be continued from."""
        return self.folder / "checkpoint.zip"

    @property
    def goal(self) -> int:
        """How many updates the run makes."""
        return self.settings.updates

    @property
    def steps(self) -> int:
        """Decisions of the learner so far."""
        return self.model.num_timesteps

    def updates(self) -> Iterator[Update]:
        """Make one update after the other; between two of them, the run can be saved and left."""
        while self.done < self.settings.updates:
            yield self._update()

    def _update(self) -> Update:
        """SB3's own loop, written out: a rollout, and the learning from it."""
        model, env, settings = self.model, self.env, self.settings
        self._set_schedules(self.done / settings.updates)
        began, stepped, steps = time.perf_counter(), env.seconds, self.steps
        model.collect_rollouts(env, self._finished, model.rollout_buffer, settings.ppo.n_steps)
        in_environment = env.seconds - stepped
        model.train()
        self.done += 1
        seconds = time.perf_counter() - began
        every = settings.league.snapshot_every
        if every and self.done % every == 0 and self.done < settings.updates:
            self._add_snapshot()
        return self._report(self.steps - steps, seconds, in_environment / seconds)

    def _report(self, new_steps: int, seconds: float, share: float) -> Update:
        league = self.env.league
        past = [member.win_rate for member in league.snapshots]
        win_rates: dict[str, float | None] = {member.name: member.win_rate for member in league.baselines}
        win_rates["its past"] = float(np.mean(past)) if past else None
        games, means, figures = len(self._finished), self._finished.means(), dict(self._figures.latest)
        return Update(self.done, self.steps, new_steps, seconds, share, games, means, win_rates, figures)

    def _set_schedules(self, passed: float) -> None:
        """Move what moves in a straight line to where it is after this part of the run."""
        ppo, league = self.settings.ppo, self.settings.league
        rate = along(ppo.learning_rate, passed)
        self.model.lr_schedule = lambda _: rate
        self.model.ent_coef = along(ppo.ent_coef, passed)
        self._learning.set_rewards(self.settings.reward, passed)
        left = max(0.0, 1.0 - passed / league.urge_until)
        self._learning.set_urge(league.urge_share if left else 0.0, league.urge * left)

    def _add_snapshot(self) -> None:
        """Let the learner as it is now join the league, and keep it in a file, for a run that is resumed."""
        name, network = f"update-{self.done}", self._network()
        file = self._snapshot_file(name)
        file.parent.mkdir(exist_ok=True)
        policy_file.save(network, file)
        self._enlist(name, network)

    def _snapshot_file(self, name: str) -> Path:
        return self.folder / "snapshots" / f"{name}.npz"

    def _enlist(self, name: str, network: Any) -> None:
        self._learning.enlist(name, network, self.settings.league.snapshot_weight)
        self._snapshots.append(name)

    def save(self) -> None:
        """Write the checkpoint."""
        progress: checkpoints.Progress = {"updates": self.done, "snapshots": self._snapshots}
        checkpoints.save(self.checkpoint, self.model, self.env, progress)

    def _resume(self) -> None:
        progress = checkpoints.read_progress(self.checkpoint)
        self.done = progress["updates"]
        for name in progress["snapshots"]:
            self._enlist(name, self._learning.load(self._snapshot_file(name)))
        checkpoints.load(self.checkpoint, self.model, self.env)

    def export(self, path: Path) -> None:
        """Write the learner as it is now as a policy file."""
        policy_file.save(self._network(), path)

    def _network(self) -> policy_file.Network | policy_file.Scorer:
        return self._learning.network({"settings": self.settings.model_dump(mode="json"), "steps": self.steps})
