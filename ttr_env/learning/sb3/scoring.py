"""Learning to score candidates: MaskablePPO over whole games that compiled code plays."""

from __future__ import annotations

from typing import Any

from stable_baselines3.common.callbacks import BaseCallback

from ttr_env.agents import policy_file
from ttr_env.agents.scorer import Scorer, describe_games
from ttr_env.learning.sb3.model import ppo_options
from ttr_env.learning.sb3.scoring_policy import ScoringPolicy
from ttr_env.learning.sb3.selfplay_env import SelfPlayEnv
from ttr_env.learning.sb3.selfplay_ppo import SelfPlayPPO
from ttr_env.learning.scorer import as_policy, to_start_from
from ttr_env.learning.selfplay import Reward
from ttr_env.learning.settings import RewardSettings, Settings


class Finished(BaseCallback):
    """What came of the last games."""

    def __init__(self, env: SelfPlayEnv) -> None:
        super().__init__()
        self._env = env

    def _on_step(self) -> bool:
        return True

    def __len__(self) -> int:
        return self._env.games

    def means(self) -> dict[str, float]:
        """The means over the games of the last update."""
        return dict(self._env.finished)


class ScoringLearning:
    """A network that scores each candidate by its features."""

    def __init__(self, settings: Settings) -> None:
        self.env = make_env(settings)
        self.model = make_model(settings, self.env)
        self.finished = Finished(self.env)
        self._tables = describe_games(settings.game.variants)

    def set_rewards(self, reward: RewardSettings, passed: float) -> None:
        """Pay what the settings say after this part of the run."""
        self.env.reward = Reward.at(reward, passed)

    def set_urge(self, share: float, most: float) -> None:
        """Let it have an urge to draw tickets, of at most this strength, in this share of the games."""
        self.env.urge = (share, most)

    def network(self, about: dict[str, Any]) -> Scorer:
        """The learner as it is now."""
        policy: Any = self.model.policy
        return as_policy(policy.scorer, about=about, games=self._tables)

    def load(self, path: Any) -> Scorer:
        """A network that was saved."""
        return policy_file.load_scorer(path)

    def enlist(self, name: str, network: Scorer, weight: float) -> None:
        """Let a network join the league."""
        self.env.add_snapshot(name, network.weights(temperature=1.0), weight)


def make_env(settings: Settings) -> SelfPlayEnv:
    """The games of a run."""
    league = settings.league
    return SelfPlayEnv(
        settings.game.variants,
        league.opponents,
        games=settings.ppo.games,
        self_play=league.self_play,
        critic=settings.network.critic_knows,
        threads=settings.run.threads,
        seed=settings.run.seed,
        league={"power": league.power, "floor": league.floor, "active_snapshots": league.active_snapshots},
    )


def make_model(settings: Settings, env: SelfPlayEnv) -> SelfPlayPPO:
    """A model at its start."""
    network = settings.network
    model = SelfPlayPPO(
        ScoringPolicy,
        env,
        **ppo_options(settings),
        policy_kwargs={
            "scorer": tuple(network.layers),
            "critic": tuple(network.critic),
            "blind_to": tuple(settings.sight.blind_to),
        },
    )
    if network.start_from:
        policy: Any = model.policy
        policy.scorer.read(to_start_from(network.start_from, settings.game.variant.map))
    return model
