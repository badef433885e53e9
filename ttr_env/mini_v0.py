"""Mini as a PettingZoo environment, for 2 players: a small board, to learn on in seconds.

Players collect train cards and pay with them for tracks between neighbouring cities. Tracks score points by their
length, and so do tickets: each names two cities, and costs its points at the end if a player's tracks do not connect
them. In a turn a player draws two cards (a face-up locomotive counts as both), claims a free track with cards of its
colour, or draws tickets and keeps some. A locomotive stands for any colour. When somebody has hardly any trains left,
everybody has one more turn. The highest total wins.

An agent acts once or more in its turn. An action is a number, and `observation["action_mask"]` has a 1 for each that is
legal:

- 0: draw a card from the deck
- 1 to 9: take a face-up card: purple, white, blue, yellow, orange, black, red, green, locomotive
- 10: draw tickets to choose from
- 11: pass, where nothing else is possible
- 12 to 42: keep some of the tickets on offer: those whose bits are set in the number less 11
- 43 to 186: claim a track, paid with a colour and a number of locomotives

`docs/mini.md` has the rest, and `ttr_env.text` a game's rules and board in full. The options are those of
`ttr_env.env`, without the map.

>>> from ttr_env import mini_v0
>>> env = mini_v0.env(players=2)
>>> env.reset(seed=1)
>>> env.agent_selection
'player_0'
"""

from __future__ import annotations

from typing import Any, Unpack

from pettingzoo import ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from ttr_env.envs.aec import Referee
from ttr_env.envs.versions import OneMap
from ttr_env.options import EnvOptions

__all__ = ["env", "parallel_env", "raw_env"]


class raw_env(OneMap, map="mini"):  # noqa: N801 - PettingZoo's name for it
    """A game on Mini, without wrappers: an illegal action raises `IllegalAction`."""


def env(**options: Unpack[EnvOptions]) -> Referee:
    """A game on Mini, with the usual checks."""
    return Referee(raw_env(**options))


def parallel_env(**options: Unpack[EnvOptions]) -> ParallelEnv[str, Any, Any]:
    """A game on Mini in which all agents step at once, and only the mover's action counts."""
    return turn_based_aec_to_parallel(env(**options))
