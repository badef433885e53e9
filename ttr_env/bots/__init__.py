"""Bots: compiled players, a game in, an action out. `ttr_env.agents` makes agents of them."""

from ttr_env.bots.built_in import BOTS

__all__ = ["BOTS"]
