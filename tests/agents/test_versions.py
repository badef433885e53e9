"""Agents of earlier versions go on playing as they did: the games of 0.1.0 are here, decision by decision."""

import json
from pathlib import Path
from typing import Any

import pytest

import ttr_env
from ttr_env import agents

RECORDED = json.loads(Path(__file__).with_name("choices_of_0.1.0.json").read_text(encoding="utf-8"))


def told(recorded: dict[str, Any]) -> str:
    return " ".join(str(value) for name, value in recorded.items() if name not in ("seed", "actions"))


@pytest.mark.slow
@pytest.mark.parametrize("recorded", RECORDED, ids=told)
def test_chooses_as_in_0_1_0(recorded: dict[str, Any]) -> None:
    options = {name: value for name, value in recorded.items() if name not in ("agent", "actions")}
    game = ttr_env.Game(**options)
    agents.play(game, [agents.make(recorded["agent"], recorded["seed"] + seat) for seat in range(game.players)])
    assert game.record()["actions"] == recorded["actions"]


def test_every_agent_of_0_1_0_is_recorded() -> None:
    assert {recorded["agent"].partition(":")[0] for recorded in RECORDED} == {
        "planner", "racer", "greedy", "champion", "ismcts",
    }  # fmt: skip


def test_the_newest_versions_have_a_name_too() -> None:
    game = ttr_env.Game("nederland", players=3, seed=4)
    for name in ("planner", "champion"):
        assert agents.make(f"{name}:version=2").act(game) == agents.make(name).act(game)


@pytest.mark.parametrize("name", ["planner", "champion", "ismcts"])
def test_a_version_that_is_not_there(name: str) -> None:
    with pytest.raises(ValueError, match="version must be 1 or 2, not 3"):
        agents.make(f"{name}:version=3")
