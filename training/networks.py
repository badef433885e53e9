"""The old name of `ttr_env.learning.sb3.policy`, for one version: models that 0.1.0 saved name these classes."""

import warnings

from ttr_env.learning.sb3.policy import Policy, Trunk

__all__ = ["Policy", "Trunk"]

warnings.warn("training.networks is now ttr_env.learning.sb3.policy", DeprecationWarning, stacklevel=2)
