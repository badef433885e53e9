"""Dealing anew what a player cannot see: nothing known changes, and all that is possible comes up as it should."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest

from tests.helpers.positions import ALL_CARDS, MAP, Snapshot, act, game_at, total
from tests.helpers.variants import EVERYWHERE, variant_name
from tests.helpers.walks import play_on, positions
from ttr_env import Game

TICKETS = range(len(MAP.tickets))
every_variant = pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)


# What the player knows ------------------------------------------------------------------------


def all_cards(state: Snapshot) -> dict[str, int]:
    turned_up = state["pending"].get("turned_up", {}) if state["pending"] else {}
    hands = [seat["hand"] for seat in state["seats"]]
    return total(state["deck"], state["discard"], state["face_up"], turned_up, *hands)


def all_tickets(state: Snapshot) -> list[int]:
    turned_up = [] if state["neutral"] is None or state["neutral"]["ticket"] is None else [state["neutral"]["ticket"]]
    held = [ticket for seat in state["seats"] for ticket in seat["tickets"] + seat["offered"]]
    return sorted(state["ticket_pile"] + state["ticket_discard"] + held + turned_up)


@every_variant
def test_nothing_that_a_player_knows_changes(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(1)
    for game in positions(options, seed=1):
        before = game.snapshot()
        for player in range(game.players):
            dealt = game.determinize(player, rng)
            assert dealt.information_state(player) == game.information_state(player)
            assert game.snapshot() == before


@pytest.mark.slow
@every_variant
def test_all_cards_and_tickets_are_still_there_and_tolls_stay(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(2)
    for game in positions(options, seed=2):
        tolls = [seat["tolls"] for seat in game.snapshot()["seats"]]
        for player in range(game.players):
            state = game.determinize(player, rng).snapshot()
            assert all_cards(state) == ALL_CARDS
            assert all_tickets(state) == list(range(len(game.map.tickets)))
            assert [seat["tolls"] for seat in state["seats"]] == tolls
            assert Game.from_snapshot(state).snapshot() == state


@pytest.mark.slow
@every_variant
def test_the_game_goes_on_to_its_end(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(3)
    for game in positions(options, seed=3, every=150):
        for player in range(game.players):
            end = play_on(game.determinize(player, rng)).snapshot()
            assert end["phase"] == "over"
            assert all_cards(end) == ALL_CARDS


@every_variant
def test_what_is_hidden_does_change(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(4)
    game = Game(seed=4, **options)
    for player in range(game.players):
        dealt = game.determinize(player, rng).snapshot()
        for seat, true in enumerate(game.snapshot()["seats"]):
            for field in ("hand", "offered"):
                assert (dealt["seats"][seat][field] == true[field]) == (seat == player)
        assert dealt["rng"] != game.snapshot()["rng"]


# Frequencies ----------------------------------------------------------------------------------


def agree(seen: Counter[Any], ways: Mapping[Any, int]) -> None:
    """Outcomes come up in proportion to their ways: Pearson's chi-squared test."""
    assert set(seen) == set(ways)
    scale = seen.total() / sum(ways.values())
    assert min(ways.values()) * scale > 20, "too few samples for the test"
    statistic = sum((seen[outcome] - scale * n) ** 2 / (scale * n) for outcome, n in ways.items())
    free = len(ways) - 1
    assert statistic < free + 4 * math.sqrt(2 * free)


def sample(game: Game, player: int, times: int, outcome: Callable[[Snapshot], Hashable]) -> Counter[Any]:
    rng = np.random.default_rng(5)
    return Counter(outcome(game.determinize(player, rng).snapshot()) for _ in range(times))


def hand(state: Snapshot, seat: int) -> tuple[str, ...]:
    return tuple(card for card, number in state["seats"][seat]["hand"].items() for _ in range(number))


def deals(pool: Iterable[Any], *sizes: int) -> Counter[Any]:
    """In how many ways the pool's things can be dealt into sorted hands of these sizes; the rest is left over."""
    ways: Counter[Any] = Counter()
    for order in permutations(pool):
        ends = np.cumsum((0, *sizes)).tolist()
        hands = [tuple(sorted(order[i:j])) for i, j in pairwise(ends)]
        ways[tuple(hands)] += 1
    return ways


def test_unknown_cards_of_others_come_from_all_unseen_ones() -> None:
    # Unseen by seat 0: two red ones, a blue, a green and a locomotive. Seat 1 holds two of them, seat 2 one.
    game = game_at(
        players=3,
        hands=[{"black": 3}, {"yellow": 2, "red": 1, "blue": 1}, {"locomotive": 1, "white": 1}],
        known=[{}, {"yellow": 2}, {"white": 1}],
        deck={"red": 1, "green": 1},
        rest="discard",
    )

    def unknown(state: Snapshot) -> Hashable:
        one, two = Counter(hand(state, 1)), Counter(hand(state, 2))
        one.subtract(["yellow", "yellow"])
        two.subtract(["white"])
        return tuple(sorted(one.elements())), tuple(sorted(two.elements()))

    agree(sample(game, 0, 4000, unknown), deals(["red", "red", "blue", "green", "locomotive"], 2, 1))


