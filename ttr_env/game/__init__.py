"""One game: playing it, describing it, what each seat knows of it, and how it is kept."""

from ttr_env.game.game import Game
from ttr_env.game.seat_view import SeatView

__all__ = ["Game", "SeatView"]
