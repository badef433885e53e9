"""What Python calls for several games at once: whether actions are legal, and what the movers see."""

from __future__ import annotations

from ttr_env.engine.choices import write_mask
from ttr_env.engine.jit import entry
from ttr_env.engine.legal import LEGAL, verdict
from ttr_env.engine.observe import write_observation


@entry
def first_illegal(games, boards, chosen, actions):
    """The first place in `actions` whose action is illegal in its row, -1 if all are legal."""
    for place in range(chosen.shape[0]):
        if verdict(games[chosen[place]], boards[0], actions[place]) != LEGAL:
            return place
    return -1


@entry
def view_rows(games, boards, chosen, with_planning, with_tolls_visible, plans, observations, masks):
    """Write the observation and the mask of the player to move in each of the `chosen` games."""
    for place in range(chosen.shape[0]):
        g = games[chosen[place]]
        write_mask(g, boards[0], masks[place])
        write_observation(g, boards[0], g["player"], with_planning, with_tolls_visible, plans[0], observations[place])
