"""Snapshots of claims that wait (S5 to S7): JSON and back, and damaged ones refused by the name of the field."""

import copy
import json
from typing import Any

import pytest

from tests.helpers.positions import Snapshot, act, cards, game_at, position, track
from ttr_env import Game, SnapshotError

FERRY = track("Kristiansand", "Stavanger", "orange", "nordic")
TUNNEL = track("Bergen", "Oslo", "blue", "nordic")


def at_set() -> Snapshot:
    game = game_at(map="nordic", hands=[{"orange": 2, "red": 4}])
    act(game, "claim", track=FERRY, card="orange", locomotives=0, sets=1)
    return act(game, "set_card", card="red")


def at_tunnel() -> Snapshot:
    game = game_at(map="nordic", hands=[{"blue": 6}], deck={"blue": 1, "red": 2}, rest="discard", face_up={})
    return act(game, "claim", track=TUNNEL, card="blue", locomotives=0, sets=0)


@pytest.mark.parametrize("make", [at_set, at_tunnel])
def test_back_through_json(make: Any) -> None:
    state = make()
    game = Game.from_snapshot(json.loads(json.dumps(state)))
    assert game.snapshot() == state
    assert game.phase == state["pending"]["kind"]
    game.step(game.legal_actions()[0])


def changed(state: Snapshot, path: str, value: Any) -> Snapshot:
    result = copy.deepcopy(state)
    *way, last = path.split(".")
    inner: Any = result
    for name in way:
        inner = inner[name]
    inner[last] = value
    return result


@pytest.mark.parametrize(
    ("make", "path", "value", "says"),
    [
        (at_set, "pending", None, "pending: a dictionary is needed"),
        (at_set, "pending.kind", "tunnel", "pending.kind: 'set' is needed in this phase"),
        (at_set, "pending.left", 1, "pending.left: 2 is needed, not 1"),
        (at_set, "pending.sets", 2, "pending"),
        (at_set, "pending.sets", 0, "pending"),
        (at_set, "pending.card", "red", "pending: .* is no action on Nordic"),
        (at_set, "pending.card", 7, "pending: a claim action cannot have the card 7"),
        (at_set, "pending.track", 500, "pending: .* is no action on Nordic"),
        (at_set, "pending.chosen", cards({"red": 5}), "pending: 5 red cards are laid down, and 4 are in the hand"),
        (at_set, "pending.chosen", cards({"red": 3}), "pending.left: nothing is left to decide"),
        (at_set, "pending.chosen", {"red": 1}, "pending.chosen: 'purple' is missing"),
        (at_set, "pending.extra", 1, "pending: 'extra' is unknown"),
        (at_set, "phase", "turn", "pending: in phase turn no claim is pending"),
        (at_tunnel, "pending.extra", 2, "pending.extra: 1 is needed, not 2"),
        (at_tunnel, "pending.turned_up", cards({"blue": 1, "red": 1}), "deck.red: .* pending.turned_up hold"),
        (at_tunnel, "pending.turned_up", cards({"red": 3}), "deck.blue"),
        (at_tunnel, "pending.track", FERRY, "pending"),
        (at_tunnel, "phase", "set", "pending"),
    ],
)
def test_a_damaged_claim_is_refused(make: Any, path: str, value: Any, says: str) -> None:
    with pytest.raises(SnapshotError, match=says):
        Game.from_snapshot(changed(make(), path, value))


def test_a_claim_that_was_never_legal_is_refused() -> None:
    state = at_set()
    state["owners"][FERRY] = 1
    state["seats"][1]["trains"] -= 3
    with pytest.raises(SnapshotError, match="pending: the claim of track 44 is not legal here"):
        Game.from_snapshot(state)


def test_turned_up_cards_are_three_while_there_are_any() -> None:
    state = at_tunnel()
    state["pending"]["turned_up"] = cards({"blue": 1})
    state["discard"]["red"] += 2
    with pytest.raises(SnapshotError, match=r"pending\.turned_up: 3 cards are turned up"):
        Game.from_snapshot(state)


@pytest.mark.parametrize("phase", ["tunnel", "set"])
def test_maps_without_them_do_not_know_these_phases(phase: str) -> None:
    with pytest.raises(SnapshotError, match=f"phase: '{phase}' is unknown"):
        Game.from_snapshot(position(map="usa", phase=phase))


def test_K_a_waiting_claim_is_open_to_all() -> None:
    for make in (at_set, at_tunnel):
        game = Game.from_snapshot(make())
        assert game.information_state(1)["pending"] == game.snapshot()["pending"]
        assert game.information_state(1)["seats"][0]["hand"] == 6
