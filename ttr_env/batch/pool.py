"""Networks as bots: who has one, and the memory in which steps find all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeGuard

import numpy as np

from ttr_env.bots.scorer import WEIGHTS
from ttr_env.engine.scratch import aligned


class HasWeights(Protocol):
    """A player whose choices compiled code can make by itself: those of a network that scores candidates."""

    @property
    def weights(self) -> np.ndarray:
        """The network: [1] of `ttr_env.bots.scorer.WEIGHTS`."""
        ...


def has_weights(player: Any) -> TypeGuard[HasWeights]:
    """Whether a player has a network that compiled code can evaluate."""
    return _is_network(getattr(player, "weights", None))


def weights_of(network: Any) -> np.ndarray:
    """The network of a player, or one that is given as it is: [1] of `WEIGHTS`."""
    weights = network if isinstance(network, np.ndarray) else getattr(network, "weights", None)
    if not _is_network(weights):
        raise ValueError(
            f"a network is needed, an array [1] of ttr_env.bots.scorer.WEIGHTS or an agent with such `weights`, "
            f"not {network!r}"
        )
    assert isinstance(weights, np.ndarray)
    return weights


def _is_network(weights: Any) -> bool:
    return isinstance(weights, np.ndarray) and weights.dtype == WEIGHTS and weights.shape == (1,)


def gather(networks: Sequence[np.ndarray]) -> np.ndarray:
    """Networks one after another, [networks] of `WEIGHTS`."""
    pool = aligned(len(networks), WEIGHTS)
    for number, network in enumerate(networks):
        pool[number] = network[0]
    return pool
