"""The numbering of actions: without gaps, and the same to kernels, to `Game` and to readers."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.helpers.positions import game_at
from ttr_env import Game, maps
from ttr_env.engine import layout
from ttr_env.engine.board import board
from ttr_env.engine.numbering import first, numbering
from ttr_env.game import actions
from ttr_env.maps.model import CARDS, DISCARDS
from ttr_env.maps.payments import Payment, payments

LAKES = str(Path(__file__).parents[2] / "docs" / "lakes")
every_map = pytest.mark.parametrize("name", [*maps.names(), LAKES], ids=lambda name: Path(name).name)


@every_map
def test_the_spans_follow_each_other_without_gaps(name: str) -> None:
    spans = numbering(maps.load(name))
    assert spans[0].first == 0
    assert all(one.end == other.first for one, other in pairwise(spans))
    assert all(span.count > 0 for span in spans)
    assert spans[-1].end == Game(name, seed=1).num_actions == actions.table(maps.load(name)).size


def test_the_first_actions_are_what_kernels_take_them_for() -> None:
    nordic = maps.load("nordic")
    for kind, index in {
        "draw_deck": layout.DRAW_DECK,
        "draw_face_up": layout.DRAW_FACE_UP,
        "draw_tickets": layout.DRAW_TICKETS,
        "pass": layout.PASS,
        "keep_tickets": layout.KEEP,
        "claim": layout.CLAIM,
    }.items():
        assert first(nordic, kind) == index
    assert (layout.DRAW_TICKETS, layout.PASS, layout.KEEP, layout.CLAIM) == (10, 11, 12, 43)


@every_map
def test_claims_stand_track_by_track(name: str) -> None:
    map = maps.load(name)
    record = board(map)[0]
    claims = [span for span in numbering(map) if span.kind == "claim"]
    assert [span.track for span in claims] == list(range(len(map.tracks)))
    for span, track in zip(claims, map.tracks, strict=True):
        assert span.meanings == payments(track, map.rules)
        assert (record["track_claim"][span.track], record["track_ways"][span.track]) == (span.first, span.count)
        for action, payment in span.items():
            paid = record["claim_paid"][action - layout.CLAIM].tolist()
            assert record["claim_track"][action - layout.CLAIM] == span.track
            assert paid == [CARDS.index(payment.card), payment.colour_cards(track.length), *payment[1:]]


def test_what_only_some_maps_have_comes_last() -> None:
    def kinds(name: str) -> list[str]:
        return [span.kind for span in numbering(maps.load(name)) if span.first > layout.CLAIM and span.kind != "claim"]

    assert kinds("nederland") == ["neutral_claim"]
    assert kinds("nordic") == ["tunnel_pay", "tunnel_decline", "set_card"]
    assert kinds("usa") == []
    usa = board(maps.load("usa"))[0]
    assert {int(usa[f"{name}_action"]) for name in ("neutral", "tunnel", "decline", "set")} == {-1}


def test_a_span_knows_meanings_by_action_and_back() -> None:
    keeps = actions.table(maps.load("usa")).keeps
    assert (keeps.meaning(12), keeps.meaning(42)) == (1, 31)
    assert keeps.action(31) == 42
    assert 12 in keeps and 42 in keeps and 11 not in keeps and 43 not in keeps


def test_keeping_tickets_is_described_and_found_again() -> None:
    game = game_at(phase="keep_tickets", offered=[[1, 2, 3, 30]])
    for action in game.legal_actions():
        assert game.index(game.describe(action)) == action


def test_payments_are_worked_out_once() -> None:
    map = maps.load("nederland")
    red = [track for track in map.tracks if (track.colour, track.length) == ("red", 2)]
    assert len(red) > 1
    assert payments(red[0], map.rules) is payments(red[1], map.rules)
    assert payments(red[0], map.rules)[0] == Payment("red", 0, 0)


def test_the_engine_numbers_discards_as_maps_list_them() -> None:
    assert tuple(map(DISCARDS.index, ("public", "under", "out"))) == (layout.PUBLIC, layout.UNDER, layout.OUT)
