"""The learner: PPO's loss with the arithmetic done once, on batches that are put together in one go."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.connectors.connector_v2 import ConnectorV2
from ray.rllib.core.columns import Columns
from ray.rllib.core.learner.learner import ENTROPY_KEY, POLICY_LOSS_KEY, VF_LOSS_KEY
from ray.rllib.evaluation.postprocessing import Postprocessing

from ttr_env.learning.rllib.rollout import SHARED
from ttr_env.learning.torch_parts import probabilities

KL, CLIPPED = "approx_kl", "clip_fraction"  # metrics, with the names of Stable-Baselines3
LOGGED = (POLICY_LOSS_KEY, VF_LOSS_KEY, ENTROPY_KEY, KL, CLIPPED)
_EXTRA = (Columns.ACTION_LOGP, Postprocessing.ADVANTAGES, Postprocessing.VALUE_TARGETS)


class MakeBatch(ConnectorV2):
    """Turns the episodes of `BatchEnvRunner` into a shuffled batch.

    It takes the place of RLlib's own pipeline, which handles decisions one by one and computes all values once more:
    these episodes are arrays already, and have their advantages with them.
    """

    def __init__(self, device: torch.device) -> None:
        super().__init__()
        self._device = device

    def __call__(self, *, episodes: Any, **kwargs: Any) -> dict[str, Any]:
        order = torch.randperm(sum(map(len, episodes)))
        columns = {name: [episode.extra_model_outputs[name].data for episode in episodes] for name in _EXTRA}
        columns[Columns.ACTIONS] = [episode.actions.data for episode in episodes]
        batch: dict[str, Any] = {name: self._tensor(parts, order) for name, parts in columns.items()}
        batch[Columns.OBS] = {
            name: self._tensor([episode.observations.data[name][: len(episode)] for episode in episodes], order)
            for name in ("observations", "action_mask")
        }
        batch[Postprocessing.ADVANTAGES] = normalised(batch[Postprocessing.ADVANTAGES])
        return {SHARED: batch}

    def _tensor(self, parts: list[np.ndarray], order: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(np.concatenate(parts))[order].to(self._device)


def normalised(advantages: torch.Tensor) -> torch.Tensor:
    """The same with a mean of 0 and a deviation of 1."""
    return (advantages - advantages.mean()) / advantages.std().clamp(min=1e-4)


class MaskedPPOLearner(PPOTorchLearner):
    """PPO on the log-probabilities that `MaskedModule` hands out.

    RLlib's own loss wants the old distributions of all actions sent along, and builds distributions where a few sums
    will do.
    """

    def build(self) -> None:
        """Build it, with the one connector that it needs."""
        super().build()
        assert self._learner_connector is not None  # it is left out only for processes that aggregate
        self._learner_connector.append(self.make_connector())

    def make_connector(self) -> ConnectorV2:
        """The only connector that it needs."""
        return MakeBatch(self.device)

    def compute_loss_for_module(
        self, *, module_id: str, config: Any, batch: dict[str, Any], fwd_out: dict[str, Any]
    ) -> torch.Tensor:
        """The loss on a minibatch."""
        log_probs, values = fwd_out[Columns.ACTION_DIST_INPUTS], fwd_out[Columns.VF_PREDS]
        chosen = log_probs.gather(1, batch[Columns.ACTIONS].unsqueeze(1)).squeeze(1)
        log_ratio = chosen - batch[Columns.ACTION_LOGP]
        ratio, gain = log_ratio.exp(), batch[Postprocessing.ADVANTAGES]
        clipped = ratio.clamp(1 - config.clip_param, 1 + config.clip_param)
        policy_loss = -torch.min(ratio * gain, clipped * gain).mean()
        value_loss = (values - batch[Postprocessing.VALUE_TARGETS]).square().mean()
        entropy = -(log_probs * probabilities(log_probs)).sum(dim=1).mean()
        with torch.no_grad():
            moved = ((ratio - 1) - log_ratio).mean()
            outside = (ratio != clipped).float().mean()
        logged = zip(LOGGED, (policy_loss, value_loss, entropy, moved, outside), strict=True)
        self.metrics.log_dict({name: value.detach() for name, value in logged}, key=module_id, window=1)
        weight = self.entropy_coeff_schedulers_per_module[module_id].get_current_value()
        return policy_loss + config.vf_loss_coeff * value_loss - weight * entropy
