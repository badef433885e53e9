"""The position as one dict in the form of a snapshot, and how a new one looks before anything is dealt."""

from typing import Any

from .board import CARDS, COLOURS, LOCOMOTIVE, board

State = dict[str, Any]
Action = dict[str, Any]
Counts = dict[str, int]  # number of cards by colour; all nine keys always

NEUTRAL = "neutral"  # the owner of the neutral player's tracks
NEUTRAL_TRAINS = 40  # N11
TOKENS = 30  # N3


def no_cards() -> Counts:
    return dict.fromkeys(CARDS, 0)


def total(cards: Counts) -> int:
    return sum(cards.values())


def mover(state: State) -> dict[str, Any]:
    """The seat whose decision it is."""
    return state["seats"][state["player"]]


def undealt(name: str, players: int, tolls: bool, neutral_player: bool, rng: str) -> State:
    """The table with everything laid out and nothing dealt yet (B1, N1, N3, N11, S1, U1)."""
    here = board(name)
    if neutral_player and not (players == 2 and tolls):
        raise ValueError("the neutral player needs 2 players and tolls (N11)")
    return {
        "format": 1,
        "map": name,
        "players": players,
        "tolls": tolls,
        "neutral_player": neutral_player,
        "phase": "keep_tickets",
        "setup": True,
        "player": 0,
        "round": 1,
        "turns_left": None,
        "passes": 0,
        "deck": {**dict.fromkeys(COLOURS, 12), LOCOMOTIVE: 14},
        "discard": no_cards(),
        "face_up": no_cards(),
        "ticket_pile": list(range(len(here.tickets))),
        "ticket_discard": [],
        "owners": [None] * len(here.tracks),
        "seats": [
            _seat(here.numbers.trains, start_points=i if here.numbers.staggered else 0, tokens=TOKENS if tolls else 0)
            for i in range(players)
        ],
        "neutral": _neutral() if neutral_player else None,
        "pending": None,
        "rng": rng,
    }


def _neutral() -> dict[str, Any]:
    """N11: the second player starts with the marker."""
    return {"trains": NEUTRAL_TRAINS, "marker": 1, "active": True, "ticket": None}


def _seat(trains: int, start_points: int, tokens: int) -> dict[str, Any]:
    return {
        "hand": no_cards(),
        "trains": trains,
        "tolls": tokens,
        "loans": 0,
        "tickets": [],
        "offered": [],
        "refused": [],
        "points": start_points,
        "known": no_cards(),
    }
