"""Guesses about the others' tickets: they agree with what a player knows, and with what the others have built."""

from typing import Any

import numpy as np
import pytest

import ttr_env
from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import agents
from ttr_env.bots.guessing import FITS, guess_tickets
from ttr_env.engine.hidden import redeal
from ttr_env.engine.jit import entry


@entry
def guess(games: Any, boards: Any, player: Any, seed: Any) -> None:
    redeal(games[0], player, seed)
    guess_tickets(games[0], boards[0], player)


def guessed(game: ttr_env.Game, seed: int) -> ttr_env.Game:
    """The game with everything dealt anew that the player to move does not see."""
    world = game.copy()
    guess(world.records, world.board, game.player, seed)
    return world


def played(options: dict[str, Any], decisions: int) -> ttr_env.Game:
    game, planner = ttr_env.Game(seed=decisions, **options), agents.make("planner:version=1")
    for _ in range(decisions):
        if not game.over:
            game.step(planner.act(game))
    return game


def held(game: ttr_env.Game) -> list[int]:
    """The tickets of every seat, as sets of bits."""
    return [int(tickets) for tickets in game.records[0]["tickets"][: game.players]]


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_a_guess_agrees_with_what_the_player_knows(options: dict[str, Any]) -> None:
    dealer = np.random.default_rng(0)
    for decisions in (1, 30, 70):
        game = played(options, decisions)
        if game.over:
            continue
        for seed in range(5):
            world = guessed(game, seed)
            assert world.information_state(game.player) == game.information_state(game.player)
            tickets = [*held(world), int(world.records[0]["ticket_pile"])]
            assert sum(each.bit_count() for each in tickets) == np.bitwise_or.reduce(tickets).bit_count()
            other = guessed(game.determinize(game.player, dealer), seed)
            assert other.snapshot() == world.snapshot()


def test_tickets_that_fit_are_likelier() -> None:
    """As often as drawing them one after the other by the same weights gives them."""
    games = (played({"players": 2}, decisions) for decisions in range(60, 100))
    game = next(game for game in games if set(FITS.tolist()) == set(weights_of(game).values()))
    weights, other, drawn, rng = weights_of(game), 1 - game.player, 2000, np.random.default_rng(0)
    number = held(game)[other].bit_count()
    chances = np.array(list(weights.values())) / sum(weights.values())
    counts = np.zeros((2, 64))
    for seed in range(drawn):
        found = held(guessed(game, seed))[other]
        counts[0, [ticket for ticket in weights if found >> ticket & 1]] += 1
        counts[1, rng.choice(list(weights), number, replace=False, p=chances)] += 1
    assert counts[0].sum() == drawn * number
    assert counts[0] / drawn == pytest.approx(counts[1] / drawn, abs=0.06)


def weights_of(game: ttr_env.Game) -> dict[int, int]:
    """By ticket that the only other may have, how well it fits."""
    other = 1 - game.player
    pool = int(game.records[0]["ticket_pile"]) | held(game)[other]
    return {ticket: weight(game.records[0], game.board[0], other, ticket) for ticket in range(64) if pool >> ticket & 1}


def weight(record: Any, board: Any, seat: int, ticket: int) -> int:
    ends = [int(board[f"ticket_{end}"][ticket]) for end in "ab"]
    if record["component"][seat, ends[0]] == record["component"][seat, ends[1]]:
        return int(FITS[3])
    own = np.flatnonzero(record["owner"][: board["tracks"]] == seat)
    reached = {*board["track_a"][own].tolist(), *board["track_b"][own].tolist()}
    return int(FITS[sum(end in reached for end in ends)])
