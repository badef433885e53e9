"""The batch as an environment of TorchRL: its own check, the games that it plays, and its collector."""

from typing import Any

import numpy as np
import pytest
import torch
from gymnasium.error import ClosedEnvironmentError
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, StepCounter, TransformedEnv
from torchrl.envs.utils import check_env_specs

from benchmarks import libraries
from tests.helpers.variants import EVERYWHERE, variant_name
from tests.helpers.without import run_without
from ttr_env import Batch, Game, IllegalAction
from ttr_env.torchrl import BatchEnv


@pytest.fixture(autouse=True)
def one_thread_and_one_seed() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_specs(options: dict[str, Any]) -> None:
    check_env_specs(BatchEnv(games=4, **options), seed=0, break_when_any_done="both")


@pytest.mark.parametrize(
    "options",
    [
        {"features": "planning", "reward": "dense"},
        {"players": 3, "bots": [None, "planner", "greedy"], "seat": None},
        {"max_decisions": 2},
    ],
    ids=lambda options: next(iter(options)),
)
def test_specs_with_other_options(options: dict[str, Any]) -> None:
    check_env_specs(BatchEnv(games=4, **options), seed=0, break_when_any_done="both")
    check_env_specs(TransformedEnv(BatchEnv(games=4, **options), ActionMask()), seed=0)


def test_it_plays_the_games_of_the_batch() -> None:
    env, batch = BatchEnv(games=5, players=3, reward="dense"), Batch(games=5, players=3, reward="dense", seed=9)
    env.set_seed(9)
    steps = env.rollout(1500, env.sample, break_when_any_done=False)
    assert steps["next", "done"].sum() > 15
    for time in range(steps.shape[1]):
        now = steps[:, time]
        assert np.array_equal(now["observation"], batch.observations)
        assert np.array_equal(now["action_mask"], batch.masks) and now["action_mask"].dtype == torch.bool
        assert np.array_equal(now["mover"][:, 0], batch.movers)
        batch.step(now["action"].numpy())
        assert np.array_equal(now["next", "reward"], batch.rewards)
        for name in ("done", "terminated", "truncated"):
            assert np.array_equal(now["next", name][:, 0], getattr(batch, name))
        assert np.array_equal(now["next", "observation"][batch.done], batch.final_observations[batch.done])


def test_where_a_game_is_over_the_mask_is_ones_and_the_view_is_of_who_moved_last() -> None:
    env = BatchEnv(games=6, players=4)
    steps = env.rollout(800, env.sample, break_when_any_done=False)
    over = steps["next", "terminated"][..., 0]
    assert over.sum() > 6
    assert steps["next", "action_mask"][over].all()
    assert torch.equal(steps["next", "mover"][over], steps["mover"][over])
    goes_on = ~steps["next", "done"][:, :-1, 0]
    assert torch.equal(steps["next", "mover"][:, :-1][goes_on], steps["mover"][:, 1:][goes_on])


def test_rewards_are_for_each_seat() -> None:
    env = BatchEnv(games=4, players=4, reward="score")
    steps = env.rollout(800, env.sample, break_when_any_done=False)
    row, time = steps["next", "done"][..., 0].nonzero()[0].tolist()
    game = Game(players=4, seed=int(Batch(games=4, players=4).seeds[row]))
    for action in steps["action"][row, : time + 1].tolist():
        game.step(action)
    totals = [seat["total"] / 100 for seat in game.result()["seats"]]
    assert steps["next", "reward"][row, time].tolist() == pytest.approx(totals)


def test_a_seed_repeats_and_games_go_on_without_one() -> None:
    env = BatchEnv(games=3)
    first, second = env.reset()["observation"], env.reset()["observation"]
    assert not torch.equal(first, second)
    env.set_seed(0)
    assert torch.equal(env.reset()["observation"], first)


def middle(decisions: int = 31, **options: Any) -> Game:
    game, rng = Game("nederland", seed=5, **options), np.random.default_rng(0)
    while len(game.actions) < decisions:
        game.step(game.sample(rng))
    return game


