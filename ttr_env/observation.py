"""The observation vector and its named slices: an alias of `ttr_env.game.observation`."""

from ttr_env.game.observation import FEATURES, layout, size

__all__ = ["FEATURES", "layout", "size"]
