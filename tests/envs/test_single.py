"""The single-agent environment against Gymnasium's and Stable-Baselines3's checkers, and what they do not cover."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ttr_env
from tests.helpers.seen import as_bytes, same
from tests.helpers.variants import COMBINATIONS, EVERYWHERE, variant_name

ID = "ttr_env/Nederland-v0"


def play(env: Any, seed: int | None = None, steps: int = 10**9) -> list[tuple[Any, ...]]:
    """Play with the first legal action; what every step said."""
    seen: list[tuple[Any, ...]] = []
    if seed is not None:
        env.reset(seed=seed)
    while steps:
        action = int(env.unwrapped.action_masks().argmax())
        observation, reward, terminated, truncated, info = env.step(action)
        seen.append((as_bytes(observation), reward, terminated, truncated, info["action_mask"].tobytes()))
        steps -= 1
        if terminated or truncated:
            break
    return seen


@pytest.mark.parametrize("features", ["base", "actions"])
@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_gymnasium_checker(options: dict[str, Any], features: str) -> None:
    check_env(gymnasium.make(ID, **options, features=features, render_mode="ansi").unwrapped)


def test_gymnasium_checker_with_every_combination_of_options() -> None:
    for options in COMBINATIONS:
        check_env(gymnasium.make(ID, **options).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_the_learner_sits_where_it_should(seat: int | None) -> None:
    env = gymnasium.make(ID, players=3, seat=seat).unwrapped
    seats = set()
    for seed in range(12):
        env.reset(seed=seed)
        seats.add(env.seat)
        assert env.game.player == env.seat
    assert seats == ({0, 1, 2} if seat is None else {seat})


def test_masks_through_wrappers() -> None:
    env = gymnasium.make(ID, players=2)
    _, info = env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == np.bool_ and np.array_equal(masks, info["action_mask"])
    assert np.array_equal(masks, env.unwrapped.game.action_mask())


@pytest.mark.parametrize("reward", ["win", "margin", "score", "dense"])
def test_the_learner_sees_how_it_ended(reward: str) -> None:
    env = gymnasium.make(ID, players=2, reward=reward).unwrapped
    signs = set()
    for seed in range(8):
        env.reset(seed=seed)
        total = 0.0
        while True:
            _, gained, terminated, _, info = env.step(int(env.action_masks().argmax()))
            total += gained
            if terminated:
                break
        own, other = (env.game.result()["seats"][seat]["total"] for seat in (env.seat, 1 - env.seat))
        won = info["rank"] == 1
        expected = {"win": 1 if won else -1, "margin": (own - other) / 100}.get(reward, own / 100)
        assert total == pytest.approx(expected, abs=1e-5)
        assert info["total"] == own
        signs.add(won)
    assert signs == {True, False} or reward != "win"


def test_a_loss_in_an_opponents_move_reaches_the_learner() -> None:
    env = gymnasium.make(ID, players=2, seat=0).unwrapped
    for seed in range(40):
        steps = play(env, seed)
        if 0 not in env.game.result()["winners"]:
            assert steps[-1][1] == -1.0 and steps[-1][2]
            return
    raise AssertionError("the learner never lost")


def test_illegal_action_ends_the_episode() -> None:
    env = gymnasium.make(ID).unwrapped
    env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal_action"] is True and info["action_mask"].all()
    assert observation in env.observation_space
    with pytest.raises(gymnasium.error.ResetNeeded, match="episode is over"):
        env.step(0)


def test_step_before_reset() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
        gymnasium.make(ID).unwrapped.step(0)


def test_max_decisions_truncates() -> None:
    env = gymnasium.make(ID, players=2, max_decisions=9).unwrapped
    last = play(env, seed=0)[-1]
    assert (last[2], last[3]) == (False, True)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("features", ["base", "actions"])
def test_copies_continue_identically(duplicate: Any, features: str) -> None:
    env = gymnasium.make(ID, players=3, features=features).unwrapped
    play(env, seed=3, steps=10)
    other = duplicate(env)
    assert play(env) == play(other)


def test_seed_repeats_this_episode_and_the_next() -> None:
    env = gymnasium.make(ID, players=3).unwrapped
    runs = []
    for _ in range(2):
        first = play(env, seed=8)
        env.reset()
        runs.append((first, play(env)))
    assert runs[0] == runs[1] and runs[0][0] != runs[0][1]


# Action features --------------------------------------------------------------------------------


def test_the_learner_sees_its_candidates_until_the_game_is_over() -> None:
    env = gymnasium.make(ID, players=3, features="actions", opponents="planner").unwrapped
    observation, info = env.reset(seed=2)
    ended = False
    while not ended:
        assert same(observation, env.game.action_features()._asdict())
        listed = observation["index"][observation["index"] >= 0]
        assert info["action_mask"][listed].all() and len(listed)
        observation, _, terminated, truncated, info = env.step(int(listed[len(listed) // 2]))
        ended = terminated or truncated
    assert not observation["state"].any() and not observation["actions"].any() and (observation["index"] == -1).all()


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_K_what_is_hidden_leaves_every_byte_of_action_features_as_it_is(options: dict[str, Any]) -> None:
    env, rng = gymnasium.make(ID, features="actions", **options).unwrapped, np.random.default_rng(0)
    observation, _ = env.reset(seed=4)
    for step in range(80):
        if step % 8 == 0:
            dealt = env.game.determinize(env.seat, rng)
            assert dealt != env.game
            assert same(dealt.action_features()._asdict(), observation)
        observation, _, terminated, _, _ = env.step(int(np.flatnonzero(env.action_masks())[step % 3 - 1]))
        if terminated:
            break


class FirstLegal:
    """An opponent of a user's own."""

    def __init__(self) -> None:
        self.seats: set[int] = set()

    def act(self, game: ttr_env.Game) -> int:
        self.seats.add(game.player)
        return int(game.legal_actions()[0])


def test_own_opponents() -> None:
    mine = FirstLegal()
    env = gymnasium.make(ID, players=3, seat=1, opponents=["random", mine]).unwrapped
    play(env, seed=0)
    assert mine.seats == {0}  # the last in turn order after seat 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 2}, "seats are 0 to 1"),
        ({"opponents": "champion:version=1", "map": "usa"}, "trained on 'nederland' and cannot play 'usa'"),
        ({"opponents": "randon"}, "did you mean 'random'"),
        ({"opponents": ["random", "random"]}, "a list of 1"),
        ({"opponents": 5}, "opponents"),
        ({"reward": "victory"}, "win, margin, score, dense"),
        ({"max_decisions": 1}, "at least 2"),
        ({"render_mode": "film"}, "render_mode"),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        gymnasium.make(ID, **options)
