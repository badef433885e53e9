"""What players see: the observation vector and its named slices, and the columns of action features.

The vector is described in `ttr_env.game.observation`, action features in `docs/action-features.md`.

>>> from ttr_env import Game, observation
>>> seen = Game("nederland", players=2, seed=7).action_features()
>>> kept = [column.name for column in observation.ACTION_COLUMNS].index("kept")
>>> seen.actions[:3, kept].tolist()  # each of these keeps three of five tickets
[0.6000000238418579, 0.6000000238418579, 0.6000000238418579]
"""

from ttr_env.bots.features.columns import ACTION as ACTION_COLUMNS
from ttr_env.bots.features.columns import HIDDEN as HIDDEN_COLUMNS
from ttr_env.bots.features.columns import STATE as STATE_COLUMNS
from ttr_env.bots.features.columns import VERSION as COLUMNS_VERSION
from ttr_env.bots.features.columns import Column
from ttr_env.bots.features.rows import ActionFeatures
from ttr_env.bots.features.space import MAX_CANDIDATES
from ttr_env.game.observation import check_features, layout, named, shapes, size
from ttr_env.options import FEATURES

__all__ = [
    "ACTION_COLUMNS",
    "COLUMNS_VERSION",
    "FEATURES",
    "HIDDEN_COLUMNS",
    "MAX_CANDIDATES",
    "STATE_COLUMNS",
    "ActionFeatures",
    "Column",
    "check_features",
    "layout",
    "named",
    "shapes",
    "size",
]
