"""The old name of `ttr_env.learning.sb3.vec_env`, for one version."""

import warnings

from ttr_env.learning.sb3.vec_env import LearnerVecEnv

__all__ = ["LearnerVecEnv"]

warnings.warn("training.vec_env is now ttr_env.learning.sb3.vec_env", DeprecationWarning, stacklevel=2)
