"""S4 to S7: locomotives, ferries, tunnels and Murmansk-Lieksa."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from tests.helpers.positions import COLOURS, act, cards, game_at, legal, position, size, track
from ttr_env import Game, IllegalAction, maps

NORDIC = maps.load("nordic")
CARDS = (*COLOURS, "locomotive")
Hand = Mapping[str, int]
Payment = tuple[str, int, int]


def way(a: str, b: str, colour: str) -> int:
    return track(a, b, colour, "nordic")


PLAIN = way("Oslo", "Örebro", "green")  # 2
GREY = way("Göteborg", "Norrköping", "grey")  # 3
FERRY = way("Kristiansand", "Stavanger", "orange")  # 3, one symbol
TWO_SYMBOLS = way("Åndalsnes", "Bergen", "black")  # 5
GREY_FERRY = way("Helsinki", "Stockholm", "grey")  # 4, two symbols
TUNNEL = way("Bergen", "Oslo", "blue")  # 4
LONG = way("Lieksa", "Murmansk", "grey")  # 9


def at(hand: Hand, **where: Any) -> Game:
    return game_at(map="nordic", hands=[hand], **where)


def payments(game: Game, track_id: int) -> set[Payment]:
    here = [action for action in legal(game) if action["kind"] == "claim" and action["track"] == track_id]
    return {(action["card"], action["locomotives"], action["sets"]) for action in here}


def claim(game: Game, track_id: int, card: str, locomotives: int = 0, sets: int = 0) -> dict[str, Any]:
    return act(game, "claim", track=track_id, card=card, locomotives=locomotives, sets=sets)


# S4 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "track_id", "expected"),
    [
        ({"green": 2, "locomotive": 3}, PLAIN, {("green", 0, 0)}),
        ({"green": 1, "locomotive": 3}, PLAIN, set()),
        ({"locomotive": 9}, PLAIN, set()),
        ({"red": 3, "blue": 4, "locomotive": 3}, GREY, {("red", 0, 0), ("blue", 0, 0)}),
        ({"red": 2, "locomotive": 3}, GREY, set()),
        ({"locomotive": 9}, GREY, set()),
    ],
)
def test_S4_locomotives_do_not_pay_for_plain_tracks(hand: Hand, track_id: int, expected: set[Payment]) -> None:
    assert payments(at(hand), track_id) == expected


def test_S4_locomotives_pay_for_tunnels_and_ferries() -> None:
    hand = {"blue": 3, "orange": 2, "locomotive": 4}
    assert payments(at(hand), TUNNEL) == {("blue", 1, 0), ("blue", 2, 0), ("blue", 3, 0), ("locomotive", 4, 0)}
    assert ("orange", 1, 0) in payments(at(hand), FERRY)


# S5 -------------------------------------------------------------------------------------------


def test_S5_a_symbol_wants_a_locomotive_or_a_set() -> None:
    assert payments(at({"orange": 3}), FERRY) == set()
    assert payments(at({"orange": 2, "locomotive": 1}), FERRY) == {("orange", 1, 0)}
    assert payments(at({"orange": 5}), FERRY) == {("orange", 0, 1)}  # three of the colour itself as a set


def test_S5_sets_may_cover_coloured_spaces_too() -> None:
    ways = payments(at({"red": 5, "white": 4}), FERRY)
    assert ways == {("locomotive", 0, 3)}


def test_S5_cards_of_sets_are_chosen_one_at_a_time() -> None:
    game = at({"orange": 4, "red": 2, "locomotive": 1})
    state = claim(game, FERRY, "orange", sets=1)
    assert (state["phase"], state["player"]) == ("set", 0)
    assert state["pending"] == {
        "kind": "set",
        "track": FERRY,
        "card": "orange",
        "locomotives": 0,
        "sets": 1,
        "chosen": cards(),
        "left": 3,
    }
    assert legal(game) == [{"kind": "set_card", "card": card} for card in ("orange", "red", "locomotive")]
    act(game, "set_card", card="red")
    state = act(game, "set_card", card="locomotive")  # locomotives may be among them
    assert (state["pending"]["chosen"], state["pending"]["left"]) == (cards({"red": 1, "locomotive": 1}), 1)
    assert state["seats"][0]["hand"] == cards({"orange": 4, "red": 2, "locomotive": 1})  # still in the hand
    state = act(game, "set_card", card="orange")  # so may cards of the colour
    assert (state["phase"], state["player"], state["pending"]) == ("turn", 1, None)
    assert state["seats"][0]["hand"] == cards({"orange": 1, "red": 1})
    assert state["discard"] == cards({"orange": 3, "red": 1, "locomotive": 1})
    assert (state["owners"][FERRY], state["seats"][0]["trains"], state["seats"][0]["points"]) == (0, 37, 4)


def test_S5_what_is_paid_already_cannot_be_in_a_set() -> None:
    game = at({"orange": 2, "red": 3})
    claim(game, FERRY, "orange", sets=1)
    assert legal(game) == [{"kind": "set_card", "card": "red"}]
    with pytest.raises(IllegalAction, match="the hand does not hold these cards"):
        game.step(game.index({"kind": "set_card", "card": "orange"}))


def all_hands(kinds: Iterable[str], most: int) -> Iterable[Hand]:
    for number in range(most + 1):
        for hand in combinations_with_replacement(list(kinds), number):
            yield Counter(hand)


def brute_force(hand: Hand, track_id: int, set_size: int) -> set[Payment]:
    """Every payment that can be laid out: cards and locomotives are taken away, and sets formed of what is left."""
    it = NORDIC.tracks[track_id]
    found = set()
    for in_colour, locomotives in product(range(it.length + 1), repeat=2):
        sets = it.length - in_colour - locomotives
        if sets < 0 or locomotives + sets < it.ferry or (locomotives and not it.ferry):
            continue
        for card in COLOURS if it.colour == "grey" else (it.colour,):
            pile = [each for each, number in hand.items() for _ in range(number)]
            try:
                for used in [card] * in_colour + ["locomotive"] * locomotives:
                    pile.remove(used)
                for _ in range(sets * set_size):
                    pile.pop()
            except (ValueError, IndexError):
                continue
            found.add((card if in_colour else "locomotive", locomotives, sets))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("track_id", [i for i, it in enumerate(NORDIC.tracks) if it.ferry])
def test_S5_every_payment_of_a_ferry_and_no_other(track_id: int) -> None:
    """All hands of up to six cards of the colour, two others and locomotives, and large ones at random."""
    colour = NORDIC.tracks[track_id].colour
    colour = "red" if colour == "grey" else colour
    others = [card for card in ("white", "green", "yellow") if card != colour][:2]
    chance = random.Random(track_id)
    large = [Counter(chance.choices([*CARDS, colour, "locomotive"], k=chance.randint(7, 25))) for _ in range(60)]
    for hand in [*all_hands([colour, *others, "locomotive"], 6), *large]:
        if all(number <= 12 for number in hand.values()):
            assert payments(at(hand, face_up={}), track_id) == brute_force(hand, track_id, set_size=3), hand


# S6 -------------------------------------------------------------------------------------------


def at_tunnel(hand: Hand, turned_up: Hand, card: str = "blue", locomotives: int = 0, **where: Any) -> Game:
    """A claim of the tunnel at which just these cards were turned up."""
    game = at(hand, deck=turned_up, rest="discard", face_up={}, **where)
    claim(game, TUNNEL, card, locomotives)
    return game


def test_S6_nothing_asked_for_the_track_is_claimed_at_once() -> None:
    game = at_tunnel({"blue": 4}, {"red": 2, "green": 1})
    state = game.snapshot()
    assert (state["owners"][TUNNEL], state["player"], state["pending"]) == (0, 1, None)
    assert size(state["seats"][0]["hand"]) == 0


def test_S6_the_colour_and_locomotives_ask_for_more() -> None:
    game = at_tunnel({"blue": 6, "locomotive": 2}, {"blue": 1, "red": 1, "locomotive": 1})
    pending = game.snapshot()["pending"]
    turned_up = cards({"blue": 1, "red": 1, "locomotive": 1})
    assert pending == {
        "kind": "tunnel",
        "track": TUNNEL,
        "card": "blue",
        "locomotives": 0,
        "turned_up": turned_up,
        "extra": 2,
    }
    assert game.phase == "tunnel"
    pays = [{"kind": "tunnel_pay", "locomotives": number} for number in (0, 1, 2)]
    assert legal(game) == [*pays, {"kind": "tunnel_decline"}]


def test_S6_the_player_chooses_how_many_of_the_extra_cards_are_locomotives() -> None:
    game = at_tunnel({"blue": 6, "locomotive": 2}, {"blue": 1, "red": 1, "locomotive": 1})
    state = act(game, "tunnel_pay", locomotives=1)
    assert state["owners"][TUNNEL] == 0
    assert state["seats"][0]["hand"] == cards({"blue": 1, "locomotive": 1})
    assert (state["phase"], state["player"], state["pending"]) == ("turn", 1, None)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ({"blue": 5, "locomotive": 1}, {1}),
        ({"blue": 4, "locomotive": 2}, {2}),
        ({"blue": 6}, {0}),
        ({"blue": 5}, set()),
        ({"blue": 4, "locomotive": 1}, set()),
        ({"blue": 4, "red": 8}, set()),
    ],
)
def test_S6_who_cannot_pay_must_decline(hand: Hand, expected: set[int]) -> None:
    game = at_tunnel(hand, {"blue": 1, "locomotive": 1, "red": 1})
    pays = {action["locomotives"] for action in legal(game) if action["kind"] == "tunnel_pay"}
    assert pays == expected
    assert legal(game)[-1] == {"kind": "tunnel_decline"}


def test_S6_locomotives_alone_fear_locomotives_alone() -> None:
    game = at_tunnel({"locomotive": 5, "blue": 4}, {"blue": 3}, "locomotive", 4)
    assert game.snapshot()["owners"][TUNNEL] == 0
    game = at_tunnel({"locomotive": 5, "blue": 4}, {"blue": 2, "locomotive": 1}, "locomotive", 4)
    assert legal(game) == [{"kind": "tunnel_pay", "locomotives": 1}, {"kind": "tunnel_decline"}]
    with pytest.raises(IllegalAction, match="nothing but locomotives"):
        game.step(game.index({"kind": "tunnel_pay", "locomotives": 0}))
    with pytest.raises(IllegalAction, match="does not ask for so many"):
        game.step(game.index({"kind": "tunnel_pay", "locomotives": 2}))


def test_S6_nothing_else_can_be_done_at_a_tunnel() -> None:
    game = at_tunnel({"blue": 6}, {"blue": 1, "red": 2})
    for form in ({"kind": "draw_deck"}, {"kind": "draw_tickets"}, {"kind": "pass"}):
        with pytest.raises(IllegalAction, match="the phase is tunnel"):
            game.step(game.index(form))


def test_S6_declining_ends_the_turn_and_the_cards_come_back() -> None:
    game = at_tunnel({"blue": 5, "locomotive": 1}, {"blue": 3}, locomotives=1)
    before = game.snapshot()
    state = act(game, "tunnel_decline")
    assert (state["phase"], state["player"], state["pending"], state["passes"]) == ("turn", 1, None, 0)
    assert state["seats"][0]["hand"] == before["seats"][0]["hand"] == cards({"blue": 5, "locomotive": 1})
    assert state["owners"][TUNNEL] is None
    assert size(state["discard"]) == size(before["discard"]) + 3


def test_K_the_cards_shown_at_a_declined_tunnel_are_known() -> None:
    game = at_tunnel({"blue": 5, "locomotive": 1}, {"blue": 3}, locomotives=1, known=[{"blue": 1}])
    assert act(game, "tunnel_decline")["seats"][0]["known"] == cards({"blue": 3, "locomotive": 1})


def test_S6_turned_up_cards_are_in_no_pile_and_not_shuffled_in_again() -> None:
    """The deck gives one card, the discards the second; then there is none."""
    game = at({"blue": 4}, deck={"locomotive": 1}, discard={"red": 1}, rest=1, face_up={"white": 5})
    claim(game, TUNNEL, "blue")
    state = game.snapshot()
    assert state["pending"]["turned_up"] == cards({"locomotive": 1, "red": 1})
    assert size(state["deck"]) == size(state["discard"]) == 0
    state = act(game, "tunnel_decline")
    assert state["discard"] == cards({"locomotive": 1, "red": 1})


def test_S6_with_no_card_to_turn_up_the_claim_stands_and_fills_the_row() -> None:
    game = at({"blue": 4}, rest=1, face_up={"white": 3})
    state = claim(game, TUNNEL, "blue")
    assert state["owners"][TUNNEL] == 0
    assert state["face_up"] == cards({"white": 3, "blue": 2})


# S7 -------------------------------------------------------------------------------------------


def test_S7_nine_cards_of_a_colour_or_sets_of_four() -> None:
    assert payments(at({"red": 9}), LONG) == {("red", 0, 0)}
    assert payments(at({"red": 8, "white": 3}), LONG) == set()
    assert payments(at({"red": 8, "white": 4}), LONG) == {("red", 0, 1)}
    assert payments(at({"red": 7, "white": 4, "green": 3, "locomotive": 1}), LONG) == {("red", 0, 2)}


def test_S7_a_locomotive_alone_is_no_joker() -> None:
    assert payments(at({"red": 8, "locomotive": 1}), LONG) == set()
    assert payments(at({"locomotive": 9}), LONG) == set()


def test_S7_even_all_nine_can_be_sets() -> None:
    hand = dict.fromkeys(COLOURS, 4) | {"locomotive": 4}
    game = at(hand, face_up={})
    assert ("locomotive", 0, 9) in payments(game, LONG)
    claim(game, LONG, "locomotive", sets=9)
    for card in CARDS:
        for _ in range(4):
            act(game, "set_card", card=card)
    state = game.snapshot()
    assert (state["owners"][LONG], state["seats"][0]["points"], state["seats"][0]["trains"]) == (0, 27, 31)
    assert size(state["seats"][0]["hand"]) == 0


def test_S7_every_payment_and_no_other() -> None:
    chance = random.Random(7)
    for _ in range(400):
        kinds = chance.sample(CARDS, chance.randint(1, 9))
        hand = Counter(chance.choices(kinds, k=chance.randint(6, 45)))
        if all(number <= 12 for number in hand.values()):
            assert payments(at(hand, face_up={}), LONG) == brute_force(hand, LONG, set_size=4), hand


def test_every_legal_claim_with_sets_can_be_completed() -> None:
    chance = random.Random(8)
    for _ in range(12):
        hand = Counter(chance.choices(CARDS, k=chance.randint(8, 40)))
        if max(hand.values()) > 12:
            continue
        start = position(map="nordic", hands=[hand], face_up={})
        for action in Game.from_snapshot(start).legal_actions():
            game = Game.from_snapshot(start)
            game.step(action)
            while game.phase == "set":
                game.step(chance.choice(game.legal_actions().tolist()))
            assert game.phase in ("turn", "second_card", "tunnel", "keep_tickets")


# Doubts about positions -----------------------------------------------------------------------


def test_the_whole_hand_but_the_payment_can_be_chosen_in_any_order() -> None:
    game = at({"orange": 2, "red": 1, "white": 1, "blue": 1})
    claim(game, FERRY, "orange", sets=1)
    ends = set()
    for order in (("red", "white", "blue"), ("blue", "white", "red"), ("white", "blue", "red")):
        copy = game.copy()
        for card in order:
            act(copy, "set_card", card=card)
        ends.add(str(copy.snapshot()))
    assert len(ends) == 1
