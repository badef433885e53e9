"""The old name of `ttr_env.learning.sb3`, for one version."""

import warnings

from ttr_env.engine.scoring import PARTS
from ttr_env.learning.sb3 import LearnerVecEnv

__all__ = ["PARTS", "LearnerVecEnv"]

warnings.warn("training.vec_env is now ttr_env.learning.sb3", DeprecationWarning, stacklevel=2)
