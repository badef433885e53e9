"""The PettingZoo environment against PettingZoo's own suites, and what they do not cover."""

import copy
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils import turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

import ttr_env
from tests.helpers.seen import as_bytes, same
from tests.helpers.variants import COMBINATIONS, EVERYWHERE, variant_name

OPTIONS: list[dict[str, Any]] = [
    *EVERYWHERE,
    {"players": 4, "features": "planning", "reward": "dense", "tolls_visible": True},
    {"players": 3, "features": "actions", "reward": "dense"},
    {"players": 2, "features": "actions", "neutral_player": True, "max_decisions": 40},
    {"players": 3, "features": "actions", "map": "nordic"},
    {"players": 3, "reward": "margin", "max_decisions": 40},
    {"players": 2, "reward": "score"},
]


def option_name(options: dict[str, Any]) -> str:
    return variant_name(options) if "tolls" in options else "-".join(str(v) for v in options.values())


def play(env: Any, decisions: int = 10**9) -> list[tuple[Any, ...]]:
    """Random play by the environment's own sampler; what every `last()` said."""
    seen = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        mask = observation["action_mask"]
        seen.append((agent, as_bytes(observation["observation"]), int(mask.sum()), reward, terminated, truncated))
        env.step(None if terminated or truncated else env.unwrapped.sample())
        decisions -= 1
        if decisions == 0:
            break
    return seen


@pytest.fixture(autouse=True)
def dict_observations_are_meant() -> Any:
    """PettingZoo's suites warn of every Dict observation, masked or not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@pytest.mark.parametrize("options", OPTIONS, ids=option_name)
@pytest.mark.parametrize("make", [ttr_env.env, ttr_env.raw_env])
def test_pettingzoo_api(make: Any, options: dict[str, Any]) -> None:
    api_test(make(**options), num_cycles=120)


def test_pettingzoo_api_with_every_combination_of_options() -> None:
    for options in COMBINATIONS:
        api_test(ttr_env.env(**options), num_cycles=12)


@pytest.mark.parametrize("options", OPTIONS, ids=option_name)
def test_pettingzoo_seed(options: dict[str, Any]) -> None:
    seed_test(lambda: ttr_env.env(**options), num_cycles=60)


@pytest.mark.parametrize("features", ["base", "actions"])
def test_pettingzoo_parallel(features: str) -> None:
    parallel_api_test(turn_based_aec_to_parallel(ttr_env.env(players=3, features=features)), num_cycles=100)


@pytest.mark.slow
def test_pettingzoo_render() -> None:
    render_test(lambda **options: ttr_env.env(**options))


def test_mask_is_of_the_player_to_move_alone() -> None:
    env = ttr_env.env(players=3)
    env.reset(seed=1)
    for agent in env.agent_iter(60):
        for other in env.agents:
            mask = env.observe(other)["action_mask"]
            assert mask.dtype == np.int8
            assert bool(mask.any()) == (other == agent)
        env.step(env.unwrapped.sample())


def test_seeded_reset_deals_the_same_game_as_game() -> None:
    env = ttr_env.raw_env(players=3)
    env.reset(seed=5)
    assert env.game.snapshot() == ttr_env.Game(players=3, seed=5).snapshot()
    env.reset()
    assert env.game.snapshot() != ttr_env.Game(players=3, seed=5).snapshot()
    with pytest.raises(ValueError, match="seed: a whole number from 0"):
        env.reset(seed=-1)


def test_reset_touches_no_global_random_state() -> None:
    before = np.random.get_state()[1].tolist()  # noqa: NPY002 - the state that must not change
    env = ttr_env.env()
    env.reset(seed=3)
    play(env)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


@pytest.mark.parametrize("reward", ["win", "margin", "score", "dense"])
@pytest.mark.parametrize("players", [2, 5])
def test_final_rewards_reach_everyone(reward: str, players: int) -> None:
    env = ttr_env.env(players=players, reward=reward)
    env.reset(seed=11)
    received = dict.fromkeys(env.possible_agents, 0.0)
    infos = {}
    for agent in env.agent_iter():
        _, gained, terminated, truncated, info = env.last()
        assert type(terminated) is bool and type(truncated) is bool
        received[agent] += gained
        infos[agent] = info
        env.step(None if terminated or truncated else env.unwrapped.sample())
    result = env.unwrapped.game.result()
    totals = [seat["total"] for seat in result["seats"]]
    for seat, agent in enumerate(env.possible_agents):
        best_other = max(totals[:seat] + totals[seat + 1 :])
        won = seat in result["winners"]
        share = 1 / len(result["winners"]) if won else -1 / max(1, players - len(result["winners"]))
        expected = {
            "win": 0.0 if len(result["winners"]) == players else share,
            "margin": (totals[seat] - best_other) / 100,
            "score": totals[seat] / 100,
            "dense": totals[seat] / 100,
        }[reward]
        assert received[agent] == pytest.approx(expected, abs=1e-5)
        assert infos[agent] == result["seats"][seat]


def test_max_decisions_truncates() -> None:
    env = ttr_env.env(players=2, max_decisions=10)
    env.reset(seed=0)
    seen = play(env)
    assert [step[5] for step in seen] == [False] * 10 + [True] * 2
    assert not any(step[4] for step in seen)


def test_raw_env_refuses_an_illegal_action_and_nothing_moves() -> None:
    env = ttr_env.raw_env(players=2)
    env.reset(seed=0)
    before = env.game.snapshot()
    with pytest.raises(ttr_env.IllegalAction, match="keep_tickets"):
        env.step(0)
    assert env.game.snapshot() == before and env.agent_selection == "player_0"


def test_raw_env_without_a_running_game_says_so() -> None:
    env = ttr_env.raw_env(players=2)
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
        env.step(0)
    env.reset(seed=0)
    play(env)
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
        env.step(0)


def test_seeded_reset_repeats_the_samples_too() -> None:
    env = ttr_env.raw_env(players=3)
    env.reset(seed=6)
    first = play(env)
    env.reset(seed=6)
    assert play(env) == first


def stock(**options: Any) -> OrderEnforcingWrapper:
    """PettingZoo's customary chain of wrappers."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(ttr_env.raw_env(**options), -1)))


