"""Games played to their end from a position, by whoever: `Game.playout` and `playouts`."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.helpers.networks import Asked, random_scorer
from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import Game, agents, playouts
from ttr_env.agents import policy_file
from ttr_env.agents.scoring import ScoringAgent

OWN = "tests.agents.test_agents:FirstLegal"


def middle(decisions: int = 40, **options: Any) -> Game:
    game, rng = Game(seed=5, **options), np.random.default_rng(0)
    while len(game.actions) < decisions:
        game.step(game.sample(rng))
    return game


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_a_playout_is_a_finished_game_from_the_position_on(options: dict[str, Any]) -> None:
    game = middle(**options)
    before = game.snapshot()
    played = game.playout("planner", rng())
    assert played.over and played.result()["winners"]
    assert game.snapshot() == before
    assert played.record()["start"] == before | {"rng": played.record()["start"]["rng"]}  # all but chance to come
    assert Game.replay(played.record()) == played


def test_the_generator_decides_what_is_drawn() -> None:
    game = middle()
    one, same, other = (game.playout("planner", rng(seed)) for seed in (1, 1, 2))
    assert one == same and one.actions == same.actions
    assert one.actions != other.actions


def test_bots_play_what_the_agents_of_their_name_play() -> None:
    game = middle(players=3)
    lineup = ["planner", "racer", "planner:version=1"]
    played = game.playout(lineup, rng(3))
    again = Game.from_snapshot(played.record()["start"])
    assert agents.play(again, lineup) == played


@pytest.mark.parametrize("spec", ["champion", "planner:version=2", "champion:version=1", OWN])
def test_players_by_name(spec: str) -> None:
    assert middle().playout([spec, "random"], rng()).over


def test_a_policy_file_plays_in_compiled_code_what_it_would_play_if_it_were_asked(tmp_path: Path) -> None:
    policy_file.save(random_scorer(3), tmp_path / "policy.npz")
    game = middle()
    from_file = game.playout([f"policy:{tmp_path / 'policy.npz'}", "greedy"], rng())
    by_agent = game.playout([ScoringAgent(random_scorer(3)), "greedy"], rng())
    asked = game.playout([Asked(random_scorer(3)), "greedy"], rng())
    assert from_file == by_agent == asked


def test_a_game_that_is_over_stays_so() -> None:
    over = middle().playout("random", rng())
    assert over.playout("planner", rng()).actions == []
    assert playouts(start=over, games=2).decisions == 0


def test_many_playouts_from_a_position_differ_and_repeat() -> None:
    game = middle(players=3)
    before = game.copy()
    one, again = (playouts(start=game, games=30, policy="planner", seed=4) for _ in range(2))
    assert one.totals.shape == (30, 3) and np.array_equal(one.totals, again.totals)
    assert len(np.unique(one.totals, axis=0)) > 20
    assert not np.array_equal(one.totals, playouts(start=game, games=30, policy="planner", seed=5).totals)
    assert np.array_equal(one.totals[:10], playouts(start=game, games=10, policy="planner", seed=4).totals)
    assert game == before


def test_threads_and_asking_do_not_change_the_games() -> None:
    game = middle()
    one = playouts(start=game, games=300, policy=["planner", "racer"])
    assert np.array_equal(one.totals, playouts(start=game, games=300, policy=["planner", "racer"], threads=2).totals)
    asked = playouts(start=game, games=5, policy=[OWN, "planner"])
    assert np.array_equal(asked.totals, playouts(start=game, games=5, policy=[agents.make(OWN), "planner"]).totals)


def test_stronger_players_do_better_from_the_deal_and_from_a_position() -> None:
    for options in ({"players": 2}, {"start": Game(players=2, seed=1)}):
        mean = playouts(games=60, policy=["planner", "random"], **options).totals.mean(axis=0)
        assert mean[0] > mean[1] + 50


def test_what_does_not_fit_is_refused() -> None:
    game = middle()
    with pytest.raises(ValueError, match="leave out map, players"):
        playouts("nederland", start=game, players=2)
    with pytest.raises(ValueError, match="a list of 2 by seat"):
        playouts(start=game, policy=["planner"] * 3)
    with pytest.raises(ValueError, match="did you mean 'planner'"):
        playouts(start=game, policy="plannr")
    with pytest.raises(TypeError, match="a numpy Generator is needed"):
        game.playout("planner", 3)  # type: ignore[arg-type]
