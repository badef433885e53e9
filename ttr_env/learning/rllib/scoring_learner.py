"""The learner of a network that scores candidates: a minibatch gets its candidates when its turn comes."""

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.connectors.connector_v2 import ConnectorV2
from ray.rllib.core.columns import Columns
from ray.rllib.evaluation.postprocessing import Postprocessing

from ttr_env.learning.rllib.learner import MaskedPPOLearner, normalised
from ttr_env.learning.rllib.recorded import join
from ttr_env.learning.rllib.rollout import SHARED
from ttr_env.learning.scorer import Decisions


class MakeRaggedBatch(ConnectorV2):
    """Turns what `GamesEnvRunner` has recorded into a shuffled batch, whose rows point into one array of candidates.

    RLlib cuts a batch by its rows. Candidates, of which a row has more or fewer, are no part of it therefore.
    """

    def __init__(self, device: torch.device) -> None:
        super().__init__()
        self._device = device
        self._candidates = torch.zeros(0)

    def __call__(self, *, episodes: Any, **kwargs: Any) -> dict[str, Any]:
        recorded = join(episodes)
        order = torch.randperm(len(recorded))
        rows = {name: torch.from_numpy(column)[order].to(self._device) for name, column in recorded.rows.items()}
        ends = recorded.rows["count"].cumsum()
        rows["begin"] = torch.from_numpy(ends)[order].to(self._device) - rows["count"]
        self._candidates = torch.from_numpy(recorded.candidates).to(self._device)
        batch = {
            Columns.OBS: {name: rows[name] for name in ("state", "hidden", "begin", "count")},
            Columns.ACTIONS: rows["place"],
            Columns.ACTION_LOGP: rows["log_prob"],
            Postprocessing.ADVANTAGES: normalised(rows["advantage"]),
            Postprocessing.VALUE_TARGETS: rows["target"],
        }
        return {SHARED: batch}

    def decisions(self, seen: dict[str, torch.Tensor]) -> Decisions:
        """The rows of a minibatch with their candidates."""
        begins, counts = seen["begin"], seen["count"]
        owners = torch.arange(len(counts), device=counts.device).repeat_interleave(counts)
        places = torch.arange(len(owners), device=counts.device) - (counts.cumsum(0) - counts)[owners]
        actions = self._candidates.index_select(0, begins[owners] + places).float()
        return Decisions(seen["state"], seen["hidden"], actions, owners, places)


class ScoringPPOLearner(MaskedPPOLearner):
    """PPO on the log-probabilities of candidates; what was chosen is a place among them."""

    def make_connector(self) -> MakeRaggedBatch:
        """The only connector that it needs."""
        self._ragged = MakeRaggedBatch(self.device)
        return self._ragged

    def _update(self, batch: dict[str, Any], **kwargs: Any) -> Any:
        rows = batch[SHARED]
        rows[Columns.OBS] = self._ragged.decisions(rows[Columns.OBS])
        return super()._update(batch, **kwargs)
