"""What a round of the soak does. Each job takes the round's number, and returns how many decisions it made."""

from __future__ import annotations

import functools
import pickle
import random
from typing import Any

import gymnasium
import numpy as np

import ttr_env
from tests.checker.play import TRIES, CheckedPlay
from tests.helpers.variants import EVERYWHERE
from tests.helpers.walks import STYLES, walk
from ttr_env import Batch, Game, agents

QUICK = ("planner", "racer", "greedy", "random")
SEARCHING = ("ismcts:iterations=24",)
TRAINED = ("champion", "champion+search:iterations=24")  # on Nederland alone
MAPS = ("nederland", "nordic", "usa")


@functools.cache
def _checked_play(place: int) -> CheckedPlay:
    return CheckedPlay(EVERYWHERE[place], seed=place)


def checked_games(number: int) -> int:
    """Random games of every map, variant and number of players, with every invariant checked at every decision."""
    return sum(
        _checked_play(place).play(seed=1_000_000 + number, policy=policy)
        for place in range(len(EVERYWHERE))
        for policy in TRIES
    )


def copied_games(number: int) -> int:
    """Games that are saved, pickled, replayed and dealt anew on the way; every copy goes on as the original does."""
    chance, rng, decisions = random.Random(number), np.random.default_rng(number), 0
    for options in EVERYWHERE:
        for game in walk(options, seed=number, style=STYLES[number % len(STYLES)]):
            decisions += 1
            if chance.random() < 0.05:
                _check_copies(game)
                _check_nothing_leaks(game, rng)
    return decisions


def _check_copies(game: Game) -> None:
    before = game.snapshot()
    for same in (
        game.copy(),
        pickle.loads(pickle.dumps(game)),
        Game.from_snapshot(before),
        Game.replay(game.record()),
    ):
        assert same.snapshot() == before
        if game.player >= 0:
            action = int(game.legal_actions()[-1])
            other = game.copy()
            other.step(action)
            same.step(action)
            assert same.snapshot() == other.snapshot()


def _check_nothing_leaks(game: Game, rng: np.random.Generator) -> None:
    for player in range(game.players):
        dealt = game.determinize(player, rng)
        assert dealt.information_state(player) == game.information_state(player)
        assert np.array_equal(dealt.observe(player, "planning"), game.observe(player, "planning"))
        if player == game.player:
            assert np.array_equal(dealt.action_mask(), game.action_mask())


def batches(number: int, steps: int = 200) -> int:
    """Batches of every map: two threads play what one thread plays, and what is seen is always in bounds."""
    for name in MAPS:
        one, two = (
            Batch(name, games=512, players=2, seed=number, features="planning", threads=threads) for threads in (1, 2)
        )
        for _ in range(steps):
            for batch in (one, two):
                batch.step(batch.sample())
            assert np.array_equal(one.observations, two.observations) and np.array_equal(one.masks, two.masks)
            assert one.masks.any(axis=1).all()
            assert one.observations.min() >= 0 and one.observations.max() <= 1
    return len(MAPS) * steps * 2 * 512


def environments(number: int) -> int:
    """Episodes in the PettingZoo, Gymnasium and vector environments, drawn now and then, made anew every time."""
    return sum(_aec(options, number) + _single(options, number) for options in EVERYWHERE) + sum(
        _vector(name, number) for name in MAPS
    )


def _aec(options: dict[str, Any], number: int) -> int:
    env = ttr_env.env(**options, render_mode="rgb_array")
    env.reset(seed=number)
    decisions, returns = 0, dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        returns[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        assert observation["action_mask"].any()
        env.step(env.unwrapped.sample())
        decisions += 1
    assert abs(sum(returns.values())) < 1e-6, returns
    assert env.render().ndim == 3
    env.close()
    return decisions


def _single(options: dict[str, Any], number: int) -> int:
    env = gymnasium.make("ttr_env/Nederland-v0", **options, opponents="racer")
    observation, info = env.reset(seed=number)
    rng, decisions, over = np.random.default_rng(number), 0, False
    while not over:
        observation, _, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        assert observation in env.observation_space
        decisions, over = decisions + 1, terminated or truncated
    env.close()
    return decisions


def _vector(name: str, number: int, count: int = 128, steps: int = 100) -> int:
    envs = gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=count, map=name, opponents="planner")
    _, infos = envs.reset(seed=number)
    rng = np.random.default_rng(number)
    for _ in range(steps):
        chances = rng.random(infos["action_mask"].shape) * infos["action_mask"]
        _, _, _, _, infos = envs.step(chances.argmax(axis=1))
    envs.close()
    return count * steps


def agents_at_tables(number: int) -> int:
    """A game of every table between agents of all kinds, whose choices are legal and depend on what they may know."""
    chance, rng, decisions = random.Random(number), np.random.default_rng(number), 0
    for options in EVERYWHERE:
        game = Game(seed=number, **options)
        able = (*QUICK, *(SEARCHING if game.players == 2 else ()), *(TRAINED if game.map.name == "nederland" else ()))
        seats = [chance.choice(able) for _ in range(game.players)]
        made = [agents.make(spec, seed=number) for spec in seats]
        twins = [agents.make(spec, seed=number) for spec in seats]
        while game.player >= 0:
            mover = game.player
            action = made[mover].act(game)
            assert twins[mover].act(game.determinize(mover, rng)) == action, (seats[mover], options, number)
            game.step(action)
            decisions += 1
    return decisions
