"""What buffers of candidates hand to SB3's learning."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch

from ttr_env.batch.recorded import gather
from ttr_env.learning.scorer import Decisions


class Samples(NamedTuple):
    """What SB3 asks a buffer for."""

    observations: Decisions
    actions: torch.Tensor  # the candidates' places
    old_values: torch.Tensor
    old_log_prob: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    action_masks: None = None


def gathered(source: np.ndarray, begins: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The candidates of some decisions one after another, whose each is, and its place among those of its decision.

    >>> actions, owners, places = gathered(np.eye(4, dtype=np.float32), np.array([3, 0]), np.array([4, 2]))
    >>> actions.argmax(axis=1).tolist(), owners.tolist(), places.tolist()
    ([3, 0, 1], [0, 1, 1], [0, 0, 1])
    """
    count = int((ends - begins).sum())
    actions = np.empty((count, source.shape[1]), np.float32)
    owners, places = np.empty((2, count), np.int64)
    gather(source, begins, ends, actions, owners, places)
    return actions, owners, places
