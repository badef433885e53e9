"""Many games at once: stepped together, or played out at random."""

from ttr_env.batch.batch import Batch
from ttr_env.batch.playout import Playouts
from ttr_env.batch.stepping import SKIP

__all__ = ["SKIP", "Batch", "Playouts"]
