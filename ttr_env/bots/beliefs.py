"""What planners believe: the numbers behind their rules of thumb, in points where nothing else is said.

Version 1 believes the same at every table. Version 2 has numbers for each number of players and kind of board, which
`python -m training.tune` found by letting planners play each other and the racer. On a map of your own it believes what
it does on the built-in map that is most like it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ttr_env.engine.board import board
from ttr_env.engine.jit import entry, kernel
from ttr_env.maps import Map


class Beliefs(NamedTuple):
    """The numbers of a planner; the defaults are those of version 1."""

    spare_train: float = 3.1  # a train that no ticket needs
    token: float = 0.8  # a toll token, while the toll bonus is within reach
    lost_token: float = 0.3  # a toll token, when it is not
    loan: float = 5.2  # a claim that cannot be paid
    contested: float = 6.0  # trains of length that make up for a route with one track left
    reach: float = 8.4  # tokens by which another may be ahead with the bonus still within reach
    tokens_a_train: float = 0.4  # that others will pay for the trains they have left
    room_for_tickets: float = 21.0  # trains to place with which drawing tickets still pays, when none are open
    room_beside_plan: float = 1000.0  # the same, beside those that open tickets need
    others_turns_a_train: float = 0.68  # turns that others need to place a train, drawing cards included
    others_turns_a_card: float = 0.39  # turns that a card in the hand saves them
    pace: float = 0.0  # what a train that they have placed counts, beside that, for how fast they are
    turns_a_train: float = 1.27  # turns that placing a train takes the planner, who needs certain cards
    confidence: float = 1.0  # chance that a ticket is completed which the plan connects
    toll_cost: float = 5.0  # of a token where routes are looked for, where a train costs 4
    path_train: float = 0.7  # a train more in the longest path, where that earns a bonus


FIRST = Beliefs()

# Version 2, by the map that a board is like and the number of players.
TUNED: dict[str, dict[int, Beliefs]] = {
    "nederland": {2: FIRST, 3: FIRST, 4: FIRST, 5: FIRST},
    "nordic": {2: FIRST, 3: FIRST, 4: FIRST, 5: FIRST},
    "usa": {2: FIRST, 3: FIRST, 4: FIRST, 5: FIRST},
}

BELIEFS = np.dtype([(name, "f8") for name in Beliefs._fields])

_KINDS = tuple(TUNED)
_TABLES = (2, 3, 4, 5)  # numbers of players

# Who believes what: planners, and styles of play that are made of their beliefs. See `bots.styles`.
STYLES = ("planner", "planner:version=1", "blocker", "ticket_hoarder", "toll_hoarder")
_STYLES = {
    "planner": lambda tuned: tuned,
    "planner:version=1": lambda _: FIRST,
    "blocker": lambda tuned: tuned,
    "ticket_hoarder": lambda tuned: tuned._replace(room_for_tickets=1.0, room_beside_plan=12.0),
    "toll_hoarder": lambda tuned: tuned._replace(token=6.0, lost_token=6.0, toll_cost=20.0),
}
_TABLE = np.array(
    [[[_STYLES[style](TUNED[kind][players]) for players in _TABLES] for kind in _KINDS] for style in STYLES], BELIEFS
)


@kernel
def kind_of_board(b):
    """Which of the built-in maps a board is like: one with tolls, one whose locomotives are special, or neither."""
    if b["tokens"] > 0:
        return 0
    return 2 if b["plain_locomotives"] else 1


@entry
def _kind_of(boards):
    return kind_of_board(boards[0])


def map_like(map: Map) -> str:
    """The built-in map that a map is most like.

    >>> from ttr_env.maps import load
    >>> [map_like(load(name)) for name in ("nederland", "nordic", "usa")]
    ['nederland', 'nordic', 'usa']
    """
    return _KINDS[_kind_of(board(map))]


@kernel
def believe(g, b, style, net):
    """Let whoever plans with `net` believe what this style (an index of `STYLES`) does at this table."""
    net["beliefs"] = _TABLE[style, kind_of_board(b), g["players"] - _TABLES[0]]
