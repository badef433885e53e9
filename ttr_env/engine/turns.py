"""Whose turn it is, and when the game ends (B2, B9, B12)."""

from __future__ import annotations

from ttr_env.engine import neutral
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import OVER, TURN

_LAST_TRAINS = 2  # B9


@kernel
def start_turn(g, player):
    """It is this player's turn."""
    g["player"] = player
    g["phase"] = TURN


@kernel
def start_round(g):
    """The next round begins with seat 0."""
    g["round"] += 1
    start_turn(g, 0)


@kernel
def end_game(g):
    """Nothing is left to decide."""
    g["player"] = -1
    g["phase"] = OVER


@kernel
def begins_last_turns(trains):
    """B9: whether the last turns begin when a player has so many trains left at the end of its turn."""
    return trains <= _LAST_TRAINS


@kernel
def is_last_turn(g):
    """Count the turn that ends now: B9's last turns, once they have begun, or the trigger that begins them."""
    if g["turns_left"] > 0:
        g["turns_left"] -= 1
    elif begins_last_turns(g["trains"][g["player"]]):
        g["turns_left"] = g["players"]
    return g["turns_left"] == 0


@kernel
def end_turn(g, b, passed):
    """Go on to the next turn, through the neutral phase where one is due, or to the end of the game.

    `passed` says that nothing could be done in this turn (B12).
    """
    g["passes"] = g["passes"] + 1 if passed else 0
    player = g["player"]
    if is_last_turn(g) or g["passes"] == g["players"]:
        end_game(g)
    elif player < g["players"] - 1:
        start_turn(g, player + 1)
    elif not (neutral.is_due(g, b) and neutral.turn_up(g, b)):
        start_round(g)
