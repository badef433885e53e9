"""Ticket to Ride: Nederland as a reinforcement-learning environment.

>>> import ttr_env
>>> game = ttr_env.Game("nederland", players=2, seed=7)
>>> game.player, game.phase
(0, 'keep_tickets')
"""

from __future__ import annotations

from ttr_env.batch import Batch
from ttr_env.errors import IllegalAction, MapError, RecordError, SnapshotError
from ttr_env.game import Game
from ttr_env.maps import Map
from ttr_env.playouts import Playouts, playouts

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "Game",
    "IllegalAction",
    "Map",
    "MapError",
    "Playouts",
    "RecordError",
    "SnapshotError",
    "__version__",
    "playouts",
]
