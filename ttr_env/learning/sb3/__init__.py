"""Learning with Stable-Baselines3."""

from ttr_env.learning.sb3.vec_env import LearnerOptions, LearnerVecEnv

__all__ = ["LearnerOptions", "LearnerVecEnv"]
