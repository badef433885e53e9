"""What a page tells: the end of a game, and nothing that a seat may not know."""

from __future__ import annotations

import json
from typing import Any, cast

import numpy as np
import pytest
from starlette.websockets import WebSocket

from ttr_env import Game, agents
from ttr_env.engine import scoring
from ttr_env.game import words
from ttr_env.game.types import Result
from ttr_env.web.limits import Limits
from ttr_env.web.pages import Page
from ttr_env.web.rooms import Room
from ttr_env.web.tables import Role, Seat, Table, event, person, retell
from ttr_env.web.telling import ties, verdict


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
        (result((90, 3, 9), (80, 4, 9)), "Anna wins with 90 points."),
        (
            result((90, 3, 9), (90, 4, 2)),
            "Ben wins: level at 90 points, but more tickets are completed, 4 to 3.",
        ),
        (
            result((90, 4, 9), (90, 4, 2)),
            "Anna wins: level at 90 points, but the longest path is longer, 9 to 2.",
        ),
        (
            result((90, 4, 9), (90, 4, 9)),
            "Anna and Ben win: they are level in everything that decides.",
        ),
    ],
)
def test_the_end_says_who_won_and_by_what(ended: Result, sentence: str) -> None:
    assert verdict(ended, [Seat("Anna"), Seat("Ben")]) == sentence


def test_players_with_the_same_name_are_told_apart() -> None:
    ended = result((80, 3, 9), (90, 3, 9))
    assert verdict(ended, [Seat("planner"), Seat("planner")]) == "planner (player 1) wins with 90 points."


@pytest.mark.parametrize(
    ("ended", "sentences"),
    [
        (result((90, 3, 9), (80, 4, 9), (70, 4, 9)), []),
        (result((90, 3, 9), (90, 2, 9), (70, 4, 9)), []),  # which the verdict tells
        (result((90, 3, 9), (90, 3, 9), (70, 4, 9)), []),
        (
            result((70, 3, 9), (90, 3, 9), (70, 4, 9)),
            ["Cleo is ahead of Anna: level at 70 points, but more tickets are completed, 4 to 3."],
        ),
        (
            result((90, 4, 9), (90, 3, 9), (90, 3, 7)),
            ["Ben is ahead of Cleo: level at 90 points, but the longest path is longer, 9 to 7."],
        ),
        (
            result((90, 4, 9), (90, 4, 9), (90, 3, 7)),
            ["Ben is ahead of Cleo: level at 90 points, but more tickets are completed, 4 to 3."],
        ),
        (result((90, 4, 9), (80, 4, 9), (80, 4, 9)), ["Ben and Cleo share rank 2: they are level in everything."]),
    ],
)
def test_the_end_says_what_decided_between_equals_further_down(ended: Result, sentences: list[str]) -> None:
    assert ties(ended, [Seat("Anna"), Seat("Ben"), Seat("Cleo")]) == sentences


def test_at_the_end_everybody_s_tickets_lie_open() -> None:
    game = agents.play(Game(seed=7), ["planner", "random"])
    table = Table(game, seated(game), retell(game.record())[1], replayed=True)
    told = page_of(table, None).position()["state"]["spread"]
    kept = {each["seat"]: {ticket["ticket"] for ticket in each["tickets"]} for each in told}
    assert kept == {seat: set(game.snapshot()["seats"][seat]["tickets"]) for seat in range(2)}
    assert {ticket["how"] for each in told for ticket in each["tickets"]} == {"done", "failed"}
    before = Game.replay({**game.record(), "actions": game.actions[:-1]})
    assert page_of(Table(before, seated(before)), 0).position()["state"]["spread"] == []


def test_the_neutral_player_is_told_from_the_others() -> None:
    game = Game(seed=7, players=2, neutral_player=True)
    told = page_of(Table(game, seated(game)), 0).position()["state"]["players"]
    assert [player["neutral"] for player in told] == [False, False, True]


def test_tickets_on_offer_are_told_in_words() -> None:
    game = Game(seed=7)
    table = Table(game, seated(game))
    assert page_of(table, 0).position()["state"]["players"][1]["note"] == "5 tickets on offer"
    table.take(int(game.legal_actions()[0]))
    assert page_of(table, 0).position()["state"]["players"][0]["note"] == ""


@pytest.mark.parametrize("better", words.TIE_BREAKS)
def test_the_engine_decides_between_equals_by_what_is_told(better: str) -> None:
    place = scoring.SCORES.index(better)
    row, other = np.zeros((2, len(scoring.SCORES)), scoring.SHEET_TYPE)
    row[place], other[place + 1 : scoring.RANK] = 1, 9  # whatever comes later does not count any more
    is_ahead = getattr(scoring.is_ahead, "py_func", scoring.is_ahead)  # kernels are called by other kernels alone
    assert is_ahead(row, other) and not is_ahead(other, row)
