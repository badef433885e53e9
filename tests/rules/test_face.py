"""What every rule is seen through: snapshots, actions, illegal actions, the result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.helpers.positions import (
    Snapshot,
    draw_turn,
    filler,
    finished,
    game_at,
    legal,
    other,
    position,
    ticket,
    track,
)
from ttr_env import Game, IllegalAction

RED_4 = track("Amsterdam", "Rotterdam", "red")
RED_5 = track("Aarschot", "Liège", "red")
VARIANTS = [
    {"players": 2},
    {"players": 2, "neutral_player": True},
    {"players": 3, "tolls": False},
    {"players": 5},
]


def random_play(**options: Any) -> Iterator[Game]:
    """A game of random legal actions, at each of its decisions."""
    game = Game("nederland", seed=11, **options)
    choose = np.random.default_rng(5)
    while game.phase != "over":
        yield game
        game.step(choose.choice(game.legal_actions()))


# Snapshots -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "where",
    [
        position(),
        position(players=5, player=4, phase="second_card", known=[{}], tokens=[1, 2, 3, 4, 5]),
        position(neutral_player=True, owned={RED_4: "neutral", RED_5: 1}, neutral={"active": False}),
        position(turns_left=2, passes=1, owned=dict.fromkeys(filler(38), 1)),
    ],
)
def test_a_position_comes_back_as_it_was(where: Snapshot) -> None:
    assert Game.from_snapshot(where).snapshot() == where


@pytest.mark.parametrize("options", VARIANTS)
def test_a_game_plays_on_identically_from_its_snapshot(options: dict[str, Any]) -> None:
    for number, game in enumerate(random_play(**options)):
        if number % 20 == 0:
            twin = Game.from_snapshot(game.snapshot())
            for index in game.legal_actions()[:3]:
                ours, theirs = game.copy(), twin.copy()
                ours.step(index)
                theirs.step(index)
                assert ours.snapshot() == theirs.snapshot()


# Actions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", VARIANTS)
def test_describe_and_index_are_inverse_and_the_mask_marks_the_legal_ones(options: dict[str, Any]) -> None:
    seen = set()
    for game in random_play(**options):
        indices = game.legal_actions()
        assert len(indices) > 0
        assert np.array_equal(np.flatnonzero(game.action_mask()), indices)
        assert [game.index(game.describe(index)) for index in indices] == list(indices)
        actions = [str(action) for action in legal(game)]
        assert len(set(actions)) == len(actions)
        seen |= {action["kind"] for action in legal(game)}
    expected = {"draw_deck", "draw_face_up", "draw_tickets", "keep_tickets", "claim"}
    assert seen - {"neutral_claim", "pass"} == expected
    assert ("neutral_claim" in seen) == bool(options.get("neutral_player"))


# Illegal actions -------------------------------------------------------------------------------


NO_CARDS = {"face_up": {}, "rest": 1}
CLAIM = {"kind": "claim", "track": RED_4, "card": "red", "locomotives": 0}
FOUR_RED = {"hands": [{"red": 4}]}


def index_of(action: dict[str, Any]) -> int:
    """The index of an action, from a game where it is legal."""
    easy = game_at(hands=[{"red": 4}], face_up={"red": 4, "locomotive": 1})
    stuck = game_at(**NO_CARDS, ticket_rest=1)
    for game in (easy, stuck):
        for index in game.legal_actions():
            if game.describe(index).as_dict() == action:
                return int(index)
    raise AssertionError(f"{action} is legal in neither game")


@pytest.mark.parametrize(
    ("action", "where", "why"),
    [
        (CLAIM, {"hands": [{"red": 3}]}, "hand does not hold"),
        (CLAIM, FOUR_RED | {"owned": {RED_4: 1}}, "the track is taken"),
        (CLAIM, FOUR_RED | {"owned": {other(RED_4): 0}}, "other track of this double route"),
        (CLAIM, FOUR_RED | {"owned": {other(RED_4): 1}, "tolls": False}, "other track of this double route"),
        (CLAIM, FOUR_RED | {"owned": dict.fromkeys(filler(37), 0)}, "trains"),
        (CLAIM, FOUR_RED | {"phase": "second_card"}, "phase is second_card"),
        ({"kind": "draw_deck"}, NO_CARDS, "deck"),
        ({"kind": "draw_face_up", "card": "red"}, {}, "face up"),
        (
            {"kind": "draw_face_up", "card": "locomotive"},
            {"face_up": {"red": 4, "locomotive": 1}, "phase": "second_card"},
            "second card",
        ),
        ({"kind": "draw_tickets"}, {"ticket_rest": 1}, "ticket"),
        ({"kind": "pass"}, {}, "pass"),
        ({"kind": "pass"}, {"phase": "keep_tickets", "offered": [[1, 2]]}, "phase is keep_tickets"),
    ],
)
def test_an_illegal_action_says_why_and_changes_nothing(
    action: dict[str, Any], where: dict[str, Any], why: str
) -> None:
    game = game_at(**where)
    before = game.snapshot()
    with pytest.raises(IllegalAction, match=f"player 0: .*{why}"):
        game.step(index_of(action))
    assert game.snapshot() == before


@pytest.mark.parametrize(
    "where",
    [
        {"hands": [{"red": 4, "locomotive": 2}]},
        {"phase": "second_card", "face_up": {"red": 4, "locomotive": 1}},
        {"phase": "keep_tickets", "offered": [[1, 2, 3]]},
        {"phase": "keep_tickets", "setup": True, "offered": [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]},
        {"face_up": {}, "rest": 1, "ticket_rest": 1},
        {"neutral_player": True, "phase": "neutral", "player": 1, "neutral": {"ticket": 30}},
    ],
)
def test_every_action_outside_the_mask_is_refused_and_changes_nothing(where: dict[str, Any]) -> None:
    game = game_at(**where)
    before = game.snapshot()
    allowed = set(game.legal_actions().tolist())
    for index in {-1, *range(game.num_actions + 1)} - allowed:
        with pytest.raises(IllegalAction, match=f"action {index} "):
            game.step(index)
    assert game.snapshot() == before


def test_an_illegal_action_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="over"):
        finished().step(0)


# The result ------------------------------------------------------------------------------------


def test_the_result_breaks_the_score_down() -> None:
    owned = {
        RED_4: 0,
        RED_5: 1,
        track("'s-Hertogenbosch", "Breda", "white"): 1,
        track("'s-Hertogenbosch", "Eindhoven", "blue"): 1,
    }
    tickets = [
        [ticket("Amsterdam", "Rotterdam"), ticket("Groningen", "Middelburg")],
        [ticket("Breda", "Eindhoven")],
        [],
    ]
    game = finished(players=3, owned=owned, tickets=tickets, tokens=[12, 30, 12], loans=[0, 2, 0])
    nothing = {"longest_path": 0, "most_tickets": 0, "path": 0}
    assert game.result() == {
        "seats": [
            {"routes": 7, "start": 0, "tickets": 10, "tickets_failed": -34, "toll_bonus": 55, "loans": 0}
            | nothing
            | {"total": 38, "completed": 1, "rank": 2},
            {"routes": 13, "start": 1, "tickets": 7, "tickets_failed": 0, "toll_bonus": 0, "loans": -10}
            | nothing
            | {"total": 11, "completed": 1, "rank": 3},
            {"routes": 0, "start": 2, "tickets": 0, "tickets_failed": 0, "toll_bonus": 55, "loans": 0}
            | nothing
            | {"total": 57, "completed": 0, "rank": 1},
        ],
        "winners": [2],
    }


@pytest.mark.parametrize("options", VARIANTS)
def test_every_finished_game_adds_up(options: dict[str, Any]) -> None:
    for game in random_play(**options):
        last = game
    parts = (
        "routes",
        "start",
        "tickets",
        "tickets_failed",
        "toll_bonus",
        "loans",
        "longest_path",
        "most_tickets",
    )
    result = last.result()
    for seat, end in zip(result["seats"], last.snapshot()["seats"], strict=True):
        assert seat["total"] == sum(seat[part] for part in parts)
        assert seat["routes"] + seat["start"] == end["points"]
    assert result["winners"] == [n for n, seat in enumerate(result["seats"]) if seat["rank"] == 1]


def test_there_is_no_result_before_the_end() -> None:
    game = game_at(turns_left=1, player=1, owned=dict.fromkeys(filler(38), 1))
    with pytest.raises(ValueError, match="over"):
        game.result()
    draw_turn(game)
    assert set(game.result()) == {"seats", "winners"}
