"""Sanity of the reference itself: random games end and lose nothing on the way; corner cases by hand."""

import json
import random
from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest

from .board import CARDS, board, board_of
from .claims import ROUTE_POINTS
from .rules import ReferenceGame
from .state import no_cards

VARIANTS = [
    pytest.param({"players": players, "tolls": tolls}, id=f"{players}-players-{'tolls' if tolls else 'free'}")
    for players in (2, 3, 4, 5)
    for tolls in (True, False)
]
VARIANTS.append(pytest.param({"players": 2, "neutral_player": True}, id="neutral-player"))
VARIANTS += [pytest.param({"map": "nordic", "players": players}, id=f"nordic-{players}") for players in (2, 3)]
VARIANTS += [pytest.param({"map": "usa", "players": players}, id=f"usa-{players}") for players in (2, 3, 4, 5)]

TICKETS = board("nederland").tickets

Snapshot = dict[str, Any]
Policy = Callable[[ReferenceGame, random.Random], dict[str, Any]]


def check_cards(s: Snapshot) -> None:
    piles = [s["deck"], s["discard"], s["face_up"], *(seat["hand"] for seat in s["seats"])]
    if s["phase"] == "tunnel":
        piles.append(s["pending"]["turned_up"])
    for card in CARDS:
        assert sum(pile[card] for pile in piles) == (14 if card == "locomotive" else 12)
        assert all(pile[card] >= 0 for pile in piles)
    for seat in s["seats"]:
        assert all(0 <= seat["known"][card] <= seat["hand"][card] for card in CARDS)
    assert sum(s["face_up"].values()) == 5 or not any((*s["deck"].values(), *s["discard"].values()))


def check_tickets(s: Snapshot) -> None:
    lists = [s["ticket_pile"], s["ticket_discard"]]
    lists += [seat[key] for seat in s["seats"] for key in ("tickets", "offered")]
    if s["phase"] == "neutral":
        lists.append([s["neutral"]["ticket"]])
    assert sorted(chain(*lists)) == list(range(len(board_of(s).tickets)))
    refused = [seat["refused"] for seat in s["seats"]]
    assert all(ids == sorted(ids) for ids in lists + refused)
    assert set(chain(*refused)) <= set(s["ticket_discard"])


def check_trains(s: Snapshot) -> None:
    numbers = board_of(s).numbers
    for player, seat in enumerate(s["seats"]):
        lengths = lengths_of(s, player)
        assert seat["trains"] >= 0 and seat["trains"] + sum(lengths) == numbers.trains
        assert seat["points"] == player * numbers.staggered + sum(ROUTE_POINTS[length] for length in lengths)
    if s["neutral"]:
        assert s["neutral"]["trains"] >= 0 and s["neutral"]["trains"] + sum(lengths_of(s, "neutral")) == 40


def lengths_of(s: Snapshot, owner: int | str) -> list[int]:
    return [track.length for track, other in zip(board_of(s).tracks, s["owners"], strict=True) if other == owner]


def any_action(game: ReferenceGame, rng: random.Random) -> dict[str, Any]:
    return rng.choice(game.legal())


def hoard(game: ReferenceGame, rng: random.Random) -> dict[str, Any]:
    """Claim only if nothing else is legal: deck, row and ticket pile all run dry."""
    legal = game.legal()
    return rng.choice([action for action in legal if action["kind"] != "claim"] or legal)


def play_checked(game: ReferenceGame, policy: Policy, rng: random.Random) -> int:
    decisions = 0
    while game.phase != "over":
        position = game.snapshot()
        for check in (check_cards, check_tickets, check_trains):
            check(position)
        game.apply(policy(game, rng))
        decisions += 1
    return decisions


@pytest.mark.slow
@pytest.mark.parametrize("policy", [any_action, hoard])
@pytest.mark.parametrize("variant", VARIANTS)
def test_random_games_end_and_add_up(variant: dict[str, Any], policy: Policy) -> None:
    rng = random.Random(1)
    for seed in range(3):
        game = ReferenceGame.new(seed=seed, **variant)
        assert play_checked(game, policy, rng) > 20
        assert (game.player, game.legal()) == (-1, [])
        result = game.result()
        assert result["winners"]
        for seat in result["seats"]:
            parts = ("routes", "start", "tickets", "tickets_failed", "toll_bonus", "loans")
            parts += ("longest_path", "most_tickets")
            assert seat["total"] == sum(seat[part] for part in parts)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_snapshot_is_json_and_plays_on_identically(variant: dict[str, Any]) -> None:
    rng = random.Random(2)
    game = ReferenceGame.new(seed=3, **variant)
    while game.phase != "over":
        twin = ReferenceGame.from_snapshot(json.loads(json.dumps(game.snapshot())))
        action = rng.choice(game.legal())
        for one in (game, twin):
            one.apply(action)
        assert twin.snapshot() == game.snapshot()