def transcript(env: Any, actions: list[int]) -> list[Any]:
    """Everything an agent can see while these actions, and then Nones, are taken."""
    env.reset(seed=4)
    seen: list[Any] = []
    for action in actions:
        observation, *rest = env.last()
        seen.append((env.agent_selection, observation["observation"].tobytes(), rest, dict(env.rewards)))
        terminated, truncated = rest[1:3]
        env.step(None if terminated or truncated else action)
        if not env.agents:
            break
    return [*seen, list(env.agents), dict(env.terminations), dict(env.truncations)]


@pytest.mark.parametrize("bad_step", [0, 1, 7])
def test_illegal_action_ends_the_episode_as_with_the_stock_wrappers(bad_step: int) -> None:
    env = ttr_env.raw_env(players=3)
    env.reset(seed=4)
    actions = []
    for _ in range(bad_step):
        actions.append(env.sample())
        env.step(actions[-1])
    actions.append(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0]))
    actions += [0] * 4
    ours, theirs = transcript(ttr_env.env(players=3), actions), transcript(stock(players=3), actions)
    assert ours == theirs
    assert -1.0 in [step[2][0] for step in ours[:-3]]


@pytest.mark.parametrize("make", [ttr_env.env, stock])
def test_order_and_bounds_are_enforced_as_by_the_stock_wrappers(make: Any) -> None:
    env = make(players=2)
    for call in (lambda: env.step(0), env.last, lambda: env.observe("player_0"), env.render, env.state):
        with pytest.raises((AssertionError, AttributeError)):
            call()
    with pytest.raises(AttributeError, match="before reset"):
        _ = env.rewards
    env.reset(seed=0)
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(10**6)
    with pytest.raises(AssertionError, match="need to call step"):
        for _ in env.agent_iter():
            pass


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("make", [ttr_env.raw_env, ttr_env.env])
@pytest.mark.parametrize("features", ["base", "actions"])
def test_copies_continue_identically(make: Any, duplicate: Any, features: str) -> None:
    env = make(players=3, reward="dense", features=features)
    env.reset(seed=9)
    play(env, 50)
    other = duplicate(env)
    assert play(env) == play(other)
    env.reset(), other.reset()
    assert play(env) == play(other)


def test_state_is_the_full_position() -> None:
    env = ttr_env.env(players=3)
    env.reset(seed=2)
    play(env, 30)
    state = env.state()
    assert state in env.unwrapped.state_space
    parts = state.reshape(3, -1)
    for seat, agent in enumerate(env.possible_agents):
        assert np.array_equal(parts[seat], env.observe(agent)["observation"])


def test_with_action_features_the_state_is_made_of_base_features() -> None:
    one, other = ttr_env.raw_env(players=3, features="actions"), ttr_env.raw_env(players=3)
    for env in (one, other):
        env.reset(seed=2)
    for _ in range(30):
        action = one.sample()
        one.step(action)
        other.step(action)
    assert one.state() in one.state_space and np.array_equal(one.state(), other.state())


# Action features --------------------------------------------------------------------------------


def test_action_features_are_of_the_player_to_move_alone() -> None:
    env = ttr_env.env(players=3, features="actions")
    env.reset(seed=1)
    for agent in env.agent_iter(60):
        for other in env.agents:
            seen = env.observe(other)["observation"]
            if other == agent:
                assert same(seen, env.unwrapped.game.action_features()._asdict())
            else:
                assert not seen["state"].any() and not seen["actions"].any() and (seen["index"] == -1).all()
        env.step(env.unwrapped.sample())


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_K_what_is_hidden_leaves_every_byte_of_action_features_as_it_is(options: dict[str, Any]) -> None:
    env, other = (ttr_env.raw_env(features="actions", **options) for _ in range(2))
    rng, compared = np.random.default_rng(0), 0
    env.reset(seed=4)
    other.reset(seed=5)
    for step in range(200):
        if not env.agents or env.terminations[env.agent_selection]:
            break
        if step % 10 == 0:
            dealt = env.game.determinize(env.game.player, rng)
            assert dealt != env.game
            other.game.records[0] = dealt.records[0]
            for agent in env.agents:
                assert same(env.observe(agent), other.observe(agent))
            compared += 1
        env.step(env.sample())
    assert compared > 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reward": "wins"}, "win, margin, score, dense"),
        ({"features": "all"}, "base, planning, actions"),
        ({"features": "actions", "tolls_visible": True}, "estimated from the board"),
        ({"players": 6}, "2 to 5"),
        ({"render_mode": "video"}, "human, rgb_array, ansi"),
        ({"max_decisions": 0}, "at least 1"),
        ({"map": "atlantis"}, "nederland"),
        ({"colour": "red"}, "there is no option 'colour'"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        ttr_env.env(**options)


def test_own_board(tiny_board: Any) -> None:
    env = ttr_env.env(map=tiny_board, players=2)
    env.reset(seed=0)
    play(env)
    assert env.agents == []


def test_numbers_beyond_64_bits_are_not_in_the_action_space() -> None:
    table = ttr_env.env(players=2)
    table.reset(seed=1)
    for action in (10**30, -(10**30)):
        with pytest.raises(AssertionError, match="action is not in action space"):
            table.step(action)
