"""The observation vector and its named slices: an alias of `ttr_env.game.observation`."""

from ttr_env.game.observation import check_features, layout, named, shapes, size
from ttr_env.options import FEATURES

__all__ = ["FEATURES", "check_features", "layout", "named", "shapes", "size"]
