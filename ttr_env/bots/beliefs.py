"""What planners believe: the numbers behind their rules of thumb, in points where nothing else is said.

Version 1 believes the same at every table. Version 2 has numbers for each number of players and kind of board, which
`python -m training.tune` found by letting planners play each other and the racer. On a map of your own it believes what
it does on the built-in map that is most like it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ttr_env.engine.jit import entry, kernel


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
PLAYERS = (2, 3, 4, 5)


def _by_players(**numbers: float | tuple[float, float, float, float]) -> dict[int, Beliefs]:
    """Beliefs for 2, 3, 4 and 5 players, or one number for all; what is left out is as in version 1."""
    columns = {name: np.broadcast_to(values, len(PLAYERS)).tolist() for name, values in numbers.items()}
    return {
        players: Beliefs(**{name: values[place] for name, values in columns.items()})
        for place, players in enumerate(PLAYERS)
    }


# The two good styles, from early searches against version 1 and racers. Drawing tickets again and again beats hoarding
# tokens, which beats version 1 more clearly.
DRAWER = FIRST._replace(
    spare_train=5.5, token=1.4, lost_token=0.28, loan=3.2, contested=5.4, reach=25.0, tokens_a_train=0.5,
    room_for_tickets=3.0, room_beside_plan=27.0, others_turns_a_train=1.45, others_turns_a_card=0.53, pace=0.02,
    turns_a_train=1.96, confidence=0.94, toll_cost=7.0,
)  # fmt: skip
HOARDER = FIRST._replace(
    spare_train=2.44, token=3.74, lost_token=0.38, loan=1.86, contested=5.31, reach=3.5, tokens_a_train=0.963,
    room_for_tickets=22.1, room_beside_plan=20.7, others_turns_a_train=0.971, others_turns_a_card=0.68, pace=0.012,
    turns_a_train=1.41, confidence=0.803, toll_cost=8.0,
)  # fmt: skip

# Version 2, by the map that a board is like. Where a table has the numbers of another one, nothing better was looked
# for; numbers for tolls and for the longest path are given where there are such.
TUNED: dict[str, dict[int, Beliefs]] = {
    "nederland": _by_players(
        spare_train=(1.92, 2.86, 3.48, 2.86),
        token=(4.11, 2.87, 2.42, 2.87),
        lost_token=(0.199, 0.635, 0.374, 0.635),
        loan=(2.45, 1.77, 2.41, 1.77),
        contested=(22.5, 6.69, 7.45, 6.69),
        reach=(2.01, 4.22, 5.68, 4.22),
        tokens_a_train=(1.34, 1.31, 1.4, 1.31),
        room_for_tickets=(51.3, 6.08, 5.46, 6.08),
        room_beside_plan=(44.6, 29.3, 37.6, 29.3),
        others_turns_a_train=(0.851, 1.01, 0.791, 1.01),
        others_turns_a_card=(0.975, 0.517, 0.37, 0.517),
        pace=(0.0289, 0.00845, 0.00386, 0.00845),
        turns_a_train=(1.31, 1.45, 1.28, 1.45),
        confidence=(0.834, 0.792, 0.851, 0.792),
        toll_cost=(17.3, 14.4, 7.56, 14.4),
    ),
    "nordic": _by_players(
        spare_train=(2.23, 2.5, 2.5, 2.5),
        contested=(3.75, 3.87, 3.87, 3.87),
        room_for_tickets=(7.56, 8.04, 8.04, 8.04),
        room_beside_plan=(111.0, 18.0, 18.0, 18.0),
        others_turns_a_train=(1.47, 1.18, 1.18, 1.18),
        others_turns_a_card=(0.527, 0.428, 0.428, 0.428),
        pace=(0.0171, 0.0262, 0.0262, 0.0262),
        turns_a_train=(3.53, 2.85, 2.85, 2.85),
        confidence=(0.861, 0.813, 0.813, 0.813),
    ),
    "usa": _by_players(
        spare_train=2.59,
        contested=10.5,
        room_for_tickets=38.2,
        room_beside_plan=26.4,
        others_turns_a_train=0.783,
        others_turns_a_card=0.604,
        pace=0.0211,
        turns_a_train=1.45,
        confidence=0.786,
        path_train=0.916,
    ),
}

BELIEFS = np.dtype([(name, "f8") for name in Beliefs._fields])

KINDS = tuple(TUNED)


def _between(one: Beliefs, other: Beliefs) -> Beliefs:
    """Halfway from one to the other."""
    return Beliefs(*((a + b) / 2 for a, b in zip(one, other, strict=True)))


# Who believes what, by what the tuned planner does at the same table: planners, and the styles of `bots.styles`.
_STYLES = {
    "planner": lambda tuned: tuned,
    "planner:version=1": lambda _: FIRST,
    "blocker": lambda tuned: tuned,
    "ticket_hoarder": lambda _: DRAWER._replace(room_for_tickets=1.0, room_beside_plan=12.0),
    "toll_hoarder": lambda _: HOARDER._replace(token=6.0, lost_token=6.0, toll_cost=20.0),
    "stranger": lambda tuned: _between(tuned, DRAWER),
}
STYLES = tuple(_STYLES)
_TABLE = np.array(
    [[[_STYLES[style](TUNED[kind][players]) for players in PLAYERS] for kind in KINDS] for style in STYLES], BELIEFS
)


@kernel
def kind_of_board(b):
    """Which of the built-in maps a board is like: one with tolls, one whose locomotives are special, or neither."""
    if b["tokens"] > 0:
        return 0
    return 2 if b["plain_locomotives"] else 1


@entry
def kind_of(boards):
    """The same, for Python: an index of `KINDS`."""
    return kind_of_board(boards[0])


@kernel
def believe(g, b, style, net):
    """Let whoever plans with `net` believe what this style (an index of `STYLES`) does at this table."""
    net["beliefs"] = _TABLE[style, kind_of_board(b), g["players"] - PLAYERS[0]]
