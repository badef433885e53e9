"""The spaces of observations, and observations as environments hand them out."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ttr_env.bots.features.rows import EMPTY, ActionFeatures
from ttr_env.options import Masking, Sight, Variant


def learner_space(variant: Variant, sight: Sight, masking: Masking) -> gymnasium.Space[Any]:
    """The space of what a learner gets: what it sees, and beside it the mask, if that is where it is wanted.

    >>> list(learner_space(Variant.of("nederland"), Sight(), Masking("observation")))
    ['action_mask', 'observation']
    """
    seen = observation_space(variant, sight)
    return with_mask(seen, spaces.Box(0, 1, (variant.num_actions,), np.int8), masking)


def with_mask(seen: Any, mask: Any, masking: Masking) -> Any:
    """An observation, or the space of it, with the mask beside it if that is where it is wanted."""
    if not masking.in_observation:
        return seen
    both = {masking.observation_key: seen, "action_mask": mask}
    return spaces.Dict(both) if isinstance(mask, gymnasium.Space) else both


def observation_space(variant: Variant, sight: Sight) -> gymnasium.Space[Any]:
    """The space of what a player sees: a `Box`, or with `features="actions"` a `Dict` of three.

    >>> observation_space(Variant.of("nederland"), Sight("actions"))["actions"]
    Box(-1.0, 1.0, (128, 58), float32)
    """
    if not sight.with_actions:
        return spaces.Box(0, 1, (variant.observation_size(sight),), np.float32)
    blank = ActionFeatures.blank()
    return spaces.Dict(
        {
            "state": spaces.Box(-1, 1, blank.state.shape, np.float32),
            "actions": spaces.Box(-1, 1, blank.actions.shape, np.float32),
            "index": spaces.Box(EMPTY, variant.num_actions - 1, blank.index.shape, np.int64),
        }
    )


def as_observation(seen: Any) -> Any:
    """What was seen as an element of such a space: action features as a dictionary, a vector as it is."""
    return seen._asdict() if isinstance(seen, ActionFeatures) else seen


def chosen_rows(seen: Any, chosen: int | np.ndarray) -> Any:
    """A copy of what was seen in a row, or in some."""
    return seen.at(chosen) if isinstance(seen, ActionFeatures) else np.array(seen[chosen])


def only_rows(seen: Any, chosen: np.ndarray) -> Any:
    """A copy of what was seen in the chosen rows (bool); in the others nothing is."""
    if isinstance(seen, ActionFeatures):
        copy = ActionFeatures.blank(len(chosen))
        for kept, each in zip(copy, seen, strict=True):
            kept[chosen] = each[chosen]
        return copy
    vectors = np.zeros_like(seen)
    vectors[chosen] = seen[chosen]
    return vectors
