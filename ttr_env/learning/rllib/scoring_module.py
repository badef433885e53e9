"""The network that scores candidates as RLlib wants it: for `features="actions"`, with any algorithm that takes it."""

from __future__ import annotations

from typing import Any

import gymnasium
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.distribution.torch.torch_distribution import TorchCategorical
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule

from ttr_env.learning.scorer import Critic, Decisions, Scorer, action_log_probs


class ScoringModule(TorchRLModule, ValueFunctionAPI):
    """Scores every candidate of an observation: one network for every seat, and for every map.

    Observations are dictionaries with `state`, `actions` and `index`, as they are or under the key `observations`, as
    `RLlibEnv` shows them. Legal actions that are no candidates are never taken, so that no mask is needed. Of
    `model_config` it reads `layers`, the units of the scorer's two, `critic`, the units of the critic's, `blind_to`,
    groups of columns that neither reads, and `knows_hidden`, whether the critic is told what is hidden from players,
    which only whole games can do.

    >>> from ttr_env.envs.spaces import observation_space
    >>> from ttr_env.options import Sight, Variant
    >>> table = Variant.of("nederland", players=2)
    >>> sees, acts = observation_space(table, Sight("actions")), gymnasium.spaces.Discrete(table.num_actions)
    >>> module = ScoringModule(observation_space=sees, action_space=acts, model_config={"layers": (32, 16)})
    >>> seen = {name: torch.from_numpy(array)[None] for name, array in sees.sample().items()}
    >>> module.forward_inference({"obs": seen})["action_dist_inputs"].shape
    torch.Size([1, 616])
    """

    model_config: dict[str, Any]

    def setup(self) -> None:
        """Build both networks."""
        told = self.model_config
        self.scorer = Scorer(*told.get("layers", (64, 32)))
        self.critic = Critic(list(told.get("critic", (64, 64))), told.get("knows_hidden", False))
        for network in (self.scorer, self.critic):
            network.blindfold(told.get("blind_to", ()))
        self.action_dist_cls = TorchCategorical

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """Log-probabilities of all actions, or of the places of candidates where these lie one after another."""
        seen = batch[Columns.OBS]
        if isinstance(seen, Decisions):
            log_probs = self.scorer(seen)
        else:
            assert isinstance(self.action_space, gymnasium.spaces.Discrete)
            log_probs = action_log_probs(self.scorer, _features(seen), int(self.action_space.n))
        return {Columns.ACTION_DIST_INPUTS: log_probs, Columns.VF_PREDS: self.compute_values(batch)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """The values of the rows of a batch."""
        seen = batch[Columns.OBS]
        if isinstance(seen, Decisions):
            return self.critic(seen.states, seen.hidden)
        return self.critic(_features(seen)["state"], None)


def _features(seen: dict[str, Any]) -> dict[str, torch.Tensor]:
    return seen.get("observations", seen)
