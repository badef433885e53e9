"""Snapshots: JSON and back in every phase, and damaged ones refused by the name of the field."""

import copy
import json
import re
from typing import Any

import pytest

from tests.helpers.positions import MAP, Snapshot, cards, filler, finished, other, position, track
from ttr_env import Game, SnapshotError

RED_4 = track("Amsterdam", "Rotterdam", "red")
DELETE = object()
TURN = position(players=3, owned={RED_4: 1})
PLAIN = position(players=3, owned={RED_4: 1}, tolls=False)
SETUP = position(phase="keep_tickets", setup=True, offered=[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]], round=1)
KEEP = position(
    players=3, phase="keep_tickets", player=1, offered=[[], [1, 2, 3]], ticket_discard=[5, 6], refused=[[5], [6]]
)
NEUTRAL = position(neutral_player=True, phase="neutral", player=1, neutral={"ticket": 30})
NO_NEUTRAL = position(neutral_player=True, owned={RED_4: "neutral"})
OVER = finished(players=3).snapshot()


@pytest.mark.parametrize(
    ("where", "phase"),
    [
        (SETUP, "keep_tickets"),
        (KEEP, "keep_tickets"),
        (TURN, "turn"),
        (position(phase="second_card"), "second_card"),
        (NEUTRAL, "neutral"),
        (NO_NEUTRAL, "turn"),
        (OVER, "over"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value['players']}-{value['setup']}",
)
def test_every_phase_comes_back_through_json(where: Snapshot, phase: str) -> None:
    game = Game.from_snapshot(json.loads(json.dumps(where)))
    assert game.phase == phase
    assert game.snapshot() == where


def changed(snapshot: Snapshot, path: str, value: Any) -> Snapshot:
    """The snapshot with another value at a path such as `seats.0.hand.red`, or without what is there."""
    result = copy.deepcopy(snapshot)
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    inner: Any = result
    for step in way:
        inner = inner[step]
    if value is DELETE:
        del inner[last]
    else:
        inner[last] = value
    return result


DAMAGES = [
    # What is played.
    (TURN, "format", 2, "format: 2 is unknown; this version reads format 1"),
    (TURN, "format", True, "format: True is unknown"),
    (TURN, "format", 1.0, "format: 1.0 is unknown"),
    (TURN, "map", 5, "map: a name or the path of a folder is needed, not 5"),
    (TURN, "map", "atlantis", "map: 'atlantis' is no map"),
    (TURN, "players", "3", "players: a whole number"),
    (TURN, "players", True, "players: a whole number"),
    (TURN, "players", 6, "players: Nederland is for 2 to 5 players"),
    (TURN, "players", 2, "seats: 2 entries are needed, not 3"),
    (TURN, "tolls", 1, "tolls: True or False"),
    (TURN, "neutral_player", None, "neutral_player: True or False"),
    (TURN, "neutral_player", True, "neutral_player: the neutral player joins 2 players"),
    (TURN, "setup", "no", "setup: True or False"),
    # The clock.
    (TURN, "phase", "tunnel", "phase: 'tunnel' is unknown"),
    (TURN, "phase", 1, "phase: 1 is unknown"),
    (TURN, "player", -1, "player: a whole number from 0 to 2"),
    (TURN, "player", 3, "player: a whole number from 0 to 2"),
    (OVER, "player", 0, "player: -1 is needed"),
    (TURN, "round", 0, "round: "),
    (TURN, "round", 2**31 - 1, "round: "),
    (TURN, "passes", 3, "passes: a whole number from 0 to 2"),
    (OVER, "passes", 4, "passes: a whole number from 0 to 3"),
    (TURN, "turns_left", 0, "turns_left: a whole number from 1 to 3"),
    (TURN, "turns_left", 4, "turns_left: a whole number from 1 to 3"),
    (TURN, "turns_left", 1.0, "turns_left: a whole number from 1 to 3"),
    # Owners.
    (TURN, "owners", {}, "owners: a list is needed, not dict"),
    (TURN, "owners", [None], "owners: 97 entries are needed, not 1"),
    (TURN, "owners.5", 3, "owners[5]: 3 is nobody"),
    (TURN, "owners.5", -1, "owners[5]: -1 is nobody"),
    (TURN, "owners.5", 1.0, "owners[5]: 1.0 is nobody"),
    (TURN, "owners.5", True, "owners[5]: True is nobody"),
    (TURN, "owners.5", "neutral", "owners[5]: 'neutral' is nobody"),
    (TURN, f"owners.{other(RED_4)}", 1, f"owners[{other(RED_4)}]: 1 owns track {RED_4} beside it already (B7)"),
    (PLAIN, f"owners.{other(RED_4)}", 0, f"owners[{other(RED_4)}]: it was closed when track {RED_4}"),
    (NO_NEUTRAL, f"owners.{other(RED_4)}", "neutral", f"owners[{other(RED_4)}]: 'neutral' owns track {RED_4}"),
    # Seats.
    (TURN, "seats", [], "seats: 3 entries are needed, not 0"),
    (TURN, "seats.1", None, "seats[1]: a dictionary is needed"),
    (TURN, "seats.1.hands", {}, "seats[1]: 'hands' is unknown; did you mean 'hand'?"),
    (TURN, "seats.1.trains", DELETE, "seats[1]: 'trains' is missing"),
    (TURN, "seats.1.hand.red", DELETE, "seats[1].hand: 'red' is missing"),
    (TURN, "seats.1.hand.pink", 1, "seats[1].hand: 'pink' is unknown"),
    (TURN, "seats.1.hand.red", -1, "seats[1].hand.red: a whole number from 0"),
    (TURN, "seats.1.hand.red", 1.0, "seats[1].hand.red: a whole number from 0"),
    (TURN, "seats.2.known.red", 1, "seats[2].known.red: 1 is more than the 0 in the hand"),
    (TURN, "seats.0.tolls", -1, "seats[0].tolls: "),
    (PLAIN, "seats.0.tolls", 1, "seats[0].tolls: 0 is needed"),
    (TURN, "seats.0.tolls", 32767, "seats[0].tolls: "),
    (TURN, "seats.0.loans", 88, "seats[0].loans: a whole number from 0 to 87"),
    (PLAIN, "seats.0.loans", 1, "seats[0].loans: 0 is needed"),
    (TURN, "seats.0.points", -1, "seats[0].points: "),
    (TURN, "seats.0.points", 32767, "seats[0].points: "),
    (TURN, "seats.0.trains", 41, "seats[0].trains: "),
    (TURN, "seats.1.trains", 40, "seats[1].trains: 40 less the 4 on tracks is 36, not 40"),
    (
        TURN,
        "owners",
        [1 if i in filler(42) else None for i in range(97)],
        "seats[1].trains: the tracks of seats[1] need 42 trains of 40",
    ),
    # Cards.
    (TURN, "deck", [], "deck: a dictionary is needed, not list"),
    (TURN, "deck.red", 13, "deck.red: deck, discard, face_up and the hands hold 13 red cards; there are 12"),
    (TURN, "discard.locomotive", 1, "deck.locomotive: "),
    (TURN, "face_up", cards({"red": 6}), "face_up: at most 5 cards lie face up, not 6"),
    # Tickets.
    (TURN, "ticket_pile", None, "ticket_pile: a list is needed"),
    (TURN, "ticket_pile.3", 44, "ticket_pile[3]: a whole number from 0 to 43"),
    (TURN, "ticket_pile.3", "3", "ticket_pile[3]: a whole number from 0 to 43"),
    (TURN, "ticket_pile.3", 2, "ticket_pile[3]: the ids must ascend, but 2 follows 2"),
    (TURN, "ticket_pile.3", DELETE, "ticket_pile: ticket 3 is in no list"),
    (TURN, "seats.0.tickets", [3], "seats[0].tickets: ticket 3 is in ticket_pile already"),
    (KEEP, "seats.1.offered", [1, 2, 3, 7], "seats[1].offered: ticket 7 is in ticket_pile already"),
    (NEUTRAL, "neutral.ticket", 29, "neutral.ticket: ticket 29 is in ticket_pile already"),
    (KEEP, "seats.0.refused", [7], "seats[0].refused: ticket 7 is not in ticket_discard"),
    (KEEP, "seats.2.refused", [6], "seats[2].refused: ticket 6 is not in ticket_discard, or another seat"),
    (KEEP, "seats.2.refused", 6, "seats[2].refused: a list is needed"),
    # What only some phases have.
    (TURN, "setup", True, "setup: the first keeps are made in keep_tickets, not in turn"),
    (TURN, "phase", "keep_tickets", "seats[0].offered: this seat has yet to choose"),
    (SETUP, "setup", False, "seats[1].offered: nothing is on offer to this seat now"),
    (KEEP, "player", 0, "seats[0].offered: this seat has yet to choose"),
    (KEEP, "phase", "turn", "seats[1].offered: nothing is on offer to this seat now"),
    (NEUTRAL, "phase", "turn", "neutral.ticket: a ticket lies turned up in phase neutral, and only then"),
    (TURN, "phase", "neutral", "neutral.ticket: a ticket lies turned up in phase neutral, and only then"),
    (NEUTRAL, "player", 0, "player: in phase neutral the marker's holder decides"),
    (NEUTRAL, "neutral.active", False, "neutral.active: "),
    # The neutral player.
    (TURN, "neutral", NEUTRAL["neutral"], "neutral: None is needed"),
    (NEUTRAL, "neutral", None, "neutral: a dictionary is needed"),
    (NEUTRAL, "neutral.marker", DELETE, "neutral: 'marker' is missing"),
    (NEUTRAL, "neutral.marker", 2, "neutral.marker: a whole number from 0 to 1"),
    (NEUTRAL, "neutral.active", 1, "neutral.active: True or False"),
    (NEUTRAL, "neutral.trains", 39, "neutral.trains: 40 less the 0 on tracks is 40, not 39"),
    (NO_NEUTRAL, "neutral.trains", 40, "neutral.trains: 40 less the 4 on tracks is 36, not 40"),
    (NEUTRAL, "neutral.ticket", 44, "neutral.ticket: a whole number from 0 to 43"),
    # The rest.
    (TURN, "pending", {"kind": "set"}, "pending: in phase turn no claim is pending"),
    (TURN, "rng", 7, "rng: 16 hexadecimal digits are needed, not 7"),
    (TURN, "rng", "0123456789abcde", "rng: 16 hexadecimal digits"),
    (TURN, "rng", "0123456789ABCDEF", "rng: 16 hexadecimal digits"),
]


@pytest.mark.parametrize(
    ("snapshot", "path", "value", "message"),
    [pytest.param(*damage, id=f"{damage[1]}: {number}") for number, damage in enumerate(DAMAGES)],
)
def test_a_damaged_snapshot_is_refused_by_the_name_of_the_field(
    snapshot: Snapshot, path: str, value: Any, message: str
) -> None:
    with pytest.raises(SnapshotError, match="^" + re.escape(message)):
        Game.from_snapshot(changed(snapshot, path, value))


ROUTE_OF_30 = [i for i, t in enumerate(MAP.tracks) if {t.a, t.b} == set(MAP.tickets[30].neutral or ())]
CHOOSING = {"phase": "neutral", "player": 1, "neutral_player": True}


@pytest.mark.parametrize(
    ("where", "message"),
    [
        (CHOOSING | {"neutral": {"ticket": 4}}, "neutral.ticket: ticket 4 does not name a route with two free"),
        (
            CHOOSING | {"neutral": {"ticket": 30}, "owned": {ROUTE_OF_30[0]: 0}},
            "neutral.ticket: ticket 30 does not name",
        ),
        (
            CHOOSING | {"neutral": {"ticket": 30}, "owned": dict.fromkeys(filler(38), "neutral")},
            "neutral.ticket: the route of ticket 30 is longer than the neutral trains",
        ),
        (
            {"phase": "keep_tickets", "offered": [[1, 2, 3, 4, 5, 6]]},
            "seats[0].offered: at most 5 tickets are on offer",
        ),
        ({"phase": "second_card", "face_up": {}, "rest": 1}, "phase: in second_card the player must have a legal"),
    ],
    ids=str,
)
def test_a_position_that_cannot_be_is_refused(where: dict[str, Any], message: str) -> None:
    with pytest.raises(SnapshotError, match="^" + re.escape(message)):
        Game.from_snapshot(position(**where))


@pytest.mark.parametrize("key", TURN)
def test_every_key_is_needed(key: str) -> None:
    with pytest.raises(SnapshotError, match=f"^snapshot: '{key}' is missing"):
        Game.from_snapshot(changed(TURN, key, DELETE))


def test_unknown_keys_are_refused() -> None:
    with pytest.raises(SnapshotError, match=r"^snapshot: 'dek' is unknown; did you mean 'deck'\?"):
        Game.from_snapshot(TURN | {"dek": {}})


@pytest.mark.parametrize("snapshot", [None, [], "{}", 7], ids=repr)
def test_a_snapshot_is_a_dictionary(snapshot: Any) -> None:
    with pytest.raises(SnapshotError, match=r"^snapshot: a dictionary is needed"):
        Game.from_snapshot(snapshot)


def test_an_information_state_is_no_snapshot() -> None:
    with pytest.raises(SnapshotError, match=r"^snapshot: 'rng' is missing"):
        Game.from_snapshot(Game(seed=0).information_state(0))
