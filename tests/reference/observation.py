"""The observation, slice by slice, worked out from what the player knows (K)."""

from collections.abc import Iterable
from typing import Any

from .board import CARDS, board_of
from .nordic import TURNED_UP, announced
from .planning import affordable, network, on_cheapest, trains_needed
from .scoring import is_done
from .state import NEUTRAL, NEUTRAL_TRAINS, Counts, State

PHASES = ("keep_tickets", "turn", "second_card", "neutral", "tunnel", "set", "over")
SLOTS = 5  # tickets on offer

# What entries are divided by, so that they end up between 0 and 1.
ALL_CARDS = {card: 14 if card == "locomotive" else 12 for card in CARDS}
CARD_TOTAL = 110
ROW = 5
POINTS = {
    "nederland": 104,  # 40 trains at 15 points for 6, and 4 to start with
    "nordic": 120,  # 40 trains at 27 points for 9
    "usa": 112,  # 45 trains at 15 points for 6
}
LOANS = 21  # claims: 40 trains cover no more than that many tracks
TOLLS = 129  # 30, and the toll of every double route
MOST_IN_SETS = 36  # nine sets of four (S7)
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
        **(_neutral(known, player) if known["map"] == "nederland" else {}),
        **(_pending(known) if known["map"] == "nordic" else {}),
    }


def expected_planning(known: State, player: int) -> Slices:
    """The planning features alone."""
    seat, here = known["seats"][player], board_of(known)
    steps = network(known, player)
    needs = {t: trains_needed(steps, here.tickets[t]) for t in seat["tickets"] + seat["offered"]}
    scaled = {ticket: min(1.0, need / here.numbers.trains) for ticket, need in needs.items()}
    return {
        "ticket_need": [scaled[t] if t in seat["tickets"] else 0.0 for t in range(len(here.tickets))],
        "offer_need": _padded((scaled[ticket] for ticket in seat["offered"]), SLOTS),
        "on_cheapest": _members(on_cheapest(known, player, seat["tickets"]), len(here.tracks)),
        "affordable": _members(affordable(known, player), len(here.tracks)),
    }


def expected_tolls(tolls: list[int], player: int, seats: int = 5) -> Slices:
    """The others' tokens in turn order, from those of every seat."""
    others = tolls[player + 1 :] + tolls[:player]
    return {"others_tolls": _padded((number / TOLLS for number in others), seats - 1)}


def _clock(known: State, player: int) -> Slices:
    mover, left = known["player"], known["turns_left"]
    seats = board_of(known).numbers.seats
    return {
        "phase": _members({PHASES.index(known["phase"])}, len(PHASES)),
        "setup": [float(known["setup"])],
        "players": _members({known["players"] - 2}, seats - 1),
        "mover": _members({(mover - player) % known["players"]} if mover >= 0 else set(), seats),
        "round": [min(1.0, known["round"] / ROUNDS)],
        "last_turns": [float(left is not None)],
        "turns_left": [(left or 0) / seats],
        "passes": [known["passes"] / seats],
        "with_tolls": [float(known["tolls"])],
    }


def _seats(known: State, player: int) -> Slices:
    in_order = known["seats"][player:] + known["seats"][:player]
    here = board_of(known)
    seats = here.numbers.seats

    def by_seat(field: str, most: int) -> list[float]:
        return _padded((_size(seat[field]) / most for seat in in_order), seats)

    return {
        "hand": _fractions(in_order[0]["hand"]),
        "tolls": [in_order[0]["tolls"] / TOLLS],
        "trains": by_seat("trains", here.numbers.trains),
        "points": by_seat("points", POINTS[known["map"]]),
        "loans": by_seat("loans", LOANS),
        "hand_size": by_seat("hand", CARD_TOTAL),
        "ticket_count": by_seat("tickets", len(here.tickets)),
        "offer_size": by_seat("offered", SLOTS),
        "known": _padded((each for seat in in_order for each in _fractions(seat["known"])), seats * len(CARDS)),
    }


def _table(known: State) -> Slices:
    public = known["ticket_discard"] if isinstance(known["ticket_discard"], list) else []
    here = board_of(known)
    slices = {
        "face_up": [known["face_up"][card] / ROW for card in CARDS],
        "deck_size": [known["deck"] / CARD_TOTAL],
        "discard": _fractions(known["discard"]),
        "ticket_pile_size": [known["ticket_pile"] / len(here.tickets)],
    }
    if here.numbers.discards == "public":
        slices["ticket_discard"] = _members(public, len(here.tickets))
    return slices


def _tickets(known: State, player: int) -> Slices:
    seat = known["seats"][player]
    done = {t for t in seat["tickets"] + seat["offered"] if is_done(known, player, t)}
    all_tickets = board_of(known).tickets
    number = len(all_tickets)
    worth = [ticket.points / max(each.points for each in all_tickets) for ticket in all_tickets]
    slots = [each for ticket in seat["offered"] for each in _members({ticket}, number)]
    return {
        "refused": _members(seat["refused"], number),
        "tickets": [worth[t] if t in seat["tickets"] else 0.0 for t in range(number)],
        "ticket_done": _members(done & set(seat["tickets"]), number),
        "offer_ticket": _padded(slots, SLOTS * number),
        "offer_points": _padded((worth[ticket] for ticket in seat["offered"]), SLOTS),
        "offer_done": _padded((float(ticket in done) for ticket in seat["offered"]), SLOTS),
    }


def _owners(known: State, player: int) -> list[float]:
    """A plane of all tracks for each seat in turn order, the player's own first, and Nederland's neutral player."""
    others = range(player + 1, player + known["players"])
    in_order = [player, *(seat % known["players"] for seat in others)]
    planes: list[Any] = [*in_order, *["nobody"] * (board_of(known).numbers.seats - len(in_order))]
    if known["map"] == "nederland":
        planes.append(NEUTRAL)
    return [float(owner == plane) for plane in planes for owner in known["owners"]]


def _neutral(known: State, player: int) -> Slices:
    neutral, number = known["neutral"], len(board_of(known).tickets)
    if neutral is None:
        return {"neutral": [0.0] * 5, "neutral_ticket": [0.0] * number}
    mine = neutral["marker"] == player
    facts = [1.0, float(neutral["active"]), neutral["trains"] / NEUTRAL_TRAINS, float(mine), float(not mine)]
    turned_up = set() if neutral["ticket"] is None else {neutral["ticket"]}
    return {"neutral": facts, "neutral_ticket": _members(turned_up, number)}


def _pending(known: State) -> Slices:
    """The claim that waits for a set or at a tunnel (S5 to S7)."""
    pending, tracks = known["pending"], len(board_of(known).tracks)
    if pending is None:
        nine = [0.0] * len(CARDS)
        return {
            "pending_track": [0.0] * tracks,
            "pending_card": nine,
            "pending_paid": nine,
            "pending_left": [0.0],
            "tunnel_cards": nine,
            "tunnel_extra": [0.0],
        }
    paid, nothing = announced(known, pending), dict.fromkeys(CARDS, 0)
    chosen, turned_up = pending.get("chosen", nothing), pending.get("turned_up", nothing)
    return {
        "pending_track": _members({pending["track"]}, tracks),
        "pending_card": [float(card == pending["card"]) for card in CARDS],
        "pending_paid": _fractions({card: paid[card] + chosen[card] for card in CARDS}),
        "pending_left": [pending.get("left", 0) / MOST_IN_SETS],
        "tunnel_cards": [turned_up[card] / TURNED_UP for card in CARDS],
        "tunnel_extra": [pending.get("extra", 0) / TURNED_UP],
    }


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
