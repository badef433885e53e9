"""How fast the training loop is, and how much of it is the game: `python -m benchmarks.training [--updates 10]`.

MaskablePPO with its default network (two separate towers of 64 and 64 units), two players, against the planner. It runs
once over the fast path of `ttr_env.learning.sb3`, and once over the PettingZoo environment with `AECLearner`.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import time

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from training.examples.aec_learner import AECLearner
from ttr_env.learning.sb3 import LearnerVecEnv
from ttr_env.learning.sb3.policy import Policy


class Stopwatch(BaseCallback):
    """Notes when every update begins, and when the last one ends."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []

    def _on_rollout_start(self) -> None:
        self.times.append(time.perf_counter())

    def _on_training_end(self) -> None:
        self.times.append(time.perf_counter())

    def _on_step(self) -> bool:
        return True


def measure(model: MaskablePPO, updates: int) -> list[float]:
    """Decisions a second of each update, after one that warms up."""
    model.set_logger(Logger(None, []))
    steps, watch = model.n_steps * model.n_envs, Stopwatch()
    model.learn(steps * (updates + 1), watch)
    return [steps / (end - begin) for begin, end in itertools.pairwise(watch.times)][1:]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--updates", type=int, default=10, help="updates to measure")
    updates = parser.parse_args().updates
    env = LearnerVecEnv(games=256, opponents={"planner": 1.0}, seed=0)
    fast = MaskablePPO(Policy, env, n_steps=64, batch_size=2048, n_epochs=4, seed=0, device="cpu")
    measure(fast, 1)
    before, began = env.seconds, time.perf_counter()
    speed = statistics.median(measure(fast, updates))
    share = (env.seconds - before) / (time.perf_counter() - began)
    print(f"fast path: {speed:,.0f} decisions/s, {share:.1%} of the time in the games and their opponents")
    slow = MaskablePPO("MlpPolicy", AECLearner(), n_steps=512, batch_size=512, n_epochs=4, seed=0, device="cpu")
    aec = statistics.median(measure(slow, 2))
    print(f"through PettingZoo: {aec:,.0f} decisions/s; the fast path is {speed / aec:.1f} times as fast")


if __name__ == "__main__":
    main()
