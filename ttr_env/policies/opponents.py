"""Built-in opponents, compiled: what they do when it is their move."""

from __future__ import annotations

from ttr_env.engine.choices import random_action
from ttr_env.engine.jit import kernel

OPPONENTS = ("random",)


@kernel
def opponent_action(g, b, kind, source):
    """The action of an opponent (an index of `OPPONENTS`) for the player to move."""
    return random_action(g, b, source)
