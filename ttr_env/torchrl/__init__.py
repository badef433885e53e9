"""The game in TorchRL: an environment over a `Batch`, and advantages that know whose decision is whose."""

try:
    import torchrl as _torchrl  # noqa: F401
except ModuleNotFoundError as error:
    raise ImportError("ttr_env.torchrl needs TorchRL: pip install torchrl") from error

from ttr_env.torchrl.advantages import SeatGAE
from ttr_env.torchrl.env import BatchEnv

__all__ = ["BatchEnv", "SeatGAE"]
