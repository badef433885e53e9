"""`ttr compile`: all kernels are compiled beforehand.

Otherwise each is compiled when it is first needed, and the user waits; processes that start at the same time all do it.
What is compiled is kept on disk (`engine.cache`), where every later process finds it.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed

import gymnasium
import numpy as np
from rich.console import Console

from ttr_env import agents, data
from ttr_env.agents.base import act_in_rows
from ttr_env.agents.ismcts import ISMCTS
from ttr_env.agents.rollouts import playouts
from ttr_env.agents.scorer import Scorer
from ttr_env.agents.scoring import ScoringAgent
from ttr_env.batch import Batch
from ttr_env.batch.recorded import estimate_advantages, gather
from ttr_env.bots.features.columns import HIDDEN
from ttr_env.bots.features.rows import hidden_rows, looking_space
from ttr_env.engine import calls
from ttr_env.engine.cache import EngineCache
from ttr_env.envs.aec import raw_env
from ttr_env.envs.learners import Opponents
from ttr_env.game import Game
from ttr_env.game.knowledge import View
from ttr_env.learning.selfplay import LEARNER, Player, make_jobs
from ttr_env.options import Variant


def _games() -> None:
    game = Game.from_snapshot(Game(seed=0).snapshot())
    while not game.over:
        game.step(int(game.legal_actions()[0]))
    game.result()
    calls.neutral_demand(game.records, 0, game.board, 0)  # which only snapshots of a rare phase need


def _knowledge() -> None:
    game = Game(seed=0).determinize(0, np.random.default_rng(0))
    game.observe(0)
    View.of(game, 0)


def _playouts() -> None:
    playouts(games=1)


def _batches() -> None:
    batch = Batch(games=1)
    batch.step(batch.sample())


def _environments() -> None:
    env = raw_env()
    env.reset(seed=0)
    env.step(env.sample())
    single = gymnasium.make("ttr_env/Nederland-v0", illegal="replace")
    single.reset(seed=0)
    single.step(0)


def _learners() -> None:
    _play("random")


def _networks() -> None:
    _play(ScoringAgent(Scorer.random(np.random.default_rng(0))))


def _play(opponents: Opponents) -> None:
    envs = gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=1, opponents=opponents)
    _, infos = envs.reset(seed=0)
    envs.step(infos["action_mask"].argmax(axis=1))


def _features() -> None:
    game = Game(seed=0)
    game.action_features()
    hidden = np.zeros((1, len(HIDDEN)), np.float32)
    hidden_rows(game.records, game.board, np.zeros(1, np.int64), looking_space(1), hidden)


def _agents() -> None:
    for spec in ("planner", "champion"):
        agent = agents.make(spec)
        agent.act(Game(seed=0))
        act_in_rows(agent, Batch(games=1, views=False), np.zeros(1, np.int64))


def _scorers() -> None:
    agent = ScoringAgent(Scorer.random(np.random.default_rng(0)))
    agent.act(Game(seed=0))
    agent.look(Game(seed=0))
    agent.act_batch(Batch(games=1, views=False), np.zeros(1, np.int64))


def _datasets() -> None:
    with tempfile.TemporaryDirectory() as folder:
        data.write(folder, ["random", "random"], games=1, teacher="planner")
        for features in ("base", "actions"):
            next(iter(data.load(folder, features, batch_size=1)))


def _selfplay() -> None:
    player = Player(Variant.of("nederland"))
    jobs = make_jobs(1, [Variant.of("nederland")], np.random.default_rng(0))
    jobs["seats"], jobs["learns"] = LEARNER, 1
    played = player.play(jobs)
    few = np.zeros((2, 3), np.int64)
    advantages = np.zeros(len(played), np.float32)
    values, rewards = np.zeros(len(played), np.float32), np.zeros(jobs["seats"].shape)
    estimate_advantages(played.games, played.seats, values, rewards, (1.0, 0.9), advantages)
    gather(played.actions, played.begins[:0], played.ends[:0], played.actions[:0], *few)


def _tree_search() -> None:
    agents.make("ismcts:version=1,iterations=1").act(Game(seed=0))


def _search() -> None:
    searcher, game = ISMCTS(), Game(seed=0)
    searcher.prepare(game, game.legal_actions().astype(np.int64))  # the network might be sure
    searcher.try_out(game, calls.derive(np.uint64(0), 0, 0), np.zeros(1, np.int64), 0)


# Every kernel is needed by one of these. Those that take long come first, so that all end at about the same time.
PARTS: dict[str, Callable[[], None]] = {
    "self-play": _selfplay,
    "vector environment": _learners,
    "networks as opponents": _networks,
    "search": _search,
    "tree search": _tree_search,
    "networks": _scorers,
    "action features": _features,
    "Batch": _batches,
    "data sets": _datasets,
    "agents": _agents,
    "PettingZoo and Gymnasium": _environments,
    "playouts": _playouts,
    "Game": _games,
    "what players know": _knowledge,
}


def run() -> None:
    """Compile what is missing, and say how long it took."""
    console = Console(highlight=False)
    began = time.monotonic()
    console.print(f"Compiling {len(PARTS)} parts. It takes two to five minutes the first time.")
    with console.status("compiling"):
        for number, name in enumerate(compile_all(), start=1):
            console.print(f"{time.monotonic() - began:4.0f} s  {number:2} of {len(PARTS)}: {name}")


def compile_all() -> Iterator[str]:
    """Compile what is not on disk yet, a process for each processor; yields the name of each part when it is done."""
    start_afresh = multiprocessing.get_context("spawn")  # a fork of a process with threads can hang
    with ProcessPoolExecutor(os.cpu_count(), start_afresh, initializer=_hush) as pool:
        running = {pool.submit(_compile, name): name for name in PARTS}
        for done in as_completed(running):
            done.result()
            yield running[done]


def _hush() -> None:
    EngineCache.announces = False  # progress is shown here


def _compile(name: str) -> None:
    PARTS[name]()
