"""The whole loop of training a network that scores candidates, by stepping games and by playing whole ones."""

from __future__ import annotations

from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger

from ttr_env.agents.scorer import Scorer
from ttr_env.learning.sb3 import CandidateBuffer, LearnerVecEnv, ScoringPolicy, SelfPlayEnv, SelfPlayPPO
from ttr_env.options import Variant

from .measure import Case, timed

THREADS = 2
SEED = 0
OPPONENTS = {"planner": 1.0}
STEPS = 32  # in each game between two updates
# As in the quickstart, but for the rate: after any number of repeats the network is still what it was.
LEARNING: dict[str, Any] = {
    "batch_size": 1024,
    "n_epochs": 2,
    "gamma": 1.0,
    "learning_rate": 1e-7,
    "seed": SEED,
    "device": "cpu",
}


def stepping(name: str, network: Scorer, games: int) -> Case:
    """MaskablePPO over `LearnerVecEnv`: a step in every game, a pass of the network, and so on."""
    env = LearnerVecEnv(games, OPPONENTS, features="actions", threads=THREADS, seed=SEED)
    options = {**LEARNING, "policy_kwargs": _shape(network), "rollout_buffer_class": CandidateBuffer}
    return _loop(name, MaskablePPO(ScoringPolicy, env, n_steps=STEPS, **options), network)


def whole_games(name: str, network: Scorer, games: int) -> Case:
    """SelfPlayPPO over `SelfPlayEnv`: compiled code plays games to their end, half of them against itself."""
    env = SelfPlayEnv([Variant.of(players=2)], OPPONENTS, games=games, threads=THREADS, seed=SEED)
    return _loop(name, SelfPlayPPO(ScoringPolicy, env, **LEARNING, policy_kwargs=_shape(network)), network)


def _shape(network: Scorer) -> dict[str, Any]:
    return {"scorer": network.second.shape}


def _loop(name: str, model: MaskablePPO, network: Scorer) -> Case:
    """One update: games, and the learning from them; what counts are the learner's own decisions."""
    policy: Any = model.policy
    policy.scorer.read(network.weights()[0])
    model.set_logger(Logger(None, []))

    def run() -> tuple[float, float]:
        before, threads = model.num_timesteps, torch.get_num_threads()
        torch.set_num_threads(THREADS)
        seconds = timed(lambda: model.learn(1, reset_num_timesteps=False))
        torch.set_num_threads(threads)
        return model.num_timesteps - before, seconds

    run()  # so that the games are at all stages, and memory is there
    return Case(name, "decisions", run)
