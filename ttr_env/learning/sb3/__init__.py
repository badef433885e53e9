"""Learning with Stable-Baselines3."""

from ttr_env.learning.sb3.vec_env import LearnerVecEnv

__all__ = ["LearnerVecEnv"]
