"""What a batch shows with `features="actions"` is what single games show, whatever the number of rows and threads."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from tests.game.test_action_features import rich
from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import Batch
from ttr_env.batch.threads import ROWS_A_THREAD
from ttr_env.observation import MAX_CANDIDATES, ActionFeatures

BLANK = ActionFeatures.blank()


def as_bytes(seen: ActionFeatures) -> list[bytes]:
    return [array.tobytes() for array in seen]


def same(seen: ActionFeatures, expected: ActionFeatures) -> bool:
    return as_bytes(seen) == as_bytes(expected)


def everything(batch: Batch) -> list[bytes]:
    shown = [*batch.observations, *batch.final_observations, batch.masks, batch.movers, batch.rewards]
    return [array.tobytes() for array in shown]


def play(batch: Batch, steps: int) -> list[list[bytes]]:
    """Random steps; everything that can be seen after each."""
    seen = []
    for _ in range(steps):
        batch.step(batch.sample())
        seen.append(everything(batch))
    return seen


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_a_row_is_a_game(options: dict[str, Any]) -> None:
    """Every row shows what its game shows; of games that ended nothing is to be seen."""
    batch = Batch(games=3, seed=5, features="actions", **options)
    while batch.episodes.min() < 1:
        for row in range(3):
            assert same(batch.observations.at(row), batch.game(row).action_features())
        batch.step(batch.sample())
        for row in np.flatnonzero(batch.done):
            assert same(batch.final_observations.at(row), BLANK)


def test_the_last_decision_of_a_game_that_is_cut_off_can_be_seen() -> None:
    batch = Batch(games=3, players=2, seed=1, features="actions", max_decisions=25)
    for step in range(1, 76):
        games, actions = [batch.game(row) for row in range(3)], batch.sample().copy()
        batch.step(actions)
        if step % 25:
            continue
        assert batch.truncated.all()
        for row, game in enumerate(games):
            game.step(actions[row])
            assert same(batch.final_observations.at(row), game.action_features())
            assert same(batch.observations.at(row), batch.game(row).action_features())


@pytest.mark.parametrize("limit", [24, 25, 26, 27])
def test_with_bots_the_end_is_seen_by_the_first_place_if_it_is_to_move(limit: int) -> None:
    options: dict[str, Any] = {"players": 3, "bots": [None, "planner", "greedy"], "seat": 1, "max_decisions": limit}
    batch = Batch(games=8, seed=2, features="actions", autoreset=False, **options)
    while not batch.done.all():
        going = np.flatnonzero(~batch.done)
        batch.step(batch.sample()[going], going)
    movers = set()
    for row in range(8):
        game = batch.game(row)
        movers.add(game.player)
        expected = game.action_features() if game.player == 1 else BLANK
        assert same(batch.final_observations.at(row), expected)
        assert same(batch.observations.at(row), expected), "what a waiting row shows is its end"
    assert movers <= {0, 1, 2}


def test_rows_that_wait_are_left_as_they_are() -> None:
    batch = Batch(games=6, players=2, seed=3, features="actions")
    batch.step(batch.sample())
    before = batch.observations.at(np.arange(6))
    batch.step(batch.sample()[[1, 3]], [1, 3])
    for row in range(6):
        assert same(batch.observations.at(row), before.at(row)) == (row not in (1, 3))
        assert same(batch.observations.at(row), batch.game(row).action_features())


@pytest.mark.slow
def test_threads_change_nothing() -> None:
    options = {"games": 2 * ROWS_A_THREAD + 1, "players": 3, "seed": 1, "max_decisions": 30, "features": "actions"}
    assert play(Batch(**options), 70) == play(Batch(**options, threads=2), 70)


def test_reset_begins_again() -> None:
    batch = Batch(games=3, seed=4, max_decisions=30, features="actions")
    beginning, first = everything(batch), play(batch, 50)
    batch.reset(4)
    assert everything(batch) == beginning
    assert play(batch, 50) == first


def test_a_pickled_batch_goes_on_identically() -> None:
    batch = Batch(games=5, players=3, seed=8, features="actions", max_decisions=60)
    play(batch, 100)
    twin = pickle.loads(pickle.dumps(batch))
    assert everything(twin) == everything(batch)
    assert play(twin, 100) == play(batch, 100)


@pytest.mark.parametrize("autoreset", [True, False])
def test_goes_on_from_a_state(autoreset: bool) -> None:
    options = {"games": 5, "players": 2, "features": "actions", "max_decisions": 40, "autoreset": autoreset}
    batch, other = Batch(seed=8, **options), Batch(seed=9, **options)
    play(batch, 90 if autoreset else 40)
    state = batch.state()
    other.restore(state)
    assert everything(other) == everything(batch)
    assert sum(array.nbytes for array in state.values()) < 50_000, "features are large, and not kept"
    if autoreset:
        assert play(other, 50) == play(batch, 50)


def test_without_views_nothing_is_looked_at() -> None:
    batch = Batch(games=2, features="actions", views=False)
    batch.step(batch.sample())
    assert all(same(batch.observations.at(row), BLANK) for row in range(2))


def test_new_arrays_leave_the_old_ones_alone() -> None:
    batch = Batch(games=4, players=2, seed=1, features="actions")
    old, before = batch.observations, everything(batch)[:3]
    batch.renew_views(keep=True)
    assert everything(batch)[:3] == before and not np.shares_memory(batch.observations.actions, old.actions)
    batch.renew_views()
    batch.step(batch.sample())
    assert as_bytes(old) == before
    assert all(same(batch.observations.at(row), batch.game(row).action_features()) for row in range(4))


def test_candidates_without_a_place_are_counted() -> None:
    batch, before = Batch("usa", games=3, players=2, features="actions"), rich(player=1, phase="second_card")
    for row in (0, 2):
        batch.records[row] = before.records[0]
    assert batch.dropped == 0
    batch.step([0, int(batch.masks[1].argmax()), 0])
    game = batch.game(0)
    assert game.player == 0 and not (game.snapshot()["seats"][0]["hand"]["red"] < 6)
    tracks = [track.colour for track in game.map.tracks]
    claims = sum(8 if colour == "grey" else 1 for colour in tracks)  # no locomotives are needed, in any colour
    draws = sum(game.describe(action).kind != "claim" for action in game.legal_actions())
    assert batch.dropped == 2 * (claims + draws - MAX_CANDIDATES) > 0
    assert same(batch.observations.at(2), game.action_features())
    batch.restore(batch.state())
    assert batch.dropped == 2 * (claims + draws - MAX_CANDIDATES), "to look again is no decision"


def test_dropped_candidates_add_up_over_steps_rows_and_threads() -> None:
    counts = []
    for threads in (1, 2):
        games = 2 * ROWS_A_THREAD
        batch = Batch("usa", games=games, players=2, seed=3, features="actions", threads=threads)
        hoard(batch, 140)
        full = int((batch.observations.index[:, -1] >= 0).sum())
        counts.append((batch.dropped, full))
    assert counts[0] == counts[1]
    assert counts[0][0] > 0
    batch.reset(3)
    assert batch.dropped == 0


def hoard(batch: Batch, steps: int) -> None:
    """Keep tickets, and draw cards as long as there are any."""
    for _ in range(steps):
        batch.step(batch.masks.argmax(axis=1))
