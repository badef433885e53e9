"""The vector environment beside single environments, step by step."""

import copy
import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.helpers.networks import Asked, random_scorer
from tests.helpers.seen import copied, row, same
from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import Game, IllegalAction
from ttr_env.agents import policy_file
from ttr_env.agents.scoring import ScoringAgent
from ttr_env.bots.built_in import FIRST_NETWORK
from ttr_env.engine.scoring import SCORES

ID = "ttr_env/Nederland-v0"
TOLD = ("illegal_action", "action_taken", *SCORES)
OWN = "tests.agents.test_agents:FirstLegal"


def option_name(options: dict[str, Any]) -> str:
    return ", ".join(f"{name} {kind}" for name, value in options.items() for kind in [without_address(value)])


def without_address(value: Any) -> str:
    """Agents are named by their class: where they lie in memory differs from process to process."""
    values = value if isinstance(value, list) else [value]
    return " ".join(str(each) if isinstance(each, str | int | None) else type(each).__name__ for each in values)


def first_legal(masks: np.ndarray) -> np.ndarray:
    return masks.argmax(axis=1)


OPTIONS: list[dict[str, Any]] = [
    *EVERYWHERE,
    {"players": 3, "features": "planning", "reward": "dense", "seat": 1},
    {"players": 2, "reward": "margin", "max_decisions": 50, "tolls_visible": True},
    {"players": 3, "features": "actions", "opponents": "racer"},
    {"players": 2, "features": "actions", "reward": "margin", "max_decisions": 50, "map": "nordic"},
    {"players": 2, "features": "actions", "opponents": OWN, "max_decisions": 51},
    {"players": 3, "features": "actions", "opponents": ScoringAgent(random_scorer(1)), "max_decisions": 70},
    {"players": 3, "opponents": ["planner", ScoringAgent(random_scorer(1), temperature=1.0)], "max_decisions": 60},
    {"players": 3, "opponents": ["racer", "planner"]},
    {"players": 2, "opponents": "greedy", "neutral_player": True, "tolls": True},
    {"players": 2, "opponents": OWN, "reward": "dense"},
    {
        "players": 4,
        "opponents": ["tests.agents.test_agents:FirstLegal", "planner", "tests.agents.test_agents:FirstLegal"],
    },
]


@pytest.mark.parametrize("options", OPTIONS, ids=option_name)
def test_equals_single_environments(options: dict[str, Any]) -> None:
    rows, seed = 4, 30
    vector = gymnasium.make_vec(ID, num_envs=rows, **options)
    singles = [gymnasium.make(ID, **options).unwrapped for _ in range(rows)]
    observations, infos = vector.reset(seed=seed)
    for place, single in enumerate(singles):
        observation, info = single.reset(seed=seed + place)
        assert same(observation, row(observations, place))
        assert np.array_equal(info["action_mask"], infos["action_mask"][place])
    ended = 0
    for step in range(150):
        masks = vector.action_masks()
        actions = [int(np.flatnonzero(mask)[step % mask.sum()]) for mask in masks]
        if step % 31 == 30:
            actions[step % rows] = int(np.flatnonzero(~masks[step % rows])[0])  # illegal
        observations, rewards, terminated, truncated, infos = vector.step(np.array(actions))
        assert observations in vector.observation_space
        for place, single in enumerate(singles):
            observation, reward, *ends, info = single.step(actions[place])
            assert rewards[place] == pytest.approx(reward, abs=1e-6)
            assert ends == [terminated[place], truncated[place]]
            if any(ends):
                ended += 1
                check_final(infos, place, observation, info)
                observation, info = single.reset()
            assert same(observation, row(observations, place))
            assert np.array_equal(info["action_mask"], infos["action_mask"][place])
    assert ended > 3


def check_final(infos: dict[str, Any], place: int, observation: Any, info: dict[str, Any]) -> None:
    assert infos["_final_obs"][place] and infos["_final_info"][place]
    assert same(row(infos["final_obs"], place), observation)
    final = infos["final_info"]
    assert [final[name][place] for name in TOLD] == [info[name] for name in TOLD]


every_form = pytest.mark.parametrize("features", ["base", "actions"])


@every_form
def test_spaces_and_autoreset_mode(features: str) -> None:
    vector = gymnasium.make_vec(ID, num_envs=3, features=features)
    assert vector.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, _ = vector.reset(seed=0)
    assert observations in vector.observation_space
    assert vector.action_space.sample() in vector.action_space


@every_form
def test_arrays_are_fresh(features: str) -> None:
    vector = gymnasium.make_vec(ID, num_envs=3, features=features)
    observations, infos = vector.reset(seed=0)
    kept = copied(observations), infos["action_mask"].copy()
    step = vector.step(first_legal(infos["action_mask"]))
    assert same(kept[0], observations) and np.array_equal(kept[1], infos["action_mask"])
    assert not same(step[0], observations)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@every_form
def test_copies_continue_identically(duplicate: Any, features: str) -> None:
    opponents = ["random", ScoringAgent(random_scorer(1), temperature=1.0)]
    vector = gymnasium.make_vec(ID, num_envs=5, players=3, features=features, opponents=opponents).unwrapped
    _, infos = vector.reset(seed=1)
    for _ in range(20):
        infos = vector.step(first_legal(infos["action_mask"]))[4]
    other = duplicate(vector)
    for _ in range(60):
        one, two = (env.step(first_legal(env.action_masks())) for env in (vector, other))
        assert all(same(a, b) for a, b in zip(one[:4], two[:4], strict=True))


