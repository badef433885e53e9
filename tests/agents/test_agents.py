"""Agents: legal everywhere, the same one game or many at a time, and blind to what they may not see."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttr_env
from tests.helpers.networks import random_scorer
from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import agents
from ttr_env.agents import policy_file

NAMES = [
    "random", "greedy", "racer", "planner", "planner:version=1", "blocker", "ticket_hoarder", "toll_hoarder",
    "stranger", "champion", "scorer", "drawing scorer",
]  # fmt: skip


@pytest.fixture(scope="module")
def spec(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """How an agent of `NAMES` is specified: networks are in files."""
    if "scorer" not in request.param:
        return str(request.param)
    path = tmp_path_factory.mktemp("policies") / "policy.npz"
    policy_file.save(random_scorer(), path)
    return f"policy:{path}" + (",temperature=1" if "drawing" in request.param else "")


every_agent = pytest.mark.parametrize("spec", NAMES, indirect=True)


@every_agent
@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_plays_every_variant_to_the_end(spec: str, options: dict[str, Any]) -> None:
    agent = agents.make(spec, seed=1)
    for seed in range(3):
        game = ttr_env.Game(seed=seed, **options)
        while game.player >= 0:
            game.step(agent.act(game))
        assert game.result()["winners"]


@every_agent
@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_chooses_by_what_it_may_know(spec: str, options: dict[str, Any]) -> None:
    rng, dealer = random.Random(1), np.random.default_rng(0)
    for seed in range(4):
        game = ttr_env.Game(seed=seed, **options)
        others = agents.make("planner" if seed % 2 else "random", seed)
        while game.player >= 0:
            if rng.random() < 0.2:
                choices = {agents.make(spec, seed=5).act(game.determinize(game.player, dealer)) for _ in range(3)}
                assert choices == {agents.make(spec, seed=5).act(game)}
            game.step(others.act(game))


@every_agent
def test_one_game_at_a_time_or_many(spec: str) -> None:
    batch = ttr_env.Batch(games=16, players=3, seed=2)
    one, many = agents.make(spec, seed=7), agents.make(spec, seed=7)
    rows = np.array([1, 4, 5, 9, 15])
    for _ in range(60):
        assert many.act_batch(batch, rows).tolist() == [one.act(batch.game(row)) for row in rows]
        batch.step(batch.sample())


def win_rate(first: str, others: str, players: int, deals: int) -> float:
    """How often one agent wins against others, with every seat in each deal; a shared win counts its share."""
    seated = {first: agents.make(first, 1), others: agents.make(others, 2)}
    won = 0.0
    for deal in range(deals):
        for seat in range(players):
            game = ttr_env.Game(players=players, seed=deal)
            while game.player >= 0:
                game.step(seated[first if game.player == seat else others].act(game))
            winners = game.result()["winners"]
            won += (seat in winners) / len(winners)
    return won / (deals * players)


@pytest.mark.parametrize(
    ("first", "others", "players", "least"),
    [
        ("planner", "random", 2, 0.97),
        ("planner", "greedy", 2, 0.9),
        ("planner", "racer", 2, 0.75),
        ("racer", "greedy", 2, 0.9),
        ("greedy", "random", 2, 0.9),
        ("planner", "racer", 4, 0.5),
    ],
)
def test_the_ladder_holds(first: str, others: str, players: int, least: float) -> None:
    assert win_rate(first, others, players, deals=60 // players) >= least


class FirstLegal:
    """An agent of a user's own."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def act(self, game: ttr_env.Game) -> int:
        return int(game.legal_actions()[0])


def test_own_agents_by_module_and_class() -> None:
    agent = agents.make(f"{__name__}:FirstLegal", seed=3)
    assert agent.seed == 3 and agent.act(ttr_env.Game(seed=0)) == ttr_env.Game(seed=0).legal_actions()[0]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("planer", "did you mean 'planner'.*random, greedy, racer, planner"),
        ("nobody", "the agents are"),
        ("no.such.module:Agent", "cannot be found"),
        ("fractions:Fraction", "cannot be made with seed="),
        ("planner:speed=3", "no option 'speed'; its options are: version"),
        ("policy:", "names no file: policy:FILE"),
        ("ismcts:fast", "'fast' is no option; write name=value"),
        ("ismcts:depth=3", "no option 'depth'; its options are: iterations, seconds, version"),
        ("ismcts:iteration=3", r"no option 'iteration' \(did you mean 'iterations'\?\)"),
        ("champion:iterations=3", "no option 'iterations'; its options are: version"),
        ("ismtcs:iterations=3", r"cannot be found \(did you mean 'ismcts'\?\)"),
        ("polcy:file.npz", r"did you mean 'policy'\?"),
        (":Agent", "the module's whole name is needed"),
        (".mine:Agent", "the module's whole name is needed"),
        ("ismcts:iterations=0", "iterations must be a number above 0, not 0"),
        ("ismcts:iterations=9,seconds=1", "not both"),
        ("collections:Counter", "no act"),
    ],
)
def test_unknown_agents(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        agents.make(spec)


def test_an_agent_is_named_by_text() -> None:
    with pytest.raises(TypeError, match="a name such as 'planner' is needed, not 3"):
        agents.make(3)


def test_a_module_that_is_no_python_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half_written.py").write_text("class Mine(:\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match=r"'half_written:Mine' cannot be found: .*line 1"):
        agents.make("half_written:Mine")
