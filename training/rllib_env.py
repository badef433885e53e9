"""The old name of `ttr_env.learning.rllib.env`, for one version."""

import warnings

from ttr_env.learning.rllib.env import RLlibEnv

__all__ = ["RLlibEnv"]

warnings.warn("training.rllib_env is now ttr_env.learning.rllib.env", DeprecationWarning, stacklevel=2)
