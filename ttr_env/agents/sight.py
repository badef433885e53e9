"""The old name of `ttr_env.agents.inputs`, for one version."""

import warnings

from ttr_env.agents.inputs import Sight, advised_actions

__all__ = ["Sight", "advised_actions"]

warnings.warn("ttr_env.agents.sight is now ttr_env.agents.inputs", DeprecationWarning, stacklevel=2)
