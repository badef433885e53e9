"""Learning over flat observations: MaskablePPO steps many games side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback

from ttr_env.agents import policy_file
from ttr_env.agents.trained import FromFile
from ttr_env.engine.scoring import PARTS
from ttr_env.learning.sb3.export import load_into, network_of
from ttr_env.learning.sb3.model import Model, ppo_options
from ttr_env.learning.sb3.policy import Policy, Trunk
from ttr_env.learning.sb3.vec_env import LearnerVecEnv
from ttr_env.learning.settings import RewardSettings, Settings, along


class Finished(BaseCallback):
    """Collects what infos say of finished games."""

    def __init__(self) -> None:
        super().__init__()
        self.games: list[dict[str, Any]] = []

    def _on_step(self) -> bool:
        for row in np.flatnonzero(self.locals["dones"]):
            self.games.append(self.locals["infos"][row])
        return True

    def __len__(self) -> int:
        return len(self.games)

    def means(self) -> dict[str, float]:
        """The means of what was collected, which is forgotten."""
        games, self.games = self.games, []
        if not games:
            return {}
        parts = {part: float(np.mean([game[part] for game in games])) for part in PARTS}
        return {"win_rate": float(np.mean([game["is_success"] for game in games])), **parts}


class FlatLearning:
    """A network with an output for every action."""

    def __init__(self, settings: Settings) -> None:
        self.env = make_env(settings)
        self.model = make_model(settings, self.env)
        self.finished = Finished()
        self._snapshots = 0

    def set_rewards(self, reward: RewardSettings, passed: float) -> None:
        """Pay what the settings say after this part of the run."""
        self.env.points, self.env.win = along(reward.points, passed), along(reward.win, passed)

    def set_urge(self, share: float, most: float) -> None:
        """Nobody is urged to anything here."""

    def network(self, about: dict[str, Any]) -> policy_file.Network:
        """The learner as it is now."""
        return network_of(self.model, self.env.sight, about)

    def load(self, path: Any) -> policy_file.Network:
        """A network that was saved."""
        return policy_file.load_network(path)

    def enlist(self, name: str, network: policy_file.Network, weight: float) -> None:
        """Let a network join the league."""
        agent = FromFile(network, temperature=1.0, seed=self._snapshots)
        self.env.add_snapshot(name, agent, weight)
        self._snapshots += 1


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
    network, sight = settings.network, settings.sight
    shape = {"inputs": env.sight.observation_size, "layers": network.layers, "activation": network.activation}
    model = Model(
        Policy,
        env,
        n_steps=settings.ppo.n_steps,
        **ppo_options(settings),
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
