"""What is said of a game: every action has a sentence of its own, and every kind of action a label and a deed."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.positions import act, game_at, track
from tests.helpers.variants import EVERYWHERE, variant_name
from tests.helpers.walks import positions
from ttr_env import Game, IllegalAction, maps
from ttr_env.actions import (
    Action,
    Claim,
    ClaimWithSets,
    DrawDeck,
    DrawFaceUp,
    DrawTickets,
    KeepTickets,
    NeutralClaim,
    Pass,
    SetCard,
    TunnelDecline,
    TunnelPay,
)
from ttr_env.engine import legal, scoring
from ttr_env.game import actions, words
from ttr_env.game.types import SeatResult
from ttr_env.maps import Map

NEDERLAND, NORDIC, USA = (maps.load(name) for name in ("nederland", "nordic", "usa"))


# Sentences ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", maps.names())
def test_every_action_of_a_map_has_a_sentence_of_its_own(name: str) -> None:
    game = Game(name, seed=1)
    indices = [*actions.table(game.map).meanings, *game.legal_actions().tolist()]  # which are keeps
    assert len({game.text(index) for index in indices}) == len(indices)


@pytest.mark.parametrize(
    "options", [EVERYWHERE[-1], *(each for each in EVERYWHERE if each["players"] == 2)], ids=variant_name
)
def test_legal_actions_are_told_apart_in_every_position(options: dict[str, Any]) -> None:
    kinds = set()
    for game in positions(options, seed=3, every=29):
        legal_actions = game.legal_actions().tolist()
        assert len({game.text(index) for index in legal_actions}) == len(legal_actions)
        kinds |= {game.describe(index).kind for index in legal_actions}
    assert ("neutral_claim" in kinds) == options["neutral_player"]
    assert ("tunnel_pay" in kinds) == (options.get("map") == "nordic")


@pytest.mark.parametrize(
    ("board", "action", "sentence"),
    [
        (NEDERLAND, DrawDeck(), "Draw a card from the deck"),
        (NEDERLAND, DrawFaceUp("orange"), "Take an orange card"),
        (NEDERLAND, DrawFaceUp("locomotive"), "Take a locomotive"),
        (NEDERLAND, DrawTickets(), "Draw tickets"),
        (NEDERLAND, Pass(), "Pass"),
        (NEDERLAND, KeepTickets((0,)), "Keep Groningen - Middelburg (34 points)"),
        (
            NEDERLAND,
            Claim(track("'s-Hertogenbosch", "Breda", "orange"), "orange", 1),
            "Claim 's-Hertogenbosch - Breda (orange track) with 1 orange and 1 locomotive",
        ),
        (
            NEDERLAND,
            NeutralClaim(track("'s-Hertogenbosch", "Breda", "orange")),
            "Put the neutral player on 's-Hertogenbosch - Breda (orange track)",
        ),
        (
            NORDIC,
            ClaimWithSets(track("Kristiansand", "Stavanger", "orange", "nordic"), "orange", 0, 1),
            "Claim Kristiansand - Stavanger (orange track) with 2 orange and 1 set",
        ),
        (NORDIC, TunnelPay(0), "Pay what the tunnel asks for with no locomotives"),
        (NORDIC, TunnelPay(1), "Pay what the tunnel asks for with 1 locomotive"),
        (NORDIC, TunnelDecline(), "Take back the cards laid down at the tunnel"),
        (NORDIC, SetCard("blue"), "Put a blue card into the set"),
    ],
)
def test_sentences(board: Map, action: Action, sentence: str) -> None:
    assert Game(board, seed=1).text(action) == sentence


def test_two_tracks_of_one_colour_are_the_first_and_the_second() -> None:
    first = next(
        index
        for index, partner in enumerate(USA.partners)
        if partner is not None and USA.tracks[index].colour == USA.tracks[partner].colour
    )
    second = USA.partners[first]
    assert second is not None
    game, length = Game(USA, seed=1), USA.tracks[first].length
    told = [game.text(Claim(index, "locomotive", length)) for index in (first, second)]
    assert "(first track)" in told[0] and told[1] == told[0].replace("first", "second")


def test_equal_tickets_are_told_apart() -> None:
    ticket = NEDERLAND.tickets[0]
    twins = dataclasses.replace(NEDERLAND, tickets=(ticket, *NEDERLAND.tickets))
    names = [words.ticket_name(twins, index) for index in (0, 1)]
    assert names == ["Groningen - Middelburg (34 points, 1 of 2)", "Groningen - Middelburg (34 points, 2 of 2)"]


def test_what_a_tunnel_asks_for_is_told_in_full_while_it_asks() -> None:
    blue = track("Bergen", "Oslo", "blue", "nordic")
    where = {"deck": {"blue": 2, "red": 1}, "rest": "discard", "face_up": {}}
    game = game_at(map="nordic", hands=[{"blue": 7, "locomotive": 1}], **where)
    act(game, "claim", track=blue, card="blue", locomotives=0, sets=0)
    told = [game.text(TunnelPay(locomotives)) for locomotives in range(4)]
    assert told == [
        "Pay 2 blue more for the tunnel",
        "Pay 1 blue and 1 locomotive more for the tunnel",
        "Pay 2 locomotives more for the tunnel",
        "Pay what the tunnel asks for with 3 locomotives",
    ]


def test_a_tunnel_paid_with_locomotives_takes_nothing_else() -> None:
    pending = {"kind": "tunnel", "card": "locomotive", "extra": 2}
    told = [words.sentence(NORDIC, TunnelPay(locomotives), pending) for locomotives in range(3)]
    assert told == [
        "Pay what the tunnel asks for with no locomotives",
        "Pay what the tunnel asks for with 1 locomotive",
        "Pay 2 locomotives more for the tunnel",
    ]


def test_a_board_of_ones_own_has_sentences_too(tiny_board: Path) -> None:
    game = Game(tiny_board, seed=1)
    indices = list(actions.table(game.map).meanings)
    assert len({game.text(index) for index in indices}) == len(indices)


@pytest.mark.parametrize(
    "action",
    [
        Claim(0, "red", 0),
        Claim(99, "red", 0),
        TunnelDecline(),
        NeutralClaim(97),
        NeutralClaim(-1),
        KeepTickets((44,)),
        KeepTickets((1, 1)),
        KeepTickets(()),
    ],
    ids=repr,
)
def test_what_is_no_action_has_no_sentence(action: Action) -> None:
    with pytest.raises(IllegalAction, match="is no action on Nederland"):
        Game(seed=1).text(action)


def test_an_index_is_checked_as_ever() -> None:
    with pytest.raises(IllegalAction, match="action 616 is out of range"):
        Game(seed=1).text(616)
    with pytest.raises(IllegalAction, match="a whole number is needed"):
        Game(seed=1).text("1")  # type: ignore[arg-type]


# Labels and deeds -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        (TunnelPay(0), "pay 2 red more, and claim it"),
        (TunnelPay(1), "pay 1 red + 1 locomotive more, and claim it"),
        (TunnelPay(2), "pay 2 locomotives more, and claim it"),
        (TunnelDecline(), "take the cards back, and end the turn"),
        (SetCard("blue"), "blue"),
        (Pass(), "pass: there is nothing else to do"),
        (DrawFaceUp("red"), "take red (2 lie there)"),
        (DrawFaceUp("blue"), "take blue"),
        (DrawDeck(), "draw a card from the deck"),
        (DrawTickets(), "draw tickets"),
    ],
)
def test_labels(choice: Action, told: str) -> None:
    state = {"pending": {"kind": "tunnel", "card": "red", "extra": 2}, "face_up": {"red": 2, "blue": 1}}
    assert words.label(NEDERLAND, choice, state) == told


def test_a_claim_with_sets() -> None:
    length = NEDERLAND.tracks[16].length
    assert words.claim_cost(NEDERLAND, ClaimWithSets(16, "red", 1, 1)) == f"{length - 2} red + 1 locomotive + 1 set"


def test_every_kind_of_action_has_words() -> None:
    for board in (NEDERLAND, NORDIC):
        for action in (*actions.table(board).meanings.values(), KeepTickets((1, 2)), NeutralClaim(1)):
            assert words.did(board, action) and words.sentence(board, action)


def test_a_deed_does_not_tell_which_tickets_were_kept() -> None:
    assert words.did(NEDERLAND, KeepTickets((1, 2))) == words.did(NEDERLAND, KeepTickets((3, 4))) == "kept 2 tickets"


# Lists that must be complete --------------------------------------------------------------------


def test_every_verdict_has_a_reason() -> None:
    assert set(words.REASONS) == set(range(legal.OUT_OF_RANGE, legal.LOCOMOTIVES_ONLY + 1))


def test_every_part_of_a_score_has_a_heading_and_a_type() -> None:
    assert tuple(words.HEADINGS) == scoring.SCORES == tuple(SeatResult.__annotations__)
    assert len(set(words.HEADINGS.values())) == len(scoring.SCORES), "no two columns are called alike"
