"""A training run: MaskablePPO against a league, one update after the other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from threadpoolctl import ThreadpoolController

from ttr_env.agents import policy_file
from ttr_env.agents.trained import FromFile
from ttr_env.engine.scoring import PARTS
from ttr_env.learning.run import Update
from ttr_env.learning.sb3 import checkpoints
from ttr_env.learning.sb3.export import load_into, network_of
from ttr_env.learning.sb3.model import Model
from ttr_env.learning.sb3.policy import Policy, Trunk
from ttr_env.learning.sb3.vec_env import LearnerVecEnv
from ttr_env.learning.settings import Settings


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
        self.env = make_env(settings)
        self.model = make_model(settings, self.env)
        self.done = 0  # updates
        self._snapshots: list[str] = []
        self._finished = Finished()
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
        league = self.env.league
        past = [member.win_rate for member in league.snapshots]
        win_rates: dict[str, float | None] = {member.name: member.win_rate for member in league.baselines}
        win_rates["its past"] = float(np.mean(past)) if past else None
        means = self._finished.means()
        new_steps = self.settings.ppo.n_steps * self.env.num_envs
        steps = self.model.num_timesteps
        return Update(self.done, steps, new_steps, seconds, share, games, means, win_rates, dict(self._figures.latest))

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
        """Let the learner as it is now join the league, and keep it in a file, for a run that is resumed."""
        name, network = f"update-{self.done}", self._network()
        file = self._snapshot_file(name)
        file.parent.mkdir(exist_ok=True)
        policy_file.save(network, file)
        self._enlist(name, network)

    def _snapshot_file(self, name: str) -> Path:
        return self.folder / "snapshots" / f"{name}.npz"

    def _enlist(self, name: str, network: policy_file.Network) -> None:
        agent = FromFile(network, temperature=1.0, seed=len(self._snapshots))
        self.env.add_snapshot(name, agent, self.settings.league.snapshot_weight)
        self._snapshots.append(name)

    def save(self) -> None:
        """Write the checkpoint."""
        progress = {"updates": self.done, "snapshots": self._snapshots}
        checkpoints.save(self.checkpoint, self.model, self.env, progress)

    def _resume(self) -> None:
        progress = checkpoints.read_progress(self.checkpoint)
        self.done = progress["updates"]
        for name in progress["snapshots"]:
            self._enlist(name, policy_file.load_network(self._snapshot_file(name)))
        checkpoints.load(self.checkpoint, self.model, self.env)

    def export(self, path: Path) -> None:
        """Write the learner as it is now as a policy file."""
        policy_file.save(self._network(), path)

    def _network(self) -> policy_file.Network:
        about = {"settings": self.settings.model_dump(mode="json"), "steps": self.model.num_timesteps}
        return network_of(self.model, self.env.sight, about)


def make_env(settings: Settings) -> LearnerVecEnv:
    """The games of a run."""
    game, sight, league = settings.game, settings.sight, settings.league
    return LearnerVecEnv(
        settings.ppo.games,
        league.opponents,
        seed=settings.run.seed,
        map=game.map,
        **game.options,
        threads=settings.run.threads,
        features=sight.features,
        tolls_visible=sight.tolls_visible,
        adviser=sight.adviser,
        power=league.power,
        floor=league.floor,
        active_snapshots=league.active_snapshots,
    )


def make_model(settings: Settings, env: LearnerVecEnv) -> Model:
    """A model at its start."""
    ppo, network, sight = settings.ppo, settings.network, settings.sight
    shape = {"inputs": env.sight.observation_size, "layers": network.layers, "activation": network.activation}
    model = Model(
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
        load_into(model, policy_file.load_network(network.start_from))
    return model
