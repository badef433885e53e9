"""Where the mask is, what it says at the end, and what becomes of illegal actions."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from tests.helpers.seen import same
from ttr_env.engine.scoring import SCORES

ID = "ttr_env/Nederland-v0"
KEYS = ["action_mask", "illegal_action", "action_taken", *SCORES]


def first_legal(env: Any) -> int:
    return int(env.unwrapped.action_masks().argmax())


def play(env: Any, choose: Any) -> list[tuple[Any, ...]]:
    """All that the steps of the running episode return."""
    steps = []
    while not steps or not (steps[-1][2] or steps[-1][3]):
        steps.append(env.step(choose(env)))
    return steps


# The end of an episode --------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"max_decisions": 9}, {"mask": "observation"}], ids=str)
def test_the_last_mask_is_all_ones(options: dict[str, Any]) -> None:
    env = gymnasium.make(ID, **options).unwrapped
    env.reset(seed=1)
    observation, *_, info = play(env, first_legal)[-1]
    told = observation["action_mask"] if "mask" in options else info["action_mask"]
    assert told.all() and told.dtype == np.int8
    assert env.action_masks().all() and env.action_masks().dtype == np.bool_
    env.reset(seed=1)
    assert not env.action_masks().all()


def test_the_mask_after_an_illegal_action_is_all_ones() -> None:
    env = gymnasium.make(ID).unwrapped
    env.reset(seed=1)
    assert env.step(0)[4]["action_mask"].all()


# Infos ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("illegal_at", [None, 3])
def test_every_info_has_the_same_keys_types_and_shapes(illegal_at: int | None) -> None:
    env = gymnasium.make(ID, max_decisions=60).unwrapped
    _, first = env.reset(seed=1)
    assert list(first) == KEYS
    steps = [first]
    for step in range(60):
        illegal = int((~env.action_masks()).argmax())
        *_, terminated, truncated, info = env.step(illegal if step == illegal_at else first_legal(env))
        steps.append(info)
        if terminated or truncated:
            break
    assert {tuple((key, type(value), np.shape(value)) for key, value in info.items()) for info in steps} == {
        tuple((key, type(value), np.shape(value)) for key, value in first.items())
    }
    assert all(info[part] == 0 for info in steps[:-1] for part in SCORES)
    assert steps[-1]["rank"] > 0
    assert [info["illegal_action"] for info in steps] == [False] * (len(steps) - 1) + [illegal_at is not None]


def test_infos_name_the_action_that_was_taken() -> None:
    env = gymnasium.make(ID).unwrapped
    _, info = env.reset(seed=1)
    assert info["action_taken"] == -1
    action = first_legal(env)
    assert env.step(action)[4]["action_taken"] == action
    assert env.step(int((~env.action_masks()).argmax()))[4]["action_taken"] == -1


# The mask in the observation --------------------------------------------------------------------


@pytest.mark.parametrize("features", ["base", "planning", "actions"])
@pytest.mark.parametrize("key", ["observation", "observations"])
def test_the_mask_beside_the_observation(features: str, key: str) -> None:
    plain = gymnasium.make(ID, features=features).unwrapped
    masked = gymnasium.make(ID, features=features, mask="observation", observation_key=key).unwrapped
    check_env(masked, skip_render_check=True)
    (seen, info), (both, told) = plain.reset(seed=4), masked.reset(seed=4)
    for _ in range(30):
        assert both in masked.observation_space and set(both) == {key, "action_mask"}
        assert same(both[key], seen) and np.array_equal(both["action_mask"], info["action_mask"])
        assert "action_mask" not in told and np.array_equal(masked.action_masks(), plain.action_masks())
        action = first_legal(plain)
        seen, *_, info = plain.step(action)
        both, *_, told = masked.step(action)


@pytest.mark.parametrize("mode", ["SameStep", "NextStep", "Disabled"])
def test_the_mask_beside_the_observations_of_rows(mode: str) -> None:
    options = {"num_envs": 3, "max_decisions": 20, "autoreset_mode": mode, "features": "actions"}
    plain = gymnasium.make_vec(ID, **options)
    masked = gymnasium.make_vec(ID, mask="observation", **options)
    (seen, infos), (both, _) = plain.reset(seed=4), masked.reset(seed=4)
    while True:
        assert both in masked.observation_space
        assert same(both["observation"], seen) and np.array_equal(both["action_mask"], infos["action_mask"])
        actions = infos["action_mask"].argmax(axis=1)
        seen, _, _, truncated, infos = plain.step(actions)
        both, _, _, _, told = masked.step(actions)
        if truncated.any():
            break
    if mode == "SameStep":
        assert told["final_obs"]["action_mask"][truncated].all()
        assert same(told["final_obs"]["observation"], infos["final_obs"])
    else:
        assert both["action_mask"][truncated].all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"mask": "nowhere"}, "choose one of info, observation"),
        ({"illegal": "ignore"}, "choose one of end, replace"),
        ({"observation_key": "observations"}, 'it needs mask="observation"'),
        ({"mask": "observation", "observation_key": "action_mask"}, "is the other one"),
        ({"illegal_price": -1}, "a number from 0 on"),
        ({"illegal_price": float("nan")}, "a number from 0 on"),
    ],
)
@pytest.mark.parametrize("make", [gymnasium.make, gymnasium.make_vec])
def test_bad_options(make: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make(ID, **options)


# Illegal actions that are replaced --------------------------------------------------------------


def an_illegal_action(env: Any) -> int:
    return int((~env.unwrapped.action_masks()).argmax())


@pytest.mark.parametrize("options", [{"players": 3}, {"map": "nordic", "opponents": "racer"}], ids=str)
def test_illegal_actions_are_replaced_by_legal_ones_at_a_price(options: dict[str, Any]) -> None:
    env = gymnasium.make(ID, illegal="replace", reward="score", **options).unwrapped
    env.reset(seed=3)
    steps, taken = [], set()
    while not steps or not steps[-1][2]:
        before, mask = env.game, env.action_masks()
        steps.append(env.step(an_illegal_action(env)))
        info = steps[-1][4]
        taken.add(info["action_taken"])
        assert info["illegal_action"] and mask[info["action_taken"]]
        assert env.game.actions[len(before.actions)] == info["action_taken"]
    assert len(taken) > 10
    rewards = sum(reward for _, reward, *_ in steps)
    assert rewards == pytest.approx(steps[-1][4]["total"] / 100 - 0.01 * len(steps), abs=1e-5)


def test_legal_actions_cost_nothing_and_are_not_replaced() -> None:
    plain, forgiving = (gymnasium.make(ID, illegal=illegal).unwrapped for illegal in ("end", "replace"))
    for env in (plain, forgiving):
        env.reset(seed=5)
    for one, other in zip(play(plain, first_legal), play(forgiving, first_legal), strict=True):
        assert same(one[0], other[0]) and one[1:4] == other[1:4] and one[4]["action_taken"] == other[4]["action_taken"]


def test_replacements_come_from_the_seed() -> None:
    env = gymnasium.make(ID, illegal="replace", illegal_price=0.5).unwrapped
    runs = []
    for seed in (1, 1, 2):
        env.reset(seed=seed)
        runs.append([info["action_taken"] for *_, info in play(env, an_illegal_action)])
    assert runs[0] == runs[1] != runs[2]


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_rows_replace_what_single_environments_replace(mode: str) -> None:
    rows = 4
    vector = gymnasium.make_vec(ID, num_envs=rows, illegal="replace", autoreset_mode=mode, max_decisions=80).unwrapped
    single = gymnasium.make(ID, illegal="replace", max_decisions=80).unwrapped
    vector.reset(seed=10)
    told = [vector.step(np.full(rows, 615)) for _ in range(30)]
    for row in range(rows):
        single.reset(seed=10 + row)
        for observations, rewards, _, truncated, infos in told:
            observation, reward, _, ended, info = single.step(615)
            assert reward == pytest.approx(rewards[row]) and ended == truncated[row]
            if ended:
                break
            assert same(observation, observations[row])
            assert infos["illegal_action"][row] and infos["action_taken"][row] == info["action_taken"]


def test_what_replaces_an_illegal_action_does_not_depend_on_what_is_hidden() -> None:
    env = gymnasium.make(ID, illegal="replace").unwrapped
    env.reset(seed=3)
    for _ in range(20):
        env.step(first_legal(env))
    rng, position = np.random.default_rng(0), env.game
    worlds = [position, *(position.determinize(position.player, rng) for _ in range(8))]
    chosen = set()
    for world in worlds:
        env.reset(seed=9, options={"snapshot": world.snapshot()})
        chosen.add(env.step(an_illegal_action(env))[4]["action_taken"])
    assert len(chosen) == 1