def test_illegal_actions_and_options_are_refused() -> None:
    with pytest.raises(ValueError, match="illegal"):
        ReferenceGame.new().apply({"kind": "pass"})
    with pytest.raises(ValueError, match="not over"):
        ReferenceGame.new().result()
    with pytest.raises(ValueError, match="neutral"):
        ReferenceGame.new(players=3, neutral_player=True)


# From here on corner cases, each from a position made by hand.


def at_first_turn(**options: Any) -> Snapshot:
    """The position when all seats have kept their whole offer."""
    game = ReferenceGame.new(**options)
    while game.phase == "keep_tickets":
        game.apply(game.legal()[-1])
    return game.snapshot()


def cards_of(**counts: int) -> dict[str, int]:
    return {**no_cards(), **counts}


def after(position: Snapshot, *actions: dict[str, Any]) -> Snapshot:
    game = ReferenceGame.from_snapshot(position)
    for action in actions:
        game.apply(action)
    return game.snapshot()


def claim(track: int, card: str, locomotives: int = 0) -> dict[str, Any]:
    return {"kind": "claim", "track": track, "card": card, "locomotives": locomotives}


def without_deck(position: Snapshot, **face_up: int) -> Snapshot:
    return {**position, "deck": no_cards(), "discard": no_cards(), "face_up": cards_of(**face_up)}


def test_B4_a_claim_frees_a_stuck_row() -> None:
    position = without_deck(at_first_turn(), locomotive=4, red=1)
    position["seats"][0]["hand"] = cards_of(red=6)
    stuck = after(position, {"kind": "draw_face_up", "card": "red"})
    assert stuck["face_up"] == cards_of(locomotive=4)
    freed = after(position, claim(2, "red"))
    assert freed["face_up"]["locomotive"] < 3
    assert sum(freed["face_up"].values()) == 5


def test_B5_the_turn_ends_when_only_locomotives_are_left_to_take() -> None:
    position = without_deck(at_first_turn(), locomotive=1, red=1)
    left = after(position, {"kind": "draw_face_up", "card": "red"})
    assert (left["phase"], left["player"]) == ("turn", 1)
    assert left["seats"][0]["known"] == cards_of(red=1)


def test_B5_a_claim_refills_a_short_row() -> None:
    position = without_deck(at_first_turn(), blue=1)
    position["seats"][0]["hand"] = cards_of(white=2)
    position["seats"][0]["known"] = cards_of(white=1)
    refilled = after(position, claim(0, "white"))
    assert refilled["face_up"] == cards_of(blue=1, white=2)
    assert refilled["seats"][0]["known"] == no_cards()


def test_B9_everybody_has_one_last_turn() -> None:
    position = at_first_turn(players=3)
    position["seats"][0].update(trains=4, hand=cards_of(white=2))
    position = after(position, claim(0, "white"))
    assert (position["turns_left"], position["player"]) == (3, 1)
    for _ in range(3):
        position = after(position, *[{"kind": "draw_deck"}] * 2)
    assert (position["turns_left"], position["phase"], position["round"]) == (0, "over", 2)


def test_B12_all_pass_and_the_game_is_over() -> None:
    position = without_deck(at_first_turn(players=3))
    position.update(ticket_pile=[], ticket_discard=[])
    for seat in position["seats"]:
        seat["hand"] = no_cards()
    passed = after(position, *[{"kind": "pass"}] * 3)
    assert (passed["passes"], passed["phase"], passed["turns_left"]) == (3, "over", None)


def test_N2_the_discard_pile_comes_back_in_the_middle_of_a_draw() -> None:
    position = at_first_turn(neutral_player=True)
    position.update(ticket_pile=[40], ticket_discard=[41, 42])
    position["seats"][1]["refused"] = [42]
    drawn = after(position, {"kind": "draw_tickets"})
    assert drawn["seats"][0]["offered"] == [40, 41, 42]
    assert drawn["seats"][1]["refused"] == []
    assert not drawn["neutral"]["active"]


