"""A batch or an environment that two threads use at once refuses the second, and the first goes on as if alone."""

from __future__ import annotations

import copy
import os
import pickle
import threading
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

import ttr_env
from ttr_env import Batch
from ttr_env.errors import SharedByThreads

Turn = Callable[[], Any]


def inside(shared: Any) -> Any:
    """As if another thread were stepping it."""
    return shared._turnstile  # noqa: SLF001 - the moment is too short to be met from outside


def batch() -> tuple[Batch, Turn]:
    made = Batch("nederland", games=512, players=3, bots=[None, "planner", "racer"], threads=2, seed=3)
    return made, lambda: made.step(made.masks.argmax(axis=1))


def vector() -> tuple[Any, Turn]:
    made = gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=256, players=2, opponents="planner")
    made.reset(seed=3)
    return made, lambda: made.step(made.action_masks().argmax(axis=1))


def single() -> tuple[Any, Turn]:
    made = gymnasium.make("ttr_env/Nederland-v0", players=2, opponents="ismcts:iterations=16").unwrapped
    made.reset(seed=3)
    return made, lambda: made.step(int(made.action_masks().argmax()))  # type: ignore[attr-defined]


@pytest.mark.parametrize("make", [batch, vector])
def test_the_second_thread_is_refused_while_the_first_is_inside(make: Callable[[], tuple[Any, Turn]]) -> None:
    shared, turn = make()
    with inside(shared), pytest.raises(SharedByThreads, match="belongs to one thread at a time, so give each its own"):
        turn()
    turn()


def table() -> tuple[Any, Turn]:
    made = ttr_env.raw_env(players=3)
    made.reset(seed=3)
    return made, lambda: made.step(made.sample())


@pytest.mark.parametrize("make", [single, table])
def test_environments_of_one_game_refuse_it_too(
    make: Callable[[], tuple[Any, Turn]], monkeypatch: pytest.MonkeyPatch
) -> None:
    shared, turn = make()
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(shared, "_stepping", True)
        with pytest.raises(SharedByThreads, match="an environment is in use already"):
            turn()
    turn()
    if make is table:
        with pytest.raises(ttr_env.IllegalAction):
            shared.step(-1)
        turn()


def test_what_a_refused_thread_wanted_is_not_done() -> None:
    one, turn = batch()
    other, other_turn = batch()
    with inside(one):
        before = one.records.tobytes()
        for forbidden in (
            turn,
            one.sample,
            lambda: one.reset(1),
            lambda: one.deal([0], [7]),
            lambda: one.restart([0], [1]),
        ):
            with pytest.raises(SharedByThreads, match="a Batch is in use already"):
                forbidden()
        assert one.records.tobytes() == before
    turn()
    other_turn()
    assert one.records.tobytes() == other.records.tobytes()


def test_threads_that_hammer_a_batch_break_nothing() -> None:
    shared, turn = batch()
    outcomes: list[str] = []

    def hammer() -> None:
        for _ in range(60):
            try:
                turn()
                outcomes.append("stepped")
            except (SharedByThreads, ttr_env.IllegalAction) as error:  # masks may be of the other thread's step
                outcomes.append(type(error).__name__)

    threads = [threading.Thread(target=hammer) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 240 and "stepped" in outcomes and "SharedByThreads" in outcomes
    assert (shared.records["trains"] >= 0).all()
    for row in range(0, len(shared), 64):
        ttr_env.Game.from_snapshot(shared.game(row).snapshot())


@pytest.mark.parametrize(
    "again", [copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))], ids=["copy", "pickle"]
)
def test_a_copy_has_a_turnstile_of_its_own(again: Callable[[Batch], Batch]) -> None:
    made, _ = batch()
    with inside(made):
        other = again(made)
        other.step(other.sample())
    assert not np.array_equal(other.decisions, made.decisions)


def test_a_forked_process_can_use_what_was_in_use() -> None:
    made, turn = batch()
    with inside(made):
        child = os.fork()
        if child == 0:
            try:
                turn()
                os._exit(0)
            except BaseException:
                os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
