"""Batches that begin in the middle of games."""

import pickle
from typing import Any

import numpy as np
import pytest

from tests.helpers.seen import as_bytes
from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import Batch, Game
from ttr_env.envs.spaces import as_observation


def games(count: int = 6, **options: Any) -> list[Game]:
    """Games at various stages, the last of them over."""
    rng, played = np.random.default_rng(0), [Game(seed=seed, **options) for seed in range(count)]
    for place, game in enumerate(played):
        while not game.over and (len(game.actions) < 15 * place or place == count - 1):
            game.step(game.sample(rng))
    return played


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_rows_go_on_as_the_games_would(options: dict[str, Any]) -> None:
    begun = games(**options)
    copies = [game.copy() for game in begun]
    batch = Batch.from_games(begun, autoreset=False, features="planning")
    assert batch.done.tolist() == [game.over for game in begun]
    for _ in range(25):
        rows = np.flatnonzero(~batch.done)
        for row in rows:
            game = copies[row]
            assert batch.movers[row] == game.player and batch.game(row) == game
            assert np.array_equal(batch.masks[row], game.action_mask())
            assert np.array_equal(batch.observations[row], game.observe(game.player, "planning"))
        actions = batch.masks[rows].argmax(axis=1)
        batch.step(actions, rows)
        for row, action in zip(rows, actions, strict=True):
            copies[row].step(int(action))
    assert [len(game.actions) for game in begun] == [len(game.actions) for game in games(**options)]


def test_a_game_that_is_over_is_scored() -> None:
    begun = games()
    batch = Batch.from_games(begun, autoreset=False)
    assert batch.totals[-1].tolist() == [seat["total"] for seat in begun[-1].result()["seats"]]
    assert batch.lengths[-1] == 0 and not batch.masks[-1].any()


@pytest.mark.parametrize("features", ["base", "actions"])
def test_games_that_end_are_followed_by_deals(features: str) -> None:
    batch = Batch.from_games(games(), features=features, seed=3)
    other = Batch.from_games(games(), features=features, seed=3)
    assert batch.done.tolist() == [False] * 5 + [True] and batch.movers[-1] == 0
    for _ in range(40):
        actions = batch.sample().copy()
        batch.step(actions)
        other.step(actions)
    assert as_bytes(as_observation(batch.observations)) == as_bytes(as_observation(other.observations))


def test_bots_answer_first() -> None:
    begun = games(players=3)
    batch = Batch.from_games(begun, bots=[None, "planner", "racer"], autoreset=False)
    assert set(batch.movers[~batch.done].tolist()) == {0}
    every = Batch.from_games(begun, bots=["planner"] * 3, autoreset=False, views=False)
    assert every.done.all() and not begun[0].over


def test_the_past_can_be_kept() -> None:
    begun = games()
    batch = Batch.from_games(begun, bots=["planner", "random"], autoreset=False, keep_history=True)
    for row, game in enumerate(begun):
        played = batch.game(row)
        assert played.over and played.record()["start"] == game.snapshot()
        assert Game.replay(played.record()) == played
    batch.deal([0], [99])
    assert batch.game(0).seed == 99


def test_a_pickled_batch_remembers_where_its_games_began() -> None:
    batch = Batch.from_games(games(), autoreset=False, keep_history=True)
    batch.step(batch.masks[:5].argmax(axis=1), np.arange(5))
    copy = pickle.loads(pickle.dumps(batch))
    assert [copy.game(row).record() for row in range(6)] == [batch.game(row).record() for row in range(6)]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Batch.from_games([])
    with pytest.raises(ValueError, match=r"games\[1\]: players: 2 is needed here, not 3"):
        Batch.from_games([Game(seed=1), Game(seed=1, players=3)])
    with pytest.raises(TypeError, match="no option 'players'"):
        Batch.from_games([Game(seed=1)], players=2)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="autoreset=False"):
        Batch.from_games([Game(seed=1)], bots=["planner", "planner"])
    batch = Batch(games=2)
    with pytest.raises(ValueError, match="1 are needed"):
        batch.restart([0], [None], games(2))