def test_N5_a_loan_pays_nothing_and_the_bank_pays_the_owner() -> None:
    position = at_first_turn()
    position["owners"][2] = 1
    position["seats"][0].update(tolls=3, hand=cards_of(yellow=5, locomotive=1))
    seats = after(position, claim(3, "yellow", 1))["seats"]
    assert [(seat["tolls"], seat["loans"]) for seat in seats] == [(3, 1), (34, 0)]


def test_N7_ties_share_a_rank_and_loans_are_not_ranked() -> None:
    position = {**at_first_turn(players=4), "phase": "over", "player": -1}
    for seat, (tolls, loans) in zip(position["seats"], [(9, 0), (9, 0), (3, 1), (1, 0)], strict=True):
        seat.update(tolls=tolls, loans=loans)
    result = ReferenceGame.from_snapshot(position).result()
    assert [seat["toll_bonus"] for seat in result["seats"]] == [55, 55, 0, 20]


def neutral_turns_up(ticket: int | None, owners: dict[int, Any], trains: int = 40) -> Snapshot:
    """Round 6 is over and the neutral player's pile holds this ticket alone."""
    position = {**at_first_turn(neutral_player=True), "round": 6, "player": 1}
    position["ticket_pile"] = [] if ticket is None else [ticket]
    position["ticket_discard"] = [43]
    position["neutral"]["trains"] = trains
    for track, owner in owners.items():
        position["owners"][track] = owner
    return after(position, *[{"kind": "draw_deck"}] * 2)


EINDHOVEN_ROERMOND = (58, 59)  # length 3, toll 3; at the bottom of ticket 0


def test_N11_every_route_of_a_ticket_is_a_double() -> None:
    assert {len(ticket.neutral_tracks) for ticket in TICKETS} == {0, 2}
    assert sum(bool(ticket.neutral_tracks) for ticket in TICKETS) == 35
    assert TICKETS[0].neutral_tracks == EINDHOVEN_ROERMOND


@pytest.mark.parametrize(
    "ticket, owners, trains, active, placed, paid",
    [
        pytest.param(None, {}, 40, False, 0, 0, id="1-empty-pile"),
        pytest.param(4, {}, 40, True, 0, 0, id="2-blank"),
        pytest.param(0, {58: "neutral", 59: 0}, 40, True, 0, 0, id="3-owned"),
        pytest.param(0, {58: 1, 59: 0}, 40, True, 0, 0, id="3-both-taken"),
        pytest.param(0, {58: 0}, 2, False, 0, 0, id="4-too-few-trains"),
        pytest.param(0, {}, 2, False, 0, 0, id="4-too-few-trains-both-free"),
        pytest.param(0, {58: 0}, 3, True, 3, 3, id="5-one-taken"),
    ],
)
def test_N11_cases_without_a_choice(
    ticket: int | None, owners: dict[int, Any], trains: int, active: bool, placed: int, paid: int
) -> None:
    position = neutral_turns_up(ticket, owners, trains)
    neutral = {"trains": trains - placed, "marker": 1, "active": active, "ticket": None}
    assert position["neutral"] == neutral
    assert position["seats"][0]["tolls"] == 30 + paid
    assert (position["phase"], position["player"], position["round"]) == ("turn", 0, 7)
    if ticket is None:
        assert (position["ticket_pile"], position["ticket_discard"]) == ([43], [])
    else:
        assert (position["ticket_pile"], position["ticket_discard"]) == ([], sorted([ticket, 43]))


def test_N11_case_6_the_holder_chooses() -> None:
    position = neutral_turns_up(0, {})
    assert (position["phase"], position["player"], position["round"]) == ("neutral", 1, 6)
    assert position["neutral"]["ticket"] == 0
    chosen = after(position, {"kind": "neutral_claim", "track": 59})
    assert chosen["owners"][59] == "neutral"
    assert chosen["neutral"] == {"trains": 37, "marker": 0, "active": True, "ticket": None}
    assert (chosen["phase"], chosen["player"], chosen["round"]) == ("turn", 0, 7)


def test_K_others_are_counts() -> None:
    game = ReferenceGame.new(players=3)
    game.apply(game.legal()[0])
    seen, whole = game.information_state(1), game.snapshot()
    assert "rng" not in seen
    assert (seen["ticket_discard"], seen["ticket_pile"], seen["deck"]) == (2, 29, 93)
    assert seen["seats"][1] == whole["seats"][1]
    counts = [seen["seats"][0][key] for key in ("hand", "tickets", "offered", "refused", "tolls")]
    assert counts == [4, 3, 0, 2, None]
