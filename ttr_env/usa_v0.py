"""USA as PettingZoo names its environments; the options are those of `ttr_env.env`.

>>> from ttr_env import usa_v0
>>> env = usa_v0.env(players=4)
>>> env.reset(seed=1)
>>> env.agent_selection
'player_0'
"""

from __future__ import annotations

from typing import Any

from ttr_env.envs import aec

__all__ = ["env", "raw_env"]


def env(**options: Any) -> aec.Referee:
    """A game as a PettingZoo environment, with the usual checks."""
    return aec.env(map="usa", **options)


def raw_env(**options: Any) -> aec.raw_env:
    """A game as a PettingZoo environment, without wrappers: an illegal action raises `IllegalAction`."""
    return aec.raw_env(map="usa", **options)
