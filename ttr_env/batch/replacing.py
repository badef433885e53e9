"""What becomes of illegal actions where they do not end a game."""

from __future__ import annotations

from ttr_env.batch.stepping import DEAL
from ttr_env.engine.choices import random_action
from ttr_env.engine.jit import entry
from ttr_env.engine.legal import LEGAL, verdict
from ttr_env.engine.rng import derived_seed, seeded

_REPLACEMENT = 3  # the purpose that seeds are derived for, beside those of `stepping`


@entry
def replace_illegal(games, boards, rows, actions, source, replaced):
    """Put a random legal action in place of every illegal one, and say where; what is no action stays.

    `source` is scratch space: each choice begins at a seed of its own, so that rows and steps do not depend on others.
    """
    b = boards[0]
    for index in range(actions.shape[0]):
        g, row = games[index], rows[index]
        replaced[index] = actions[index] > DEAL and verdict(g, b, actions[index]) != LEGAL
        if replaced[index]:
            source[0] = seeded(derived_seed(row["seed"], _REPLACEMENT, row["decisions"]))
            actions[index] = random_action(g, b, source)