def test_games_begin_in_positions() -> None:
    env, game = BatchEnv(games=3, players=3, seed=9), middle(players=3)
    state = env.reset(options={"snapshot": game.snapshot()})
    assert all(env.batch.game(row) == game for row in range(3))
    assert np.array_equal(state["observation"][1], game.observe(game.player))
    assert np.array_equal(state["action_mask"][1], game.action_mask()) and state["mover"][1].item() == game.player
    assert env.check_env_specs() is None
    env.set_seed(9)
    env.reset(options={"snapshot": [None, game.snapshot(), None]})
    dealt = BatchEnv(games=3, players=3, seed=9)
    dealt.reset()
    assert [env.batch.game(row) == dealt.batch.game(row) for row in range(3)] == [True, False, True]
    assert env.batch.game(1) == game
    some = state.empty().set("_reset", torch.tensor([[True], [False], [False]]))
    env.reset(some, options={"snapshot": game.snapshot()})
    assert [env.batch.game(row) == game for row in range(3)] == [True, True, False]


def test_place_0_is_the_player_to_move_where_seats_are_drawn() -> None:
    for decisions in range(30, 36):
        game = middle(decisions, players=3)
        env = BatchEnv(games=2, players=3, bots=[None, "planner", "greedy"], seat=None)
        assert env.reset(options={"snapshot": game.snapshot()})["mover"].flatten().tolist() == [game.player] * 2
        assert env.batch.game(0) == game


def test_a_bad_reset_is_refused_and_the_games_stay() -> None:
    env = BatchEnv(games=2)
    env.reset()
    before = env.batch.records.copy()
    with pytest.raises(ValueError, match="players: 2 is needed here, not 3"):
        env.reset(options={"snapshot": middle(players=3).snapshot()})
    with pytest.raises(ValueError, match="'players' is unknown"):
        env.reset(options={"players": 3})
    assert np.array_equal(env.batch.records, before)


def test_an_illegal_action_names_the_row_and_nothing_moves() -> None:
    env = BatchEnv(games=3)
    state = env.reset()
    before = env.batch.records.copy()
    actions = state["action_mask"].float().argmax(1)
    actions[1] = 0
    with pytest.raises(IllegalAction, match="row 1: action 0"):
        env.step(state.set("action", actions))
    assert np.array_equal(env.batch.records, before)


def test_features_of_actions_are_refused() -> None:
    with pytest.raises(ValueError, match="are no vector"):
        BatchEnv(games=2, features="actions")


@pytest.mark.parametrize("policy", ["spec", "sample"])
def test_its_collector(policy: str) -> None:
    env = TransformedEnv(BatchEnv(games=16, players=2, max_decisions=50), ActionMask()).append_transform(StepCounter())
    choose = env.rand_action if policy == "spec" else env.base_env.sample
    collector = Collector(env, choose, frames_per_batch=16 * 40, total_frames=16 * 120)
    steps = torch.cat(list(collector), dim=1)
    collector.shutdown()
    assert steps.shape == (16, 120)
    assert steps["action_mask"].gather(-1, steps["action"].unsqueeze(-1)).all()
    assert (steps["next", "truncated"].sum(1) == 2).all() and steps["next", "step_count"].max() == 50


def test_it_is_measured_beside_the_wrapped_environment() -> None:
    assert libraries.main(["--repeats", "1", "--effort", "1", "--only", "torchrl"])[libraries.BATCHED] > 0


def test_without_torchrl_the_import_says_what_to_install() -> None:
    done = run_without(["torchrl"], "import ttr_env.torchrl")
    assert done.stderr.splitlines()[-1] == "ImportError: ttr_env.torchrl needs TorchRL: pip install torchrl"


def test_a_step_after_close_is_an_error_until_reset() -> None:
    env = BatchEnv(games=4, players=2, seed=0)
    state = env.reset()
    env.close()
    with pytest.raises(ClosedEnvironmentError, match=r"was closed; call reset\(\) before step\(\)"):
        env.step(env.sample(state))
    assert len(env.rollout(2)) == 4
