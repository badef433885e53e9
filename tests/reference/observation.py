"""The observation, slice by slice, worked out from what the player knows (K)."""

from collections.abc import Iterable
from typing import Any

from .board import CARDS, TICKETS, TRACKS
from .planning import affordable, network, on_cheapest, trains_needed
from .scoring import is_done
from .state import NEUTRAL, TRAINS, Counts, State

PHASES = ("keep_tickets", "turn", "second_card", "neutral", "tunnel", "set", "over")
SEATS = 5
SLOTS = 5  # tickets on offer

# What entries are divided by, so that they end up between 0 and 1.
ALL_CARDS = {card: 14 if card == "locomotive" else 12 for card in CARDS}
CARD_TOTAL = 110
ROW = 5
TICKET_TOTAL = 44
TICKET_POINTS = 34  # of the best ticket
POINTS = 104  # 40 trains at 15 points for 6, and 4 to start with
LOANS = 21  # claims: 40 trains cover no more than that many tracks
TOLLS = 129  # 30, and the toll of every double route
ROUNDS = 100

Slices = dict[str, list[float]]


def expected_base(known: State, player: int) -> Slices:
    """The base features, from `known`, the player's information state."""
    return {
        **_clock(known, player),
        **_seats(known, player),
        **_table(known),
        **_tickets(known, player),
        "owner": _owners(known, player),
        **_neutral(known, player),
    }


def expected_planning(known: State, player: int) -> Slices:
    """The planning features alone."""
    seat = known["seats"][player]
    steps = network(known, player)
    needs = {t: trains_needed(steps, t) for t in seat["tickets"] + seat["offered"]}
    scaled = {ticket: min(1.0, need / TRAINS) for ticket, need in needs.items()}
    return {
        "ticket_need": [scaled[t] if t in seat["tickets"] else 0.0 for t in range(TICKET_TOTAL)],
        "offer_need": _padded((scaled[ticket] for ticket in seat["offered"]), SLOTS),
        "on_cheapest": _members(on_cheapest(known, player, seat["tickets"]), len(TRACKS)),
        "affordable": _members(affordable(known, player), len(TRACKS)),
    }


def expected_tolls(tolls: list[int], player: int) -> Slices:
    """The others' tokens in turn order, from those of every seat."""
    others = tolls[player + 1 :] + tolls[:player]
    return {"others_tolls": _padded((number / TOLLS for number in others), SEATS - 1)}


def _clock(known: State, player: int) -> Slices:
    mover, left = known["player"], known["turns_left"]
    return {
        "phase": _members({PHASES.index(known["phase"])}, len(PHASES)),
        "setup": [float(known["setup"])],
        "players": _members({known["players"] - 2}, SEATS - 1),
        "mover": _members({(mover - player) % known["players"]} if mover >= 0 else set(), SEATS),
        "round": [min(1.0, known["round"] / ROUNDS)],
        "last_turns": [float(left is not None)],
        "turns_left": [(left or 0) / SEATS],
        "passes": [known["passes"] / SEATS],
        "with_tolls": [float(known["tolls"])],
    }


def _seats(known: State, player: int) -> Slices:
    in_order = known["seats"][player:] + known["seats"][:player]

    def by_seat(field: str, most: int) -> list[float]:
        return _padded((_size(seat[field]) / most for seat in in_order), SEATS)

    return {
        "hand": _fractions(in_order[0]["hand"]),
        "tolls": [in_order[0]["tolls"] / TOLLS],
        "trains": by_seat("trains", TRAINS),
        "points": by_seat("points", POINTS),
        "loans": by_seat("loans", LOANS),
        "hand_size": by_seat("hand", CARD_TOTAL),
        "ticket_count": by_seat("tickets", TICKET_TOTAL),
        "offer_size": by_seat("offered", SLOTS),
        "known": _padded((each for seat in in_order for each in _fractions(seat["known"])), SEATS * len(CARDS)),
    }


def _table(known: State) -> Slices:
    public = known["ticket_discard"] if isinstance(known["ticket_discard"], list) else []
    return {
        "face_up": [known["face_up"][card] / ROW for card in CARDS],
        "deck_size": [known["deck"] / CARD_TOTAL],
        "discard": _fractions(known["discard"]),
        "ticket_pile_size": [known["ticket_pile"] / TICKET_TOTAL],
        "ticket_discard": _members(public, TICKET_TOTAL),
    }


def _tickets(known: State, player: int) -> Slices:
    seat = known["seats"][player]
    done = {t for t in seat["tickets"] + seat["offered"] if is_done(known, player, t)}
    worth = [ticket.points / TICKET_POINTS for ticket in TICKETS]
    slots = [each for ticket in seat["offered"] for each in _members({ticket}, TICKET_TOTAL)]
    return {
        "refused": _members(seat["refused"], TICKET_TOTAL),
        "tickets": [worth[t] if t in seat["tickets"] else 0.0 for t in range(TICKET_TOTAL)],
        "ticket_done": _members(done & set(seat["tickets"]), TICKET_TOTAL),
        "offer_ticket": _padded(slots, SLOTS * TICKET_TOTAL),
        "offer_points": _padded((worth[ticket] for ticket in seat["offered"]), SLOTS),
        "offer_done": _padded((float(ticket in done) for ticket in seat["offered"]), SLOTS),
    }


def _owners(known: State, player: int) -> list[float]:
    """A plane of all tracks for each seat in turn order, the player's own first, and one for the neutral player."""
    others = range(player + 1, player + known["players"])
    in_order = [player, *(seat % known["players"] for seat in others)]
    planes = [*in_order, *["nobody"] * (SEATS - len(in_order)), NEUTRAL]
    return [float(owner == plane) for plane in planes for owner in known["owners"]]


def _neutral(known: State, player: int) -> Slices:
    neutral = known["neutral"]
    if neutral is None:
        return {"neutral": [0.0] * 5, "neutral_ticket": [0.0] * TICKET_TOTAL}
    mine = neutral["marker"] == player
    facts = [1.0, float(neutral["active"]), neutral["trains"] / TRAINS, float(mine), float(not mine)]
    turned_up = set() if neutral["ticket"] is None else {neutral["ticket"]}
    return {"neutral": facts, "neutral_ticket": _members(turned_up, TICKET_TOTAL)}


def _size(what: Any) -> int:
    """A number as it is, a pile of cards or a list of tickets as their number."""
    if isinstance(what, int):
        return what
    return sum(what.values()) if isinstance(what, dict) else len(what)


def _fractions(cards: Counts) -> list[float]:
    return [cards[card] / ALL_CARDS[card] for card in CARDS]


def _members(chosen: Iterable[int], size: int) -> list[float]:
    some = set(chosen)
    return [float(i in some) for i in range(size)]


def _padded(values: Iterable[float], size: int) -> list[float]:
    some = list(values)
    return some + [0.0] * (size - len(some))