@every_form
def test_reset_of_some_rows(features: str) -> None:
    vector = gymnasium.make_vec(ID, num_envs=3, features=features)
    _, infos = vector.reset(seed=0)
    observations, *_ = vector.step(first_legal(infos["action_mask"]))
    again, _ = vector.reset(options={"reset_mask": np.array([False, True, False])})
    assert [same(row(again, place), row(observations, place)) for place in range(3)] == [True, False, True]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponents": "nobody"}, "agent 'nobody' is unknown"),
        ({"opponents": [3]}, "neither an agent's name nor an object"),
        ({"opponents": "champion:version=1", "map": "usa"}, "trained on 'nederland' and cannot play 'usa'"),
        ({"seat": 9}, "seats are 0 to 1"),
        ({"reward": "x"}, "win, margin"),
        ({"features": "x"}, "base, planning, actions"),
        ({"features": "actions", "tolls_visible": True}, "tolls_visible"),
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


@pytest.mark.parametrize("seed", [1.5, "1", True, [1.5, 2], -1])
def test_what_is_no_seed_is_refused_and_no_row_restarts(seed: Any) -> None:
    vector = gymnasium.make_vec(ID, num_envs=2).unwrapped
    vector.reset(seed=0)
    before = [vector.game(row) for row in range(2)]
    with pytest.raises((TypeError, ValueError), match=r"^seed: a whole number"):
        vector.reset(seed=seed)
    assert [vector.game(row) for row in range(2)] == before


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


@every_form
def test_goes_on_from_a_state(features: str) -> None:
    options = {"num_envs": 3, "players": 2, "opponents": "random", "features": features}
    vectors = [gymnasium.make_vec(ID, **options).unwrapped for _ in range(2)]
    vectors[0].reset(seed=3)
    for step in range(40):
        if step == 20:
            vectors[1].restore(vectors[0].state())
        results = [vector.step(first_legal(vector.action_masks())) for vector in vectors[: 1 + (step >= 20)]]
        for first, second in zip(results[0][:4], results[-1][:4], strict=True):
            assert same(first, second)


# Networks among the opponents ------------------------------------------------------------------


def test_an_opponent_with_weights_plays_in_compiled_code_what_it_would_play_if_it_were_asked() -> None:
    agents = [ScoringAgent(random_scorer(3)), Asked(random_scorer(3))]
    vectors = [gymnasium.make_vec(ID, num_envs=4, players=2, opponents=agent).unwrapped for agent in agents]
    assert [len(vector.outside) for vector in vectors] == [0, 1]
    for vector in vectors:
        vector.reset(seed=5)
    for step in range(120):
        actions = [int(np.flatnonzero(mask)[step % mask.sum()]) for mask in vectors[0].action_masks()]
        one, other = (vector.step(np.array(actions)) for vector in vectors)
        assert all(same(a, b) for a, b in zip(one[:4], other[:4], strict=True))


def test_a_policy_file_plays_in_compiled_code(tmp_path: Path) -> None:
    policy_file.save(random_scorer(3), tmp_path / "policy.npz")
    by_name = gymnasium.make_vec(ID, num_envs=3, opponents=f"policy:{tmp_path / 'policy.npz'}").unwrapped
    by_agent = gymnasium.make_vec(ID, num_envs=3, opponents=ScoringAgent(random_scorer(3))).unwrapped
    for vector in (by_name, by_agent):
        vector.reset(seed=1)
    assert not by_name.outside and by_name.facing.tolist() == [[FIRST_NETWORK]] * 3
    for _ in range(40):
        one, other = (vector.step(first_legal(vector.action_masks())) for vector in (by_name, by_agent))
        assert all(same(a, b) for a, b in zip(one[:4], other[:4], strict=True))


def test_an_agent_with_weights_has_one_number_and_unknown_ones_are_refused() -> None:
    vector, agent = gymnasium.make_vec(ID, num_envs=2, players=3).unwrapped, ScoringAgent(random_scorer())
    assert vector.enlist(agent) == vector.enlist(agent) == FIRST_NETWORK
    assert vector.enlist(ScoringAgent(random_scorer(1))) == FIRST_NETWORK + 1
    vector.line_up(np.arange(2), np.array([[FIRST_NETWORK, FIRST_NETWORK + 1]] * 2))
    with pytest.raises(ValueError, match=f"the bots and networks are 0 to {FIRST_NETWORK + 1}"):
        vector.line_up(np.arange(2), np.array([[0, FIRST_NETWORK + 2]] * 2))


# What is hidden --------------------------------------------------------------------------------


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_K_what_is_hidden_leaves_every_byte_of_action_features_as_it_is(options: dict[str, Any]) -> None:
    vector = gymnasium.make_vec(ID, num_envs=4, features="actions", opponents="greedy", **options).unwrapped
    observations, _ = vector.reset(seed=5)
    rng, changed = np.random.default_rng(0), 0
    for step in range(60):
        actions = [int(np.flatnonzero(mask)[step % mask.sum()]) for mask in vector.action_masks()]
        observations, *_ = vector.step(np.array(actions))
        if step % 6 == 0:
            state = vector.state()
            dealt = [vector.game(place).determinize(vector.game(place).player, rng) for place in range(4)]
            changed += any(state["games"][place] != dealt[place].records[0] for place in range(4))
            state["games"] = np.concatenate([game.records for game in dealt])
            other = gymnasium.make_vec(ID, num_envs=4, features="actions", opponents="greedy", **options).unwrapped
            other.restore(state)
            assert same(other.positions.observations._asdict(), observations)
    assert changed > 5


@pytest.mark.parametrize("actions", [[[0], [1, 2]], [10**30, 0], "ab", None])
def test_what_is_no_row_of_actions_is_refused(actions: Any) -> None:
    envs = gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=2)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match=r"^actions: 2 whole numbers are needed"):
        envs.step(actions)
