"""What a page tells: the end of a game, and nothing that a seat may not know."""

from __future__ import annotations

import json
from typing import Any, cast

import numpy as np
import pytest
from starlette.websockets import WebSocket

from ttr_env import Game
from ttr_env.engine import scoring
from ttr_env.game import words
from ttr_env.game.types import Result
from ttr_env.web.limits import Limits
from ttr_env.web.pages import Page
from ttr_env.web.rooms import Room
from ttr_env.web.tables import Role, Seat, Table, event, person
from ttr_env.web.telling import verdict


def page_of(table: Table, seat: int | None) -> Page:
    """A page that nobody looks at, of a player or of an onlooker."""
    return Page(cast(WebSocket, None), Room(table, Limits(), lambda table: None), Role(seat), {})


def seated(game: Game) -> list[Seat]:
    return [person(f"player {seat}") for seat in range(game.players)]


@pytest.mark.parametrize("map", ["nederland", "nordic", "usa"])
def test_two_deals_that_differ_in_what_is_hidden_give_the_same_bytes(map: str) -> None:
    """No leaks: every few decisions all that a seat's page is sent, for two games that it cannot tell apart."""
    game, rng = Game(map, players=3, seed=11), np.random.default_rng(11)
    events = []
    while not game.over:
        if len(events) % 9 == 0:
            for seat in range(3):
                deals = [game.determinize(seat, np.random.default_rng(number)) for number in (1, 2)]
                sent = [delivered(Table(deal, seated(game), list(events)), seat) for deal in deals]
                assert sent[0] == sent[1]
            deals = [redealt(game, number) for number in (1, 2)]
            assert deals[0].snapshot()["seats"] != deals[1].snapshot()["seats"]
            sent = [delivered(Table(deal, seated(game), list(events)), None) for deal in deals]
            assert sent[0] == sent[1]
        before = game.copy()
        game.step(game.sample(rng))
        events.append(event(before, game))


def redealt(game: Game, number: int) -> Game:
    """A game that looks the same to somebody who sees nobody's cards."""
    rng = np.random.default_rng(number)
    return game.determinize(0, rng).determinize(1, rng)


def delivered(table: Table, seat: int | None) -> str:
    return json.dumps(page_of(table, seat).position(), sort_keys=True)


def test_others_are_not_told_what_was_drawn() -> None:
    game = Game(seed=7)
    table = Table(game, seated(game))
    for _ in range(2):
        table.take(int(game.legal_actions()[0]))
    table.take(0)
    told = [page_of(table, seat).position()["lines"]["told"][-1] for seat in (0, 1)]
    assert told[0]["did"] == table.events[-1].private != table.events[-1].public == told[1]["did"]
    assert told[0]["who"] == "You" and told[1]["who"] == "player 0"


def result(*seats: tuple[int, int, int]) -> Result:
    """A result, from points, completed tickets and longest path of each seat, best first."""
    ranks = [1 + sum(other > each for other in seats) for each in seats]
    rows: list[Any] = [
        {"total": total, "completed": done, "path": path, "rank": rank}
        for (total, done, path), rank in zip(seats, ranks, strict=True)
    ]
    return {"seats": rows, "winners": [seat for seat, rank in enumerate(ranks) if rank == 1]}


@pytest.mark.parametrize(
    ("ended", "sentence"),
    [
        (result((90, 3, 9), (80, 4, 9)), "Anna (player 0) wins with 90 points."),
        (
            result((90, 3, 9), (90, 4, 2)),
            "Ben (player 1) wins: level at 90 points, but more tickets are completed, 4 to 3.",
        ),
        (
            result((90, 4, 9), (90, 4, 2)),
            "Anna (player 0) wins: level at 90 points, but the longest path is longer, 9 to 2.",
        ),
        (
            result((90, 4, 9), (90, 4, 9)),
            "Anna (player 0) and Ben (player 1) win: they are level in everything that decides.",
        ),
    ],
)
def test_the_end_says_who_won_and_by_what(ended: Result, sentence: str) -> None:
    assert verdict(ended, [Seat("Anna"), Seat("Ben")]) == sentence


@pytest.mark.parametrize("better", words.TIE_BREAKS)
def test_the_engine_decides_between_equals_by_what_is_told(better: str) -> None:
    place = scoring.SCORES.index(better)
    row, other = np.zeros((2, len(scoring.SCORES)), scoring.SHEET_TYPE)
    row[place], other[place + 1 : scoring.RANK] = 1, 9  # whatever comes later does not count any more
    is_ahead = getattr(scoring.is_ahead, "py_func", scoring.is_ahead)  # kernels are called by other kernels alone
    assert is_ahead(row, other) and not is_ahead(other, row)
