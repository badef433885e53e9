"""The two ways of learning on RLlib, by what the network sees: which env runner, learner and network each takes."""

from __future__ import annotations

from typing import Any, Protocol

import gymnasium
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from ttr_env.agents import policy_file
from ttr_env.agents.scorer import columns_digest, describe_games
from ttr_env.envs.spaces import observation_space
from ttr_env.learning.rllib.games_runner import GamesEnvRunner
from ttr_env.learning.rllib.learner import MaskedPPOLearner
from ttr_env.learning.rllib.module import MaskedModule, make_spec
from ttr_env.learning.rllib.runner import BatchEnvRunner, make_sight
from ttr_env.learning.rllib.scoring_learner import ScoringPPOLearner
from ttr_env.learning.rllib.scoring_module import ScoringModule
from ttr_env.learning.rllib.settings import RLlibSettings
from ttr_env.learning.rllib.shared_runner import SharedRunner
from ttr_env.learning.scorer import as_policy, to_start_from
from ttr_env.options import Sight


class Learning(Protocol):
    """What a run has to be told of its way of learning."""

    version: str  # what a network must have been trained on to go on here
    least_steps: int  # decisions that RLlib waits for before it makes an update

    @property
    def runner(self) -> type[SharedRunner]:
        """Who plays."""

    @property
    def learner(self) -> type[MaskedPPOLearner]:
        """Who learns."""

    def spec(self) -> RLModuleSpec:
        """What RLlib builds the network from, wherever it is needed."""

    def fill(self, module: Any, path: str) -> None:
        """Let a network begin with the weights in a policy file."""

    def network(self, module: Any, about: dict[str, Any]) -> policy_file.Network | policy_file.Scorer:
        """A network as a policy file holds it."""


class FlatLearning:
    """A network with an output for every action: many games are stepped side by side."""

    runner, learner = BatchEnvRunner, MaskedPPOLearner

    def __init__(self, settings: RLlibSettings) -> None:
        self._settings, self._sight = settings, make_sight(settings)
        self.version, self.least_steps = self._sight.version, settings.steps_an_update

    def spec(self) -> RLModuleSpec:
        """A `MaskedModule`."""
        return make_spec(self._settings, self._sight)

    def fill(self, module: MaskedModule, path: str) -> None:
        """Take all weights."""
        module.fill(policy_file.load_network(path))

    def network(self, module: MaskedModule, about: dict[str, Any]) -> policy_file.Network:
        """Policy and value."""
        return module.network(self._sight, about)


class ScoringLearning:
    """A network that scores each candidate by its features: whole games are played in compiled code."""

    runner, learner = GamesEnvRunner, ScoringPPOLearner

    def __init__(self, settings: RLlibSettings) -> None:
        self._settings, self.version = settings, columns_digest()
        # How many decisions a round of games has is known afterwards. RLlib would wait for another round where they
        # are fewer than it was told, so it is told what one round has for certain: a gradient step of each learner.
        self.least_steps = settings.ppo.batch_size * max(1, settings.workers.learners)

    def spec(self) -> RLModuleSpec:
        """A `ScoringModule`."""
        game = max(self._settings.game.variants, key=lambda table: table.num_actions)
        network = self._settings.network
        knows_hidden = network.critic_knows == "hidden"
        return RLModuleSpec(
            module_class=ScoringModule,
            observation_space=observation_space(game, Sight("actions")),
            action_space=gymnasium.spaces.Discrete(game.num_actions),
            model_config={
                "layers": network.layers,
                "critic": network.critic,
                "knows_hidden": knows_hidden,
                "blind_to": self._settings.sight.blind_to,
            },
        )

    def fill(self, module: ScoringModule, path: str) -> None:
        """Take the scorer's weights; the critic begins anew."""
        module.scorer.read(to_start_from(path, self._settings.game.variant.map))

    def network(self, module: ScoringModule, about: dict[str, Any]) -> policy_file.Scorer:
        """The scorer alone."""
        games = describe_games(self._settings.game.variants)
        return as_policy(module.scorer, about=about, games=games)


def learning_of(settings: RLlibSettings) -> Learning:
    """The way of learning that settings ask for."""
    return ScoringLearning(settings) if settings.sight.features == "actions" else FlatLearning(settings)
