"""Many games at once: stepped together, or played out at random."""

from ttr_env.batch.batch import Batch
from ttr_env.batch.playout import Playouts, playouts

__all__ = ["Batch", "Playouts", "playouts"]
