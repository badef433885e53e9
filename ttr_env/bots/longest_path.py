"""What a track is worth for the longest path, where that earns a bonus (U3)."""

from __future__ import annotations

from ttr_env.engine.bits import bit
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import FREE
from ttr_env.engine.paths import longest_path

REACH = 12  # trains by which another's path may be longer with the bonus still within reach


@kernel
def hoped_path(g, b, player, stack):
    """The player's longest path, -1 if there is no bonus to hope for; `stack` [tracks] is scratch space."""
    if b["path_bonus"] == 0:
        return -1
    mine = longest_path(g, b, player, stack)
    for seat in range(g["players"]):
        if seat != player and longest_path(g, b, seat, stack) > mine + REACH:
            return -1
    return mine


@kernel
def is_connected(g, b, player, city):
    """Whether the player owns a track at a city."""
    component = g["component"][player]
    for other in range(b["cities"]):
        if other != city and component[other] == component[city]:
            return True
    return False


@kernel
def added_path(g, b, player, track, before, stack):
    """The trains that a free track adds to the longest path, which is `before` now."""
    if not (is_connected(g, b, player, b["track_a"][track]) or is_connected(g, b, player, b["track_b"][track])):
        return 0  # a track by itself adds nothing
    g["owner"][track] = player  # for a moment
    g["claimed"][track >> 6] |= bit(track & 63)
    after = longest_path(g, b, player, stack)
    g["owner"][track] = FREE
    g["claimed"][track >> 6] &= ~bit(track & 63)
    return after - before
