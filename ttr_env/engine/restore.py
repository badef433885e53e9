"""Working out the parts of a game's record that follow from the others, after a position was written into it."""

from __future__ import annotations

from ttr_env.engine.bits import NO_BITS, has
from ttr_env.engine.cards import total
from ttr_env.engine.claims import connect, is_open, occupy
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import CLAIM, COLOURS, FREE, LENGTHS, NEUTRAL_OWNER, SET, TUNNEL, WORDS
from ttr_env.engine.waiting import asked, missing_from_sets
from ttr_env.maps.limits import MAX_CITIES


@kernel
def open_all(g, b, seat):
    """A seat that may still claim every track, and has connected nothing."""
    for word in range(WORDS):
        g["open"][seat, word] = b["all_tracks"][word]
    for length in range(LENGTHS):
        for colour in range(COLOURS + 1):
            g["open_count"][seat, length, colour] = b["class_size"][length, colour]
    for city in range(MAX_CITIES):
        g["component"][seat, city] = city


@kernel
def may_own(g, b, owner, track):
    """B7: whether the tracks occupied so far leave this one open to its owner."""
    if owner != NEUTRAL_OWNER:
        return is_open(g, owner, track)
    partner = b["track_partner"][track]
    occupied = partner >= 0 and has(g["claimed"][partner >> 6], partner & 63)
    return not (occupied and g["owner"][partner] == NEUTRAL_OWNER)


@kernel
def restore_derived(g, b):
    """Fill in what follows from the owners and the deck; returns a track that its owner cannot own, -1 if none."""
    g["deck_size"] = total(g["deck"])
    g["discards"] = b["discards"]
    if g["phase"] == SET and g["pending_claim"] >= CLAIM:  # a position that is still being read has none yet
        g["pending_left"] = missing_from_sets(g, b)
    elif g["phase"] == TUNNEL and g["pending_claim"] >= CLAIM:
        g["pending_left"] = asked(g, b)
    g["claimed"][:] = NO_BITS
    for seat in range(g["players"]):
        open_all(g, b, seat)
    for track in range(b["tracks"]):
        owner = g["owner"][track]
        if owner != FREE:
            if not may_own(g, b, owner, track):
                return track
            occupy(g, b, owner, track)
            if owner != NEUTRAL_OWNER:
                connect(g, b, owner, track)
    return -1
