"""A million random decisions on every map, with every invariant checked after each of them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.checker.invariants import NAMES
from tests.checker.play import EVENTS, CheckedPlay, check
from tests.helpers.variants import EVERYWHERE, VARIANTS, variant_name
from ttr_env.engine import calls
from ttr_env.engine.layout import FREE, LOCOMOTIVE, SECOND_CARD, TURN

A_MILLION = 1_000_000
POLICIES = ("uniform", "hoard", "uniform", "collect")
WITH_TOLLS = {"loans", "tolls paid to a player"}
WITH_NEUTRAL = {"neutral choices", "neutral player out"}
WITH_SETS_AND_TUNNELS = {"cards put into sets", "tunnels paid", "tunnels declined"}
RARE = {"passes", "games ended by passes", "short rows", "rows stuck with locomotives"}


def events_of_checked_games(options: dict[str, Any], decisions: int) -> set[str]:
    """Play games of at least so many decisions, all checked; returns what happened in them."""
    play = CheckedPlay(options, seed=EVERYWHERE.index(options))
    made, game = 0, 0
    while made < decisions:
        made += play.play(seed=1000 * EVERYWHERE.index(options) + game, policy=POLICIES[game % len(POLICIES)])
        game += 1
    return {event for event, count in zip(EVENTS, play.events, strict=True) if count > 0}


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_no_invariant_is_ever_broken(options: dict[str, Any]) -> None:
    assert events_of_checked_games(options, decisions=2000) >= {"keeps at the start", "keeps after a draw", "claims"}


@pytest.mark.slow
@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_no_invariant_is_broken_in_a_million_decisions(options: dict[str, Any]) -> None:
    impossible = (set() if options["tolls"] else WITH_TOLLS) | (set() if options["neutral_player"] else WITH_NEUTRAL)
    if options.get("map") == "nordic":
        impossible |= {"ticket piles made of discards"}  # S2
    else:
        impossible |= WITH_SETS_AND_TUNNELS
    tables = [each for each in EVERYWHERE if each.get("map") == options.get("map")]
    seen = events_of_checked_games(options, decisions=A_MILLION // len(tables) + 1)
    assert seen - RARE == set(EVENTS) - RARE - impossible


# The checker itself: every kind of damage is found, and called by its name.


@pytest.fixture
def midgame() -> CheckedPlay:
    """A turn begins in a game for 4 with tolls; all seats own tracks, and the last action was no claim."""
    play = CheckedPlay(VARIANTS[4], seed=1)
    calls.start(play.games, 0, play.boards, np.uint64(8), 4, 1, 0)
    record, before = play.games[:2]
    while not set(range(4)) <= set(record["owner"]) or record["phase"] != TURN or before["phase"] != SECOND_CARD:
        play.memory[1] = play.memory[0]
        calls.step(play.games, 0, play.boards, play.choose("uniform"))
    return play


def broken(play: CheckedPlay) -> str:
    return NAMES[check(play.games, play.boards, 0, play.mask, play.events)]


def test_the_checker_is_content_with_a_sound_game(midgame: CheckedPlay) -> None:
    assert broken(midgame) == "nothing is broken"


@pytest.mark.parametrize(
    ("field", "place", "change", "name"),
    [
        ("deck", 3, 1, "the cards of each kind"),
        ("hand", (2, 0), 1, "the cards of each kind"),
        ("discard", LOCOMOTIVE, -20, "the cards of each kind"),
        ("known", (1, 2), 100, "what is known of a hand"),
        ("known", (1, 2), -100, "what is known of a hand"),
        ("ticket_pile", ..., 1 << 60, "every ticket"),
        ("neutral_ticket", ..., 5, "every ticket"),
        ("trains", 3, 1, "trains in stock"),
        ("neutral_trains", ..., 1, "trains in stock"),
        ("points", 0, -1, "points are those"),
        ("turns_left", ..., 3, "phase and clock"),
        ("passes", ..., 4, "phase and clock"),
        ("player", ..., 4, "phase and clock"),
        ("setup", ..., 1, "phase and clock"),
        ("deck_size", ..., 1, "what is derived"),
        ("open_count", (1, 2, 3), 1, "what is derived"),
        ("open", (0, 0), 1, "what is derived"),
        ("component", (3, 4), 1, "what is derived"),
        ("claimed", 1, 1, "what is derived"),
        ("tolls", 0, 1, "tolls and loans"),
        ("loans", 2, 1, "tolls and loans"),
        ("pending_claim", ..., 60, "a claim waits"),
        ("pending_paid", 3, 1, "a claim waits"),
        ("pending_turned", 3, -1, "the cards of each kind"),
    ],
)
def test_the_checker_finds_a_changed_number(
    midgame: CheckedPlay, field: str, place: Any, change: int, name: str
) -> None:
    values = midgame.games[0:1][field][0:1]
    values[(0, *place) if isinstance(place, tuple) else (0, place)] += np.array(change).astype(values.dtype)
    assert broken(midgame).startswith(name)


def clear_the_row(record: Any) -> None:
    record["discard"] += record["face_up"]
    record["face_up"] = 0


def fill_the_row_with_locomotives(record: Any) -> None:
    record["deck"] += record["face_up"]
    record["face_up"] = record["known"] = 0
    for pile in ("deck", "discard", "hand"):
        record[pile][..., LOCOMOTIVE] = 0
    record["face_up"][LOCOMOTIVE] = 5
    record["discard"][LOCOMOTIVE] = 9


def offer_a_ticket(record: Any) -> None:
    ticket = np.uint64(int(record["ticket_pile"]) & -int(record["ticket_pile"]))
    record["ticket_pile"] -= ticket
    record["offered"][0] |= ticket


def refuse_the_same_tickets(record: Any) -> None:
    record["refused"][:2] = record["ticket_discard"]


def own_both_tracks_of_a_double(record: Any) -> None:
    """Seat 0 takes the first two tracks, a double of length 2, from whoever has them."""
    for track in (0, 1):
        if record["owner"][track] != FREE:
            record["trains"][record["owner"][track]] += 2
            record["points"][record["owner"][track]] -= 2
        record["owner"][track] = 0
        record["trains"][0] -= 2
        record["points"][0] += 2


@pytest.mark.parametrize(
    ("damage", "name"),
    [
        (clear_the_row, "the row is as full"),
        (fill_the_row_with_locomotives, "the row shows few"),
        (offer_a_ticket, "tickets are on offer"),
        (refuse_the_same_tickets, "refused tickets"),
        (own_both_tracks_of_a_double, "no double route"),
    ],
)
def test_the_checker_finds(midgame: CheckedPlay, damage: Callable[[Any], None], name: str) -> None:
    damage(midgame.games[0])
    assert broken(midgame).startswith(name)


def test_the_checker_finds_tracks_that_appear(midgame: CheckedPlay) -> None:
    midgame.games[1]["owner"][:] = FREE
    assert broken(midgame).startswith("a decision adds at most")


def test_the_checker_finds_a_free_ride(midgame: CheckedPlay) -> None:
    """The mover's track was free a moment ago, but its toll has not been paid."""
    before = midgame.games[1]
    track = np.flatnonzero(before["owner"] == before["player"])[0]
    before["owner"][track] = FREE
    assert broken(midgame).startswith("tolls and loans")
