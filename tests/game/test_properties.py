"""What holds in every position that play can lead to: positions are drawn by Hypothesis, and shrink to short games."""

import copy
import json
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.helpers.variants import EVERYWHERE
from ttr_env import Game, IllegalAction

# The first game of all may have to wait for the compiler: that is no reason to give up.
QUICK = settings(max_examples=40, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])

CHOICES = st.lists(st.integers(0, 1000), max_size=30)
SEEDS = st.integers(0, 2**64 - 1)


def play(game: Game, choices: list[int]) -> Game:
    """Take the actions at these places among the legal ones, counted round and round; stops at the end."""
    for choice in choices:
        if game.player < 0:
            break
        legal = game.legal_actions()
        game.step(legal[choice % len(legal)])
    return game


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game of any variant, after random decisions and then drawn ones."""
    game = Game(seed=draw(SEEDS), **draw(st.sampled_from(EVERYWHERE)))
    rng = random.Random(draw(st.integers(0, 100)))
    return play(game, [rng.randrange(1000) for _ in range(draw(st.integers(0, 350)))] + draw(CHOICES))


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def observations(game: Game) -> list[bytes]:
    return [game.observe(seat, "planning").tobytes() for seat in range(game.players)]


@QUICK
@given(games(), CHOICES)
def test_a_game_goes_on_from_its_snapshot_as_if_nothing_had_happened(game: Game, choices: list[int]) -> None:
    twin = Game.from_snapshot(through_json(game.snapshot()))
    assert twin.snapshot() == game.snapshot()
    assert observations(twin) == observations(game)
    assert play(twin, choices).snapshot() == play(game, choices).snapshot()


def pickled(game: Game) -> Game:
    return pickle.loads(pickle.dumps(game))


@pytest.mark.parametrize("duplicate", [Game.copy, copy.deepcopy, pickled])
@QUICK
@given(game=games(), choices=CHOICES)
def test_a_copy_goes_on_identically_and_independently(
    duplicate: Callable[[Game], Game], game: Game, choices: list[int]
) -> None:
    before, history = game.snapshot(), game.record()
    twin = play(duplicate(game), choices)
    assert (game.snapshot(), game.record()) == (before, history)
    play(game, choices)
    assert (twin.snapshot(), twin.record()) == (game.snapshot(), game.record())


@QUICK
@given(games())
def test_a_record_replays_to_the_same_position(game: Game) -> None:
    replayed = Game.replay(through_json(game.record()))
    assert replayed.snapshot() == game.snapshot()
    assert replayed.record() == game.record()


@QUICK
@given(games())
def test_an_index_means_what_its_description_says(game: Game) -> None:
    for action in game.legal_actions():
        description = game.describe(action)
        assert game.index(description) == action
        assert game.index(through_json(description.as_dict())) == action


@QUICK
@given(games(), st.integers(-(2**70), 2**70) | st.integers(-1, 700))
def test_an_action_is_taken_if_the_mask_marks_it_and_changes_nothing_if_not(game: Game, action: int) -> None:
    before, history = game.snapshot(), game.record()
    if 0 <= action < game.num_actions and game.action_mask()[action]:
        game.step(action)
        assert game.record()["actions"] == [*history["actions"], action]
        assert game.snapshot() != before
    else:
        with pytest.raises(IllegalAction, match=str(action)):
            game.step(action)
        assert (game.snapshot(), game.record()) == (before, history)
