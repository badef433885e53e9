"""The worked example of `docs/maps.md`: it loads, is shown as it is, and is played to the end in every way."""

from __future__ import annotations

import random
from pathlib import Path

import gymnasium
import pytest

import ttr_env
from tests.helpers.walks import STYLES, step
from ttr_env import Game, agents, render
from ttr_env.bots.built_in import BOTS

ROOT = Path(__file__).parents[2]
LAKES = ROOT / "docs" / "lakes"
PAGE = (ROOT / "docs" / "maps.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", ["cities.csv", "tracks.csv", "tickets.csv", "map.toml", "land.csv", "places.csv"])
def test_the_page_shows_the_files(file: str) -> None:
    shown = PAGE.split(f"<!-- {file} -->\n")[1].split("<!-- end -->")[0]
    assert shown == f"```\n{(LAKES / file).read_text(encoding='utf-8')}```\n"


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_random_games_come_to_an_end(style: object) -> None:
    phases = set()
    for seed in range(8):
        game, chance = Game(LAKES, players=2, seed=seed), random.Random(seed)
        while game.player >= 0:
            phases.add(game.phase)
            twin = Game.from_snapshot(game.snapshot())
            assert (twin.action_mask() == game.action_mask()).all()
            step(game, chance, style)  # type: ignore[arg-type]
        assert 3 in [seat["longest_path"] for seat in game.result()["seats"]]
    assert {"tunnel", "set"} <= phases or style.__name__ in ("hoard", "collect")  # type: ignore[attr-defined]


def test_a_ferry_takes_pairs_as_sets() -> None:
    game = Game(LAKES, players=2, seed=1)
    forms = [game.describe(index).as_dict() for index in range(43, game.num_actions - 13)]
    ferry = [form for form in forms if form["track"] == 7]  # Cove to Edge: length 3, two symbols
    assert {(form["card"], form["locomotives"], form["sets"]) for form in ferry} == {
        ("black", 0, 2),
        ("black", 1, 1),
        ("black", 2, 0),
        ("locomotive", 0, 3),
        ("locomotive", 1, 2),
        ("locomotive", 2, 1),
        ("locomotive", 3, 0),
    }
    tunnel = [form for form in forms if form["track"] == 0]
    assert [(form["card"], form["locomotives"]) for form in tunnel] == [
        ("red", 0),
        ("red", 1),
        ("red", 2),
        ("locomotive", 3),
    ]


@pytest.mark.parametrize("name", [*BOTS, "ismcts:iterations=20"])
def test_every_agent_plays_it(name: str) -> None:
    agent = agents.make(name, seed=1)
    for seed in range(10):
        game = Game(LAKES, players=2, seed=seed)
        while game.player >= 0:
            game.step(agent.act(game))


def test_environments_take_the_folder() -> None:
    env = gymnasium.make("ttr_env/Nederland-v0", map=str(LAKES))
    env.reset(seed=1)
    table = ttr_env.env(map=LAKES)
    table.reset(seed=1)
    assert table.metadata["name"] == "lakes_v0"
    assert "Lakes" in render.scene(Game(LAKES, seed=1)).texts()
