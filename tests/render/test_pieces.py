"""Drawings in pieces: nothing is lost, what repeats is stored once, and keys are what a page can hold on to."""

from __future__ import annotations

from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.helpers.variants import EVERYWHERE, variant_name
from tests.helpers.walks import positions
from ttr_env import Game, render
from ttr_env.render.pieces import Stock

SVG = "{http://www.w3.org/2000/svg}"


def named(game: Game, name: str, perspective: int | None = None) -> list[str]:
    """The values of a `data-` attribute, in the order of the drawing."""
    root = ElementTree.fromstring(render.to_svg(game, perspective))
    return [value for group in root if (value := group.get(f"data-{name}")) is not None]


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_drawings_are_put_together_again(options: dict[str, Any]) -> None:
    stock = Stock()
    for game in positions(options, seed=3, every=40):
        for perspective in (None, 0):
            numbers = stock.take(render.scene(game, perspective))
            assert stock.picture(numbers) == render.to_svg(game, perspective)
            assert len(set(numbers)) == len(numbers)  # a page shows a piece in one place
            keys = Counter(stock.since()[number].key for number in numbers)
            del keys[""]
            assert set(keys.values()) == {1}


def test_what_repeats_is_stored_once() -> None:
    game, stock = Game(players=4, seed=1), Stock()
    shown = stock.take(render.scene(game))
    assert len(stock) == len(shown)
    assert stock.take(render.scene(game)) == shown and len(stock) == len(shown)
    game.step(int(game.legal_actions()[0]))
    stock.take(render.scene(game))
    assert 0 < len(stock.since(len(shown))) < len(shown) / 2


def test_a_page_finds_tracks_cities_cards_and_piles() -> None:
    game = Game(players=3, seed=1)
    state = game.snapshot()
    assert sorted(map(int, named(game, "track"))) == list(range(len(game.map.tracks)))
    assert list(map(int, named(game, "city"))) == list(range(len(game.map.cities)))
    assert Counter(named(game, "card")[:5]) == {card: number for card, number in state["face_up"].items() if number}
    assert named(game, "slot") == list("01234") and len(named(game, "hand")) == 9
    assert named(game, "pile") == ["deck", "used", "tickets", "refused"]
    assert sorted(map(int, named(game, "ticket"))) == sorted(state["seats"][0]["offered"])
    assert named(game, "seat") == list("012")


def test_a_piece_keeps_its_key_when_it_looks_different() -> None:
    game, stock = Game(players=2, seed=1), Stock()
    while game.last is None or game.last.track is None:
        stock.take(render.scene(game))
        game.step(int(game.legal_actions()[-1]))
    before = len(stock)
    stock.take(render.scene(game))
    [owned] = [piece for piece in stock.since(before) if piece.key == f"track-{game.last.track}"]
    assert "owned by player" in owned.markup
