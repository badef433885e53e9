"""`reset(options={"snapshot": ...})`: episodes that begin in a position, in every environment."""

from typing import Any

import gymnasium
import numpy as np
import pytest

import ttr_env
from tests.helpers.seen import same
from ttr_env import Game, SnapshotError

ID = "ttr_env/Nederland-v0"
KINDS = {
    "env": ttr_env.env,
    "raw_env": ttr_env.raw_env,
    "parallel_env": ttr_env.parallel_env,
    "single": lambda **options: gymnasium.make(ID, **options).unwrapped,
    "vector": lambda **options: gymnasium.make_vec(ID, num_envs=2, **options).unwrapped,
}
every_kind = pytest.mark.parametrize("kind", KINDS)


def middle(decisions: int = 41, **options: Any) -> Game:
    game, rng = Game("nederland", seed=5, **options), np.random.default_rng(0)
    while len(game.actions) < decisions:
        game.step(game.sample(rng))
    return game


def games_of(env: Any) -> list[Game]:
    if hasattr(env, "num_envs"):
        return [env.game(row) for row in range(env.num_envs)]
    return [env.unwrapped.game]


@every_kind
@pytest.mark.parametrize("players", [2, 3])
def test_an_episode_begins_in_the_position(kind: str, players: int) -> None:
    env: Any = KINDS[kind](players=players)
    game = middle(players=players)
    for _ in range(2):  # also where no episode was running, and where one was
        env.reset(seed=1, options={"snapshot": game.snapshot()})
        assert all(each == game for each in games_of(env))
        env.reset(seed=2)
        assert not any(each == game for each in games_of(env))


BAD = {
    "no snapshot": ({"map": "nederland"}, "snapshot"),
    "other number of players": (middle(players=3).snapshot(), "players: 2 is needed here, not 3"),
    "other rules": (middle(tolls=False).snapshot(), "tolls: True is needed here, not False"),
    "other map": (Game("usa", seed=1).snapshot(), "map: nederland is needed here, not usa"),
    "over": (middle().playout("random", np.random.default_rng(0)).snapshot(), "the game is over"),
    "impossible": (middle().snapshot() | {"round": -1}, "round"),
}


@every_kind
@pytest.mark.parametrize("bad", BAD)
def test_a_bad_snapshot_is_refused_and_the_episode_stays(kind: str, bad: str) -> None:
    env: Any = KINDS[kind]()
    env.reset(seed=1)
    before = [game.snapshot() for game in games_of(env)]
    snapshot, message = BAD[bad]
    with pytest.raises(SnapshotError, match=message):
        env.reset(seed=2, options={"snapshot": snapshot})
    assert [game.snapshot() for game in games_of(env)] == before
    other: Any = KINDS[kind]()
    other.reset(seed=1)
    for each in (env, other):
        each.reset()
    assert games_of(env) == games_of(other)  # the seeds that follow stay, too


# PettingZoo -------------------------------------------------------------------------------------


def test_pettingzoo_plays_on_as_the_game_would() -> None:
    env, game = ttr_env.raw_env(reward="score"), middle()
    env.reset(options={"snapshot": game.snapshot()})
    assert env.agent_selection == f"player_{game.player}"
    for _ in env.agent_iter():
        _, _, terminated, _, _ = env.last()
        action = None if terminated else int(game.legal_actions()[0])
        env.step(action)
        if action is not None:
            game.step(action)
    assert game.over and env.unwrapped.game == game


def test_a_game_from_a_snapshot_has_a_record() -> None:
    env, game = ttr_env.raw_env(), middle()
    env.reset(options={"snapshot": game.snapshot()})
    env.step(int(game.legal_actions()[0]))
    assert Game.replay(env.game.record()) == env.game


# Gymnasium --------------------------------------------------------------------------------------


def test_the_learner_is_the_player_to_move() -> None:
    env = KINDS["single"](players=3)
    for decisions in range(30, 40):
        game = middle(decisions, players=3)
        observation, info = env.reset(seed=1, options={"snapshot": game.snapshot()})
        assert env.seat == game.player
        assert same(observation, game.observe(game.player)) and np.array_equal(info["action_mask"], game.action_mask())


@pytest.mark.parametrize("kind", ["single", "vector"])
def test_a_fixed_seat_has_to_be_to_move(kind: str) -> None:
    game = middle()
    env: Any = KINDS[kind](seat=game.player)
    env.reset(options={"snapshot": game.snapshot()})
    other: Any = KINDS[kind](seat=1 - game.player)
    with pytest.raises(SnapshotError, match=f"but player {game.player} is to move; with seat=None"):
        other.reset(options={"snapshot": game.snapshot()})


@pytest.mark.parametrize("opponents", ["planner", "tests.agents.test_agents:FirstLegal"])
def test_a_seed_repeats_the_episode_and_the_past_is_kept(opponents: str) -> None:
    env, snapshot = KINDS["single"](opponents=opponents), middle().snapshot()
    runs = []
    for _ in range(2):
        env.reset(seed=4, options={"snapshot": snapshot})
        terminated = False
        while not terminated:
            _, _, terminated, _, _ = env.step(int(env.action_masks().argmax()))
        runs.append(env.game)
    assert runs[0] == runs[1] and runs[0].actions == runs[1].actions
    record = runs[0].record()
    assert record["seed"] is None and record["start"] == snapshot
    assert Game.replay(record) == runs[0]
    env.reset()
    assert env.game.record()["seed"] is not None


def test_each_row_has_a_position_of_its_own_or_a_deal() -> None:
    envs = gymnasium.make_vec(ID, num_envs=3).unwrapped
    envs.reset(seed=1)
    running, one, other = envs.game(0), middle(30), middle(33)
    envs.reset(options={"snapshot": [None, one.snapshot(), other.snapshot()], "reset_mask": [False, True, True]})
    assert [envs.game(row) for row in range(3)] == [running, one, other]
    envs.reset(options={"snapshot": [other.snapshot(), None, None]})
    assert envs.game(0) == other and envs.game(1) != one and not envs.game(1).actions


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_a_row_plays_on_as_a_single_environment_and_then_deals(mode: str) -> None:
    game = middle()
    envs = gymnasium.make_vec(ID, num_envs=2, opponents="planner", autoreset_mode=mode).unwrapped
    single = KINDS["single"](opponents="planner")
    observations, _ = envs.reset(seed=6, options={"snapshot": game.snapshot()})
    observation, _ = single.reset(seed=6, options={"snapshot": game.snapshot()})
    terminated = False
    while not terminated:
        assert same(observation, observations[0])
        action = int(single.action_masks().argmax())
        observation, reward, terminated, _, _ = single.step(action)
        observations, rewards, ended, _, _ = envs.step(envs.action_masks().argmax(axis=1))
        assert rewards[0] == pytest.approx(reward) and ended[0] == terminated
    if mode == "NextStep":
        observations, *_ = envs.step(np.zeros(2, np.int64))
    assert same(single.reset()[0], observations[0])


def test_a_list_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="a list of 2, is needed, not 1"):
        KINDS["vector"]().reset(options={"snapshot": [middle().snapshot()]})
    with pytest.raises(SnapshotError, match=r"^row 1: players"):
        KINDS["vector"]().reset(options={"snapshot": [middle().snapshot(), middle(players=3).snapshot()]})
