"""Bots: built-in players as compiled functions, a game in, an action out. `ttr_env.agents` gives them a face."""

from ttr_env.bots.built_in import BOTS

__all__ = ["BOTS"]
