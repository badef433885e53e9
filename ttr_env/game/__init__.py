"""One game: playing it, describing it, what each seat knows of it, and how it is kept."""

from ttr_env.game.game import Game

__all__ = ["Game"]
