"""Which built-in map another map is like, so that what was learned on one is used on the other.

It is no part of `bots.beliefs`, whose kernels need not be compiled anew when the loader of maps changes.
"""

from __future__ import annotations

from ttr_env.bots.beliefs import KINDS, kind_of
from ttr_env.engine.board import board
from ttr_env.maps import Map


def map_like(map: Map) -> str:
    """The built-in map that a map is most like.

    >>> from ttr_env.maps import load
    >>> [map_like(load(name)) for name in ("nederland", "nordic", "usa")]
    ['nederland', 'nordic', 'usa']
    """
    return KINDS[kind_of(board(map))]
