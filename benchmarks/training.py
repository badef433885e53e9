"""How fast the training loop is, and how much of it is the game: `python -m benchmarks.training [--updates 10]`.

MaskablePPO with its default network (two separate towers of 64 and 64 units), two players, against the planner. It runs
once over the fast path of `ttr_env.learning.sb3`, and once over the PettingZoo environment with `AECLearner`.
"""

from __future__ import annotations

import argparse
import statistics
import time

from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger

from training.examples.aec_learner import AECLearner
from ttr_env.learning.sb3 import LearnerVecEnv
from ttr_env.learning.sb3.policy import Policy


def measure(model: MaskablePPO, updates: int) -> list[float]:
    """Decisions a second of each update, after one that warms up."""
    model.set_logger(Logger(None, []))
    _, callback = model._setup_learn(1)
    assert model.env is not None  # or there would be nothing to set up
    steps = model.n_steps * model.n_envs
    speeds = []
    for _ in range(updates + 1):
        began = time.perf_counter()
        model.collect_rollouts(model.env, callback, model.rollout_buffer, model.n_steps)
        model.train()
        speeds.append(steps / (time.perf_counter() - began))
    return speeds[1:]


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
