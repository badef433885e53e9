"""The league: hard opponents are met more often, and nobody is forgotten."""

import json
from typing import Any

import numpy as np
import pytest

from ttr_env.learning.league import League


def league(power: float = 1.0, active: int = 2) -> League:
    return League({"easy": (0, 1.0), "hard": (3, 1.0)}, power=power, floor=0.05, active_snapshots=active)


def test_hard_opponents_are_met_more_often() -> None:
    met = league()
    for _ in range(500):
        met.report([0], won=True)
        met.report([3], won=False)
    drawn = met.draw(4000, 2, np.random.default_rng(0))
    share = (drawn == 0).mean()
    assert drawn.shape == (4000, 2)
    assert abs(share - 0.05 / 1.05) < 0.01  # the floor, against one that wins always


def test_without_power_all_are_met_alike() -> None:
    met = league(power=0.0)
    for _ in range(100):
        met.report([0], won=True)
    assert np.allclose(met.chances(), 0.5)


def test_weights_count() -> None:
    met = League({"rare": (0, 1.0), "often": (1, 3.0)})
    assert np.allclose(met.chances(), [0.25, 0.75])


def test_only_the_hardest_snapshots_are_met() -> None:
    met = league()
    for number in range(4):
        met.add_snapshot(f"update-{number}", -1 - number, weight=0.5)
    for _ in range(50):
        met.report([-1, -3], won=False)
        met.report([-2, -4], won=True)
    chances = dict(zip([member.name for member in met.members], met.chances(), strict=True))
    assert [name for name, chance in chances.items() if chance == 0] == ["update-1", "update-3"]
    assert chances["update-0"] > 0 and chances["easy"] > 0


def test_a_win_rate_forgets_slowly() -> None:
    met = league()
    for _ in range(3000):
        met.report([0, 0], won=True)  # one opponent in two seats is one game
    assert met.members[0].win_rate > 0.99
    for _ in range(200):
        met.report([0], won=False)
    assert 0.3 < met.members[0].win_rate < 0.45


def test_goes_on_from_a_state() -> None:
    met, other = league(), league()
    for each in (met, other):
        each.add_snapshot("update-5", -1, weight=0.5)
    met.report([0, -1], won=True)
    other.restore(json.loads(json.dumps(met.state())))
    assert other.members == met.members and other.snapshots[0].name == "update-5"


@pytest.mark.parametrize(
    "change", [{"name": "x"}, {"number": 7}, {"wins": -1.0}, {"games": 0.0}, {"weight": float("nan")}, {"wins": 1e9}]
)
def test_a_state_of_another_league_is_refused(change: dict[str, Any]) -> None:
    met = league()
    told = met.state()
    told[0] |= change
    before = met.state()
    with pytest.raises(ValueError, match="league"):
        met.restore(told)
    assert met.state() == before
