"""The observation vector and its named slices: an alias of `ttr_env.game.observation`."""

from ttr_env.game.observation import FEATURES, check_features, layout, named, observe, shapes, size

__all__ = ["FEATURES", "check_features", "layout", "named", "observe", "shapes", "size"]
