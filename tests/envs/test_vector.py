"""The vector environment beside single environments, step by step."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.helpers.variants import EVERYWHERE
from ttr_env import Game, IllegalAction
from ttr_env.engine.scoring import SCORES

ID = "ttr_env/Nederland-v0"
OWN = "tests.agents.test_agents:FirstLegal"


def first_legal(masks: np.ndarray) -> np.ndarray:
    return masks.argmax(axis=1)


OPTIONS: list[dict[str, Any]] = [
    *EVERYWHERE,
    {"players": 3, "features": "planning", "reward": "dense", "seat": 1},
    {"players": 2, "reward": "margin", "max_decisions": 50, "tolls_visible": True},
    {"players": 3, "opponents": ["racer", "planner"]},
    {"players": 2, "opponents": "greedy", "neutral_player": True, "tolls": True},
    {"players": 2, "opponents": "tests.agents.test_agents:FirstLegal", "reward": "dense"},
    {
        "players": 4,
        "opponents": ["tests.agents.test_agents:FirstLegal", "planner", "tests.agents.test_agents:FirstLegal"],
    },
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_equals_single_environments(options: dict[str, Any]) -> None:
    rows, seed = 4, 30
    vector = gymnasium.make_vec(ID, num_envs=rows, **options)
    singles = [gymnasium.make(ID, **options).unwrapped for _ in range(rows)]
    observations, infos = vector.reset(seed=seed)
    for row, single in enumerate(singles):
        observation, info = single.reset(seed=seed + row)
        assert np.array_equal(observation, observations[row])
        assert np.array_equal(info["action_mask"], infos["action_mask"][row])
    ended = 0
    for step in range(150):
        masks = vector.action_masks()
        actions = [int(np.flatnonzero(mask)[step % mask.sum()]) for mask in masks]
        if step % 31 == 30:
            actions[step % rows] = int(np.flatnonzero(~masks[step % rows])[0])  # illegal
        observations, rewards, terminated, truncated, infos = vector.step(np.array(actions))
        for row, single in enumerate(singles):
            observation, reward, *ends, info = single.step(actions[row])
            assert rewards[row] == pytest.approx(reward, abs=1e-6)
            assert ends == [terminated[row], truncated[row]]
            if any(ends):
                ended += 1
                check_final(infos, row, observation, info)
                observation, info = single.reset()
            assert np.array_equal(observation, observations[row])
            assert np.array_equal(info["action_mask"], infos["action_mask"][row])
    assert ended > 3


def check_final(infos: dict[str, Any], row: int, observation: np.ndarray, info: dict[str, Any]) -> None:
    assert infos["_final_obs"][row] and infos["_final_info"][row]
    assert np.array_equal(infos["final_obs"][row], observation)
    final = infos["final_info"]
    assert final["illegal_action"][row] == ("illegal_action" in info)
    if "total" in info:
        assert [final[name][row] for name in SCORES] == [info[name] for name in SCORES]


def test_spaces_and_autoreset_mode() -> None:
    vector = gymnasium.make_vec(ID, num_envs=3)
    assert vector.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, _ = vector.reset(seed=0)
    assert observations in vector.observation_space
    assert vector.action_space.sample() in vector.action_space


def test_arrays_are_fresh() -> None:
    vector = gymnasium.make_vec(ID, num_envs=3)
    observations, infos = vector.reset(seed=0)
    kept = observations.copy(), infos["action_mask"].copy()
    step = vector.step(first_legal(infos["action_mask"]))
    assert np.array_equal(kept[0], observations) and np.array_equal(kept[1], infos["action_mask"])
    assert not np.shares_memory(step[0], observations)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_continue_identically(duplicate: Any) -> None:
    vector = gymnasium.make_vec(ID, num_envs=5, players=3).unwrapped
    _, infos = vector.reset(seed=1)
    for _ in range(20):
        infos = vector.step(first_legal(infos["action_mask"]))[4]
    other = duplicate(vector)
    for _ in range(60):
        one, two = (env.step(first_legal(env.action_masks())) for env in (vector, other))
        assert all(np.array_equal(a, b) for a, b in zip(one[:4], two[:4], strict=True))


def test_reset_of_some_rows() -> None:
    vector = gymnasium.make_vec(ID, num_envs=3)
    _, infos = vector.reset(seed=0)
    observations, *_ = vector.step(first_legal(infos["action_mask"]))
    again, _ = vector.reset(options={"reset_mask": np.array([False, True, False])})
    assert np.array_equal(again[[0, 2]], observations[[0, 2]])
    assert not np.array_equal(again[1], observations[1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponents": "nobody"}, "agent 'nobody' is unknown"),
        ({"opponents": [3]}, "neither an agent's name nor an object"),
        ({"opponents": "champion", "map": "usa"}, "trained on 'nederland' and cannot play 'usa'"),
        ({"seat": 9}, "seats are 0 to 1"),
        ({"reward": "x"}, "win, margin"),
        ({"features": "x"}, "base, planning"),
        ({"num_envs": 0}, "at least 1"),
        ({"render_mode": "human"}, "not drawn"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        gymnasium.make_vec(ID, **{"num_envs": 2} | options)


def test_bad_calls() -> None:
    vector = gymnasium.make_vec(ID, num_envs=2).unwrapped
    with pytest.raises(gymnasium.error.ResetNeeded):
        vector.step(np.zeros(2, np.int64))
    vector.reset(seed=0)
    with pytest.raises(ValueError, match="2 whole numbers"):
        vector.step(np.zeros(3, np.int64))
    with pytest.raises(ValueError, match="2 whole numbers"):
        vector.step(np.zeros(2))


class Stubborn:
    """An opponent that ignores what is legal."""

    def act(self, game: Game) -> int:
        return 600


def test_an_opponents_illegal_action_is_an_error() -> None:
    with pytest.raises(IllegalAction, match=r"row \d: an opponent, .*Stubborn.*, chose an illegal action"):
        gymnasium.make_vec(ID, num_envs=2, seat=1, opponents=Stubborn()).reset(seed=1)


def test_line_ups_change_from_episode_to_episode() -> None:
    vector = gymnasium.make_vec(ID, num_envs=3, players=3, max_decisions=30).unwrapped
    numbers = [vector.enlist(name) for name in ("racer", OWN)]
    assert numbers == [2, -1]
    vector.line_up(np.arange(3), np.array([[2, -1], [-1, 2], [0, 0]]))
    _, infos = vector.reset(seed=3)
    assert vector.facing.tolist() == [[2, -1], [-1, 2], [0, 0]]
    vector.line_up(np.array([0]), np.array([[3, 3]]))
    for _ in range(30):
        *_, infos = vector.step(first_legal(infos["action_mask"]))
    assert vector.facing.tolist() == [[3, 3], [-1, 2], [0, 0]]


def test_goes_on_from_a_state() -> None:
    vectors = [gymnasium.make_vec(ID, num_envs=3, players=2, opponents="random").unwrapped for _ in range(2)]
    vectors[0].reset(seed=3)
    for step in range(40):
        if step == 20:
            vectors[1].restore(vectors[0].state())
        results = [vector.step(first_legal(vector.action_masks())) for vector in vectors[: 1 + (step >= 20)]]
        for first, second in zip(results[0][:4], results[-1][:4], strict=True):
            assert np.array_equal(first, second)
