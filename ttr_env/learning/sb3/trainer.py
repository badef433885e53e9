"""A training run: MaskablePPO against a league, one update after the other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from threadpoolctl import ThreadpoolController

from ttr_env.agents import policy_file
from ttr_env.agents.trained import FromFile
from ttr_env.learning.sb3 import checkpoints
from ttr_env.learning.sb3.export import load_into, network_of
from ttr_env.learning.sb3.policy import Policy, Trunk
from ttr_env.learning.sb3.vec_env import PARTS, LearnerVecEnv
from ttr_env.learning.settings import Settings


@dataclass(frozen=True)
class Update:
    """What an update has brought."""

    number: int
    steps: int  # decisions of the learner so far
    new_steps: int  # in this update
    seconds: float  # that it took
    environment_share: float  # of those, in the games and their opponents
    games: int  # finished since the last update
    means: dict[str, float]  # of the finished games: win_rate, and the parts of the score
    win_rates: dict[str, float | None]  # against each opponent, lately
    learning: dict[str, float]  # SB3's own figures

    def as_row(self) -> dict[str, float | str]:
        """The update as a line of metrics; always the same columns."""
        return {
            "update": self.number,
            "steps": self.steps,
            "seconds": round(self.seconds, 3),
            "environment_share": round(self.environment_share, 4),
            "games": self.games,
            **{name: _rounded(self.means.get(name)) for name in ("win_rate", *PARTS)},
            **{f"against_{name}": _rounded(rate) for name, rate in self.win_rates.items()},
            **{name: round(value, 6) for name, value in self.learning.items()},
        }


def _rounded(value: float | None) -> float | str:
    """A number for a table, or nothing."""
    return "" if value is None else round(value, 4)


class Finished(BaseCallback):
    """Collects what infos say of finished games."""

    def __init__(self) -> None:
        super().__init__()
        self.games: list[dict[str, Any]] = []

    def _on_step(self) -> bool:
        for row in np.flatnonzero(self.locals["dones"]):
            self.games.append(self.locals["infos"][row])
        return True

    def means(self) -> dict[str, float]:
        """The means of what was collected, which is forgotten."""
        games, self.games = self.games, []
        if not games:
            return {}
        parts = {part: float(np.mean([game[part] for game in games])) for part in PARTS}
        return {"win_rate": float(np.mean([game["is_success"] for game in games])), **parts}


class Trainer:
    """A run in a folder of its own, from the start or from its checkpoint."""

    def __init__(self, settings: Settings, folder: Path, resume: bool = False) -> None:
        self.settings, self.folder = settings, folder
        torch.set_num_threads(settings.run.threads)
        ThreadpoolController().select(internal_api="openblas").limit(limits=1)  # snapshots play few games at a time
        self.env = make_env(settings)
        self.model = make_model(settings, self.env)
        self.done = 0  # updates
        self._snapshots: list[str] = []
        self._finished = Finished()
        self.model.set_logger(Logger(None, []))
        self.model._setup_learn(settings.run.steps, self._finished)
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
        began, stepped = time.perf_counter(), env.seconds
        model.collect_rollouts(env, self._finished, model.rollout_buffer, settings.ppo.n_steps)
        in_environment = env.seconds - stepped
        model.train()
        self.done += 1
        seconds = time.perf_counter() - began
        every = settings.league.snapshot_every
        if every and self.done % every == 0 and self.done < settings.updates:
            self._add_snapshot()
        games = len(self._finished.games)
        return self._report(seconds, in_environment / seconds, games)

    def _report(self, seconds: float, share: float, games: int) -> Update:
        learning = {
            name.removeprefix("train/"): float(value)
            for name, value in self.model.logger.name_to_value.items()
            if name.startswith("train/")
        }
        league = self.env.league
        past = [member.win_rate for member in league.snapshots]
        win_rates: dict[str, float | None] = {member.name: member.win_rate for member in league.baselines}
        win_rates["its past"] = float(np.mean(past)) if past else None
        means = self._finished.means()
        new_steps = self.settings.ppo.n_steps * self.env.num_envs
        steps = self.model.num_timesteps
        return Update(self.done, steps, new_steps, seconds, share, games, means, win_rates, learning)

    def _set_schedules(self, passed: float) -> None:
        """Move what moves in a straight line to where it is after this part of the run."""

        def at(ends: tuple[float, float]) -> float:
            return ends[0] + passed * (ends[1] - ends[0])

        ppo, reward = self.settings.ppo, self.settings.reward
        rate = at(ppo.learning_rate)
        self.model.lr_schedule = lambda _: rate
        self.model.ent_coef = at(ppo.ent_coef)
        self.env.points, self.env.win = at(reward.points), at(reward.win)

    def _add_snapshot(self) -> None:
        """Let the learner as it is now join the league."""
        name = f"update-{self.done}"
        (self.folder / "snapshots").mkdir(exist_ok=True)
        self.export(self._snapshot_file(name))
        self._enlist(name)
        self._snapshots.append(name)

    def _snapshot_file(self, name: str) -> Path:
        return self.folder / "snapshots" / f"{name}.npz"

    def _enlist(self, name: str) -> None:
        agent = FromFile(self._snapshot_file(name), temperature=1.0, seed=len(self._snapshots))
        self.env.add_snapshot(name, agent, self.settings.league.snapshot_weight)

    def save(self) -> None:
        """Write the checkpoint."""
        progress = {"updates": self.done, "snapshots": self._snapshots}
        checkpoints.save(self.checkpoint, self.model, self.env, progress)

    def _resume(self) -> None:
        progress = checkpoints.read_progress(self.checkpoint)
        self.done = progress["updates"]
        for name in progress["snapshots"]:
            self._enlist(name)
            self._snapshots.append(name)
        checkpoints.load(self.checkpoint, self.model, self.env)

    def export(self, path: Path) -> None:
        """Write the learner as it is now as a policy file."""
        about = {"settings": self.settings.model_dump(mode="json"), "steps": self.model.num_timesteps}
        policy_file.save(network_of(self.model, self.env.sight, about), path)


def make_env(settings: Settings) -> LearnerVecEnv:
    """The games of a run."""
    game, sight, league = settings.game, settings.sight, settings.league
    return LearnerVecEnv(
        settings.ppo.games,
        league.opponents,
        game.map,
        game.players,
        game.tolls,
        game.neutral_player,
        sight.features,
        sight.tolls_visible,
        sight.adviser,
        seed=settings.run.seed,
        power=league.power,
        floor=league.floor,
        active_snapshots=league.active_snapshots,
    )


def make_model(settings: Settings, env: LearnerVecEnv) -> MaskablePPO:
    """A model at its start."""
    ppo, network, sight = settings.ppo, settings.network, settings.sight
    shape = {"inputs": env.sight.observation_size, "layers": network.layers, "activation": network.activation}
    model = MaskablePPO(
        Policy,
        env,
        learning_rate=ppo.learning_rate[0],
        n_steps=ppo.n_steps,
        batch_size=ppo.batch_size,
        n_epochs=ppo.n_epochs,
        gamma=ppo.gamma,
        gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip_range,
        ent_coef=ppo.ent_coef[0],
        vf_coef=ppo.vf_coef,
        max_grad_norm=ppo.max_grad_norm,
        target_kl=ppo.target_kl,
        seed=settings.run.seed,
        device="cpu",
        policy_kwargs={
            "features_extractor_class": Trunk,
            "features_extractor_kwargs": shape,
            "net_arch": [],
            "advised": sight.adviser is not None,
            "trust": sight.trust,
        },
    )
    if network.start_from:
        load_into(model, policy_file.load(network.start_from))
    return model
