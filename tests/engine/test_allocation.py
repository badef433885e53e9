"""Nothing is allocated inside a decision, and a game stays small."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core.runtime import _nrt_python, rtsys

import ttr_env
from tests.helpers.busy import TABLES, some_decisions, table_name
from tests.helpers.looking import look_times, space
from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env.engine import layout


@pytest.fixture(autouse=True)
def counting() -> Iterator[None]:
    """Numba counts its allocations."""
    _nrt_python.memsys_enable_stats()
    yield
    _nrt_python.memsys_disable_stats()


def allocations(call: Callable[[], Any]) -> int:
    """How many blocks of memory compiled code takes in a call, those to pass arguments included."""
    before = rtsys.get_allocation_stats()
    call()
    after = rtsys.get_allocation_stats()
    return after.alloc - before.alloc + after.mi_alloc - before.mi_alloc


def test_allocations_are_counted() -> None:
    @njit
    def allocate(times: int) -> int:
        total = 0
        for size in range(times):
            total += len(np.zeros(size + 1))
        return total

    allocate(1)
    assert allocations(lambda: allocate(50)) - allocations(lambda: allocate(10)) >= 40


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_random_games_allocate_nothing(options: dict[str, Any]) -> None:
    def play(games: int) -> int:
        return allocations(lambda: ttr_env.playouts(games=games, seed=1, **options))

    play(1)
    assert play(30) == play(1)


@pytest.mark.parametrize("features", ["base", "planning", "actions"])
@pytest.mark.parametrize("reward", ["win", "dense"])
def test_steps_masks_and_observations_of_a_batch_allocate_nothing(features: str, reward: str) -> None:
    def play(games: int) -> int:
        batch = ttr_env.Batch("nederland", games, players=4, features=features, reward=reward, max_decisions=40)
        return allocations(lambda: [batch.step(batch.sample()) for _ in range(60)])

    play(1)
    assert play(100) == play(1)


@pytest.mark.parametrize("options", TABLES, ids=table_name)
def test_looking_at_a_decision_allocates_nothing(options: dict[str, Any]) -> None:
    phases = set()
    for game in some_decisions(options, seed=1, every=10):
        nets, views = space(game.map)

        def look(times: int, at: Any = (game.records, game.board, nets, views)) -> int:
            return allocations(lambda: look_times(*at, times))

        look(1)
        assert look(50) == look(1)
        phases.add(game.phase)
    assert phases >= {"keep_tickets", "turn", "second_card"}


def test_a_game_is_small() -> None:
    assert layout.GAME.itemsize <= 2048
