"""Action features do not depend on how a map numbers its cities, tracks, tickets and colours, nor on the seat.

But for one thing: where the plan could be another one just as cheap, the numbers decide which it is. Of tickets that
are as near it takes the lowest, of paths that cost as much one that leaves over the lowest place and track.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.helpers.busy import TABLES, some_decisions, table_name
from tests.helpers.looking import look_at
from tests.helpers.renumbering import Renumbering, other_seats
from ttr_env import Game
from ttr_env.bots.features.columns import ACTION, STATE

# What comes from the plan. All of it differs in some positions; `planned` could, where one path is cheap and long.
FROM_PLAN = {
    "state": {
        "planned",
        "plan_trains",
        "plan_tolls",
        "plan_points",
        "served",
        "served_points",
        "unserved_points",
        "lacking",
        "wanted",
        "spare_trains",
        "outlook",
    },
    "action": {
        "conflict",
        "in_plan",
        "want",
        "pays_planned",
        "planned_lack",
        "wanted_chance",
        "worth",
        "regret",
        "plan_trains",
        "plan_tolls",
        "plan_served",
        "plan_unserved",
        "room",
    },
}
# In at least this share of positions the plan is the same to all columns.
SAME_PLAN = {"nederland": 0.8, "nordic": 0.65, "usa": 0.65, "lakes": 0.8}


class Difference(NamedTuple):
    """The columns in which two looks differ."""

    state: set[str]
    action: set[str]


def difference(game: Game, numbers: Renumbering, seats: list[int]) -> Difference | None:
    """What changes about a position when it is numbered anew; None where there is no room for all candidates."""
    there = numbers.position(game.snapshot(), seats)
    one, other = look_at(game), look_at(there)
    assert one.dropped == other.dropped
    if one.dropped > 0:
        return None
    same = [numbers.action(game, action, there) for action in one.index]
    assert sorted(same) == sorted(other.index)
    assert np.abs(one.hidden - other.hidden).max() <= 1e-6
    rows = np.stack([other.row(action) for action in same])
    state = np.flatnonzero(np.abs(one.state - other.state) > 1e-6)
    action = np.flatnonzero((np.abs(one.actions - rows) > 1e-6).any(axis=0))
    return Difference({STATE[place].name for place in state}, {ACTION[place].name for place in action})


def differences(options: dict[str, Any], folder: Path, seeds: range, every: int) -> list[Difference]:
    """The differences in some decisions, on another board in each game."""
    found = []
    for seed in seeds:
        chance = random.Random(f"{table_name(options)}{seed}")
        numbers = Renumbering(options.get("map", "nederland"), folder / f"{table_name(options)}-{seed}", chance)
        for game in some_decisions(options, seed, every):
            found.append(difference(game, numbers, other_seats(game, chance)))
    return [each for each in found if each is not None]


@pytest.mark.parametrize("options", TABLES, ids=table_name)
def test_only_what_comes_from_the_plan_depends_on_numbers(options: dict[str, Any], tmp_path: Path) -> None:
    for found in differences(options, tmp_path, range(1), every=8):
        assert found.state <= FROM_PLAN["state"]
        assert found.action <= FROM_PLAN["action"]


@pytest.mark.slow
@pytest.mark.parametrize("name", SAME_PLAN)
def test_the_plan_seldom_depends_on_numbers(name: str, tmp_path: Path) -> None:
    found: list[Difference] = []
    for options in TABLES:
        if Path(options.get("map", "nederland")).name == name:
            found += differences(options, tmp_path, range(1, 5), every=4)
    state, action = (set[str]().union(*columns) for columns in zip(*found, strict=True))
    same = found.count(Difference(set(), set())) / len(found)
    assert same >= SAME_PLAN[name]
    assert state <= FROM_PLAN["state"] and action <= FROM_PLAN["action"]
    if name == "nederland":
        assert state == FROM_PLAN["state"] - {"planned"} and action == FROM_PLAN["action"]


def test_other_seats_are_other_seats() -> None:
    """The player is moved, too; before the first turn others alone are, for who has chosen follows from the seat."""
    chance, reached = random.Random(1), set()
    for game in some_decisions(TABLES[6], 1, every=20):
        seats = other_seats(game, chance)
        assert sorted(seats) == list(range(5))
        if game.snapshot()["setup"]:
            assert seats[game.player] == game.player
        else:
            reached.add((seats[game.player] - game.player) % 5)
    assert reached == set(range(5))