def test_the_number_of_a_colour_in_a_hand_is_hypergeometric() -> None:
    game = Game("nederland", players=4, seed=6)
    state = game.snapshot()
    unseen = 110 - 4 - 5
    red = 12 - state["seats"][0]["hand"]["red"] - state["face_up"]["red"]
    ways = {n: math.comb(red, n) * math.comb(unseen - red, 4 - n) for n in range(2)}
    ways[2] = math.comb(unseen, 4) - sum(ways.values())  # two or more
    for seat in (1, 2, 3):
        agree(sample(game, 0, 2000, lambda state, seat=seat: min(2, state["seats"][seat]["hand"]["red"])), ways)


def tickets_of(state: Snapshot, seat: int, field: str = "tickets") -> tuple[int, ...]:
    return tuple(state["seats"][seat][field])


def test_tickets_of_others_come_from_all_unseen_ones() -> None:
    game = game_at(
        players=3,
        tickets=[[1, 2], [10, 20], [30]],
        ticket_pile=[40, 41],
        ticket_rest="discard",
        rest="discard",
    )
    seen = sample(game, 0, 4000, lambda state: (tickets_of(state, 1), tickets_of(state, 2)))
    agree(seen, deals([10, 20, 30, 40, 41], 2, 1))


def test_an_offer_to_another_is_hidden_like_its_tickets() -> None:
    game = game_at(
        phase="keep_tickets",
        player=1,
        tickets=[[1, 2], [10]],
        offered=[[], [20, 30]],
        ticket_pile=[40, 41],
        ticket_rest="discard",
    )
    seen = sample(game, 0, 4000, lambda state: (tickets_of(state, 1), tickets_of(state, 1, "offered")))
    agree(seen, deals([10, 20, 30, 40, 41], 1, 2))


def test_who_refused_a_discarded_ticket_is_known_to_that_player_alone() -> None:
    game = game_at(
        players=3,
        tickets=[[1], [2], [3]],
        ticket_discard=[10, 20, 30, 40],
        refused=[[40], [10], [20]],
    )
    for state in (game.determinize(0, np.random.default_rng(seed)).snapshot() for seed in range(20)):
        assert state["ticket_discard"] == [10, 20, 30, 40]
        assert state["seats"][0]["refused"] == [40]
    seen = sample(game, 0, 2000, lambda state: (tickets_of(state, 1, "refused"), tickets_of(state, 2, "refused")))
    agree(seen, deals([10, 20, 30], 1, 1))


def test_N2_first_choices_of_others_are_hidden_until_all_have_chosen() -> None:
    game = Game("nederland", players=3, seed=9)
    for kept in (3, 4):
        act(game, "keep_tickets", tickets=game.snapshot()["seats"][game.player]["offered"][:kept])
    mine = game.snapshot()["seats"][2]["offered"]
    unseen = [ticket for ticket in TICKETS if ticket not in mine]
    fields = [(0, "tickets", 3), (0, "refused", 2), (1, "tickets", 4), (1, "refused", 1)]
    seen: dict[Any, Counter[int]] = {field: Counter() for field in fields}
    for deal in sample(game, 2, 2500, lambda state: tuple(tickets_of(state, seat, key) for seat, key, _ in fields)):
        for field, tickets in zip(fields, deal, strict=True):
            assert len(tickets) == field[2]
            seen[field].update(tickets)
    for counts in seen.values():
        agree(counts, dict.fromkeys(unseen, 1))
    act(game, "keep_tickets", tickets=mine[:3])
    public = game.snapshot()["ticket_discard"]
    assert set(sample(game, 2, 50, lambda state: tuple(state["ticket_discard"]))) == {tuple(public)}


# Randomness -----------------------------------------------------------------------------------


def test_the_next_card_is_not_that_of_the_real_game() -> None:
    game = game_at(deck={"red": 1, "blue": 2, "green": 3}, rest="discard")
    rng = np.random.default_rng(7)
    drawn: Counter[Any] = Counter()
    for _ in range(2000):
        dealt = game.determinize(0, rng)
        dealt.step(0)
        drawn[hand(dealt.snapshot(), 0)] += 1
    agree(drawn, {("red",): 1, ("blue",): 2, ("green",): 3})


def test_the_generator_alone_decides() -> None:
    game = Game("nederland", players=4, seed=8)
    first, again, other = (game.determinize(1, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first.snapshot() == again.snapshot() != other.snapshot()


def test_wrong_arguments_are_named() -> None:
    game = Game("nederland", players=2, seed=8)
    with pytest.raises(TypeError, match="rng"):
        game.determinize(0, 7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="player"):
        game.determinize(2, np.random.default_rng(0))
