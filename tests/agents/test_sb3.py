"""Models of Stable-Baselines3 as players: each sees what it was trained to see."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor

from ttr_env import Batch, Game, agents
from ttr_env.agents.inputs import Sight
from ttr_env.agents.sb3 import FromSB3
from ttr_env.learning.sb3 import LearnerVecEnv
from ttr_env.learning.sb3.policy import Policy

Saved = Callable[..., str]


@pytest.fixture
def saved(tmp_path: Path) -> Saved:
    """Saves a model that was not trained, and gives its specification."""

    def save(kind: Any = "MlpPolicy", described: bool = True, monitored: bool = False, **options: Any) -> str:
        env: Any = LearnerVecEnv(games=2, **options)
        if not described:
            del env.observation_space.sight
        if monitored:
            env = VecMonitor(env)
        MaskablePPO(kind, env, n_steps=8, batch_size=8, seed=0, device="cpu").save(tmp_path / "model.zip")
        return f"sb3:{tmp_path}/model.zip"

    return save


@pytest.mark.slow
@pytest.mark.parametrize("monitored", [False, True])
@pytest.mark.parametrize("kind", ["MlpPolicy", Policy], ids=["plain", "own"])
@pytest.mark.parametrize("adviser", ["greedy", "racer", "planner", None])
def test_a_model_is_advised_by_whom_it_was_trained_with(
    saved: Saved, kind: Any, adviser: str | None, monitored: bool
) -> None:
    spec = saved(kind, adviser=adviser, features="planning", tolls_visible=True, monitored=monitored)
    sight = agents.make(spec).sight  # type: ignore[attr-defined]
    assert (sight.adviser, sight.features, sight.tolls_visible) == (adviser, "planning", True)


def test_what_it_is_told_is_the_racers_choice(saved: Saved) -> None:
    agent = agents.make(saved(adviser="racer"))
    batch, rows = Batch(games=40, seed=3), np.arange(40)
    for _ in range(60):
        batch.step(batch.sample())
    seen, _ = agent.sight.see(batch, rows)  # type: ignore[attr-defined]
    advice = np.rint(seen[:, -1] * batch.num_actions).astype(int) - 1
    choices = [agents.make(name).act_batch(batch, rows) for name in ("racer", "planner")]  # type: ignore[attr-defined]
    assert np.array_equal(advice, choices[0]) and not np.array_equal(advice, choices[1])


def test_ones_own_map(saved: Saved, tiny_board: Path) -> None:
    agent, batch = agents.make(saved(map=tiny_board)), Batch(tiny_board, games=3, seed=1)
    assert batch.masks[np.arange(3), agent.act_batch(batch, np.arange(3))].all()  # type: ignore[attr-defined]


def test_saved_again_after_loading_it_still_knows(saved: Saved, tmp_path: Path) -> None:
    model = MaskablePPO.load(saved(adviser="racer").removeprefix("sb3:"), env=LearnerVecEnv(games=2, adviser="racer"))
    model.save(tmp_path / "again.zip")
    assert FromSB3(tmp_path / "again.zip").sight.adviser == "racer"


def test_a_map_that_has_changed_or_gone_is_refused(saved: Saved, tiny_board: Path) -> None:
    spec = saved(map=tiny_board)
    tickets = tiny_board / "tickets.csv"
    tickets.write_text(tickets.read_text().replace("A,D,3", "A,D,5"))
    with pytest.raises(ValueError, match=r"SB3 model .* was trained on another version of the map"):
        agents.make(spec)
    tiny_board.rename(tiny_board.with_name("moved"))
    with pytest.raises(ValueError, match=r"SB3 model .* plays a map that is not here"):
        agents.make(spec)


def test_a_damaged_description_is_refused(tmp_path: Path) -> None:
    env = LearnerVecEnv(games=2)
    env.observation_space.sight = {"map": "nederland"}  # type: ignore[attr-defined]
    MaskablePPO("MlpPolicy", env, n_steps=8, device="cpu").save(tmp_path / "model.zip")
    with pytest.raises(ValueError, match="does not say rightly what it was trained to see"):
        FromSB3(tmp_path / "model.zip")


def test_without_a_description_one_sight_that_fits_is_taken(saved: Saved) -> None:
    agent = FromSB3(saved(described=False, map="usa", features="planning").removeprefix("sb3:"))
    assert (agent.sight.map.name, agent.sight.features, agent.sight.adviser) == ("usa", "planning", None)


def test_without_a_description_nothing_is_guessed_where_several_fit(saved: Saved) -> None:
    spec = saved(described=False, adviser="racer")
    with pytest.raises(
        ValueError,
        match=r"more than one thing fits: .*by racer; .*by planner; .*by planner:version=2\. Tell it",
    ):
        agents.make(spec)
    told = FromSB3(spec.removeprefix("sb3:"), sight=Sight("nederland", adviser="racer"))
    assert told.act_batch(Batch(games=2, seed=1), np.arange(2)).shape == (2,)


def test_without_a_description_a_map_of_ones_own_is_not_found(saved: Saved, tiny_board: Path) -> None:
    with pytest.raises(ValueError, match="which are those of no map and features"):
        agents.make(saved(described=False, map=tiny_board))


@pytest.mark.parametrize("kind", ["MlpPolicy", Policy], ids=["plain", "own"])
def test_explains_with_the_models_probabilities(saved: Saved, kind: Any) -> None:
    agent = agents.make(saved(kind, adviser="racer"))
    game = Game(seed=3)
    explained = agents.explain(agent, game)
    assert explained == agents.explain(agent, game) and explained.choice == agent.act(game)
    assert explained.choice == explained.options[0].action
    assert {thought.action for thought in explained.options} == set(game.legal_actions().tolist())
    assert sum(thought.probability for thought in explained.options) == pytest.approx(1, abs=1e-5)  # type: ignore[misc]
    assert explained.value is not None and np.isfinite(explained.value)
