"""What training keeps away from: the deals of the tests, and the opponents that are held out for them."""

from __future__ import annotations

from ttr_env.bots.built_in import HELD_OUT

# The seeds of all deals of all tasks. Seeds that training draws for its own deals are any of 2**64, so that it is one
# chance in 2**44 that a deal is among these; a seed that it is given is refused if it is.
RESERVED_SEEDS = range(0x7EE7_BE4C_0000_0000, 0x7EE7_BE4C_0000_0000 + 2**20)


def refuse_reserved(seed: int) -> int:
    """The seed, if it is none of a test's deals; otherwise a `ValueError`.

    >>> refuse_reserved(7)
    7
    """
    if seed in RESERVED_SEEDS:
        first, last = RESERVED_SEEDS[0], RESERVED_SEEDS[-1]
        raise ValueError(f"{first} to {last} are the deals of tests, which no training meets; choose another")
    return seed


def refuse_held_out(agent: str) -> str:
    """An agent's name, if training may meet it, ask it or learn from it; otherwise a `ValueError`.

    >>> refuse_held_out("planner")
    'planner'
    """
    if agent in HELD_OUT:
        raise ValueError(f"{agent} is for evaluation alone, so that it says how an agent does against what is new")
    return agent
