"""Nordic Countries as PettingZoo names its environments; the options are those of `ttr_env.env`, without the map.

>>> from ttr_env import nordic_v0
>>> env = nordic_v0.env(players=3)
>>> env.reset(seed=1)
>>> env.agent_selection
'player_0'
"""

from __future__ import annotations

from typing import Unpack

from ttr_env.envs.aec import Referee
from ttr_env.envs.versions import OneMap
from ttr_env.options import EnvOptions

__all__ = ["env", "raw_env"]


class raw_env(OneMap, map="nordic"):  # noqa: N801 - PettingZoo's name for it
    """A game of Nordic Countries, without wrappers: an illegal action raises `IllegalAction`."""


def env(**options: Unpack[EnvOptions]) -> Referee:
    """A game of Nordic Countries, with the usual checks."""
    return Referee(raw_env(**options))
