"""The old name of `training.examples.aec_learner`, for one version."""

import warnings

from training.examples.aec_learner import AECLearner, random_opponent

__all__ = ["AECLearner", "random_opponent"]

warnings.warn("training.aec_env is now training.examples.aec_learner", DeprecationWarning, stacklevel=2)
