"""Records from files: all that play leads to pass, and what does not pass never reaches the engine."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from ttr_env import Batch, Game
from ttr_env.engine.layout import GAME
from ttr_env.errors import SnapshotError
from ttr_env.game.checking import check_record

DAMAGED = int(os.environ.get("TTR_DAMAGED", "400"))
TABLES: list[dict[str, Any]] = [
    {"map": "nederland", "players": 4},
    {"map": "nederland", "players": 2, "neutral_player": True},
    {"map": "nordic", "players": 3},
    {"map": "usa", "players": 5},
]


def positions(options: dict[str, Any], seed: int) -> list[Game]:
    """Games somewhere on their way."""
    batch = Batch(games=16, seed=seed, **options)
    for _ in range(int(np.random.default_rng(seed).integers(200))):
        batch.step(batch.sample())
    return [batch.game(row) for row in range(16)]


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_what_is_played_passes(options: dict[str, Any]) -> None:
    for seed in range(4):
        for game in positions(options, seed):
            check_record(game.variant, game.records[0])
    game = Game(**options, seed=1)
    while not game.over:
        game.step(int(game.legal_actions()[0]))
    check_record(game.variant, game.records[0])


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_what_is_damaged_is_refused_or_a_position_all_the_same(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(5)
    refused = 0
    games = positions(options, 3)
    for _ in range(DAMAGED // len(TABLES)):
        game = games[rng.integers(len(games))]
        record = game.records.copy()
        damaged = record.view(np.uint8)
        places = rng.integers(damaged.size, size=int(rng.integers(1, 4)))
        damaged[places] = rng.integers(256, size=places.size)
        try:
            check_record(game.variant, record[0])
        except SnapshotError:
            refused += 1
            continue
        game.copy().records[:] = record
    assert refused > DAMAGED // len(TABLES) // 2


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("player", 77, "player"),
        ("phase", 99, "phase: there is none with the number 99"),
        ("players", 5, "another variant"),
        ("with_tolls", 0, "another variant"),
        ("deck_size", 1000, "deck_size: it does not follow"),
        ("trains", -1, "trains"),
        ("component", 127, r"component\[0\]: the cities that tracks connect are others"),
        ("open", 2**63, "open: it does not follow"),
        ("open_count", 255, "open_count: it does not follow"),
        ("claimed", 2**60, "claimed: it does not follow"),
        ("owner", 17, "owners"),
        ("discards", 9, "discards"),
        ("tickets", 2**63, "tickets"),
    ],
)
def test_the_field_is_named(field: str, value: int, message: str) -> None:
    game = positions(TABLES[0], 1)[0]
    record = game.records.copy()
    record[field] = value
    with pytest.raises(SnapshotError, match=message):
        check_record(game.variant, record[0])


def test_a_claim_that_waits_must_be_one() -> None:
    batch = Batch("nordic", games=256, seed=1)
    while not (waits := batch.records["pending_claim"] >= 0).any():
        batch.step(batch.sample())
    record = batch.records[waits][:1].copy()
    check_record(batch.variant, record[0])
    for claim in (-5, 0, 32000):
        record["pending_claim"] = claim
        with pytest.raises(SnapshotError, match="pending_claim"):
            check_record(batch.variant, record[0])


def other_state(batch: Batch, name: str, **changes: Any) -> dict[str, np.ndarray]:
    state = batch.state()
    for field, value in changes.items():
        state[name][field][3] = value
    return state


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("games", {"player": 77}, "mover is not the player to move"),
        ("games", {"round": -1}, "row 3 of 'games' is no position: round"),
        ("rows", {"seat": 9}, "seat is none of 0 to 2"),
        ("rows", {"decisions": -1}, "impossible number of decisions"),
        ("rows", {"decisions": 2**40}, "impossible number of decisions"),
        ("outcomes", {"mover": 2}, "mover is not the player to move"),
        ("rows", {"bots": 10**6}, "numbers: the bots and networks are"),
    ],
)
def test_a_batch_refuses_a_tampered_state_and_nothing_changes(name: str, changes: dict[str, Any], message: str) -> None:
    batch = Batch(games=8, players=3, bots=[None, "racer", "greedy"], seed=1)
    before = batch.records.tobytes()
    state = other_state(batch, name, **changes)
    with pytest.raises(ValueError, match=message):
        batch.restore(state)
    assert batch.records.tobytes() == before
    batch.restore(other_state(batch, name))


def test_a_state_of_another_form_is_refused() -> None:
    batch = Batch(games=8, seed=1)
    for change in (
        {"games": np.zeros(3, GAME)},
        {"masks": np.zeros(batch.masks.shape, np.float64)},
        {"observations": None},
        {"observations": np.full_like(batch.observations, np.nan)},
    ):
        with pytest.raises(ValueError, match="state: "):
            batch.restore({**batch.state(), **change})  # type: ignore[dict-item]
