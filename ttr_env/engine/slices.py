"""The observation vector as named slices: what stands where, and how it is brought to the range from 0 to 1."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

from ttr_env.engine.layout import CARD_KINDS, PHASES
from ttr_env.maps.limits import MAX_OFFER
from ttr_env.maps.model import Map

LAST_ROUND = 100  # the round at which its entry reaches 1 and stays there

# The slices in order, and what they mean. Seats are counted from the observing player, itself first. Positions in `ALL`
# are the indices of `BOARD["slices"]`.
BASE: dict[str, str] = {
    "phase": "what is being decided, one-hot: " + ", ".join(PHASES),
    "setup": "1 until every seat has made its first keep",
    "players": "number of players, one-hot from 2 up",
    "mover": "by seat, one-hot: whose decision it is; all 0 when the game is over",
    "round": f"the round / {LAST_ROUND}, at most 1",
    "last_turns": "1 once the last turns have begun (B9)",
    "turns_left": "turns still to be finished, once the last turns have begun / seats",
    "passes": "passes in a row / seats",
    "with_tolls": "1 if tolls are paid",
    "hand": "by card, own cards / cards of that kind in the game",
    "tolls": "own tokens / the most that can be held",
    "trains": "by seat, trains left / trains at the start",
    "points": "by seat, running score / the most that routes can give",
    "loans": "by seat, loan cards / the most tracks that can be claimed",
    "hand_size": "by seat, cards in the hand / cards in the game",
    "ticket_count": "by seat, tickets kept / tickets in the game",
    "offer_size": f"by seat, tickets on offer / {MAX_OFFER}",
    "known": "by seat and card, cards that everybody knows to be in the hand / cards of that kind",
    "face_up": "by card, cards in the row / size of the row",
    "deck_size": "cards in the deck / cards in the game",
    "discard": "by card, discarded cards / cards of that kind",
    "ticket_pile_size": "tickets in the pile / tickets in the game",
    "ticket_discard": "by ticket, 1 if it lies discarded where all can see it (N2)",
    "refused": "by ticket, 1 if the observing player put it on the discard pile",
    "tickets": "by ticket, its points / the most points of a ticket, if the observing player keeps it",
    "ticket_done": "by ticket, 1 if the observing player keeps and has completed it",
    "offer_ticket": f"by slot and ticket, one-hot: which ticket is on offer there; {MAX_OFFER} slots",
    "offer_points": "by slot, the points of the ticket on offer / the most points of a ticket",
    "offer_done": "by slot, 1 if the ticket on offer is completed already",
    "owner": "by seat, then the neutral player, and by track: 1 if it owns the track",
    "neutral": "the neutral player: takes part, is active, its trains, marker held by oneself, by the other",
    "neutral_ticket": "by ticket, 1 if it is turned up for the neutral player",
    "pending_track": "by track, 1 if the mover's claim of it waits, for a set or at a tunnel (S5 to S7)",
    "pending_card": "by card, one-hot: the colour that this claim is paid with, locomotive if none",
    "pending_paid": "by card, cards laid down for it / cards of that kind in the game",
    "pending_left": "cards of its sets still to be chosen / the most that a claim's sets can have",
    "tunnel_cards": "by card, cards turned up at the tunnel / cards turned up at most",
    "tunnel_extra": "extra cards asked for at the tunnel / cards turned up at most",
}
PLANNING: dict[str, str] = {
    "ticket_need": "by ticket kept, the fewest trains that complete it / trains at the start; 1 if out of reach",
    "offer_need": "by slot, the same for the tickets on offer",
    "on_cheapest": "by track, 1 if a cheapest completion of an own ticket uses it",
    "affordable": "by track, 1 if it can be claimed and paid for now",
}
TOLLS_VISIBLE: dict[str, str] = {
    "others_tolls": "by seat from the next one on, tokens / the most that can be held",
}
MEANINGS = BASE | PLANNING | TOLLS_VISIBLE
ALL = tuple(MEANINGS)
(
    PHASE,
    SETUP,
    PLAYERS,
    MOVER,
    ROUND,
    LAST_TURNS,
    TURNS_LEFT,
    PASSES,
    WITH_TOLLS,
    HAND,
    TOLLS,
    TRAINS,
    POINTS,
    LOANS,
    HAND_SIZE,
    TICKET_COUNT,
    OFFER_SIZE,
    KNOWN,
    FACE_UP,
    DECK_SIZE,
    DISCARD,
    TICKET_PILE_SIZE,
    TICKET_DISCARD,
    REFUSED,
    TICKETS,
    TICKET_DONE,
    OFFER_TICKET,
    OFFER_POINTS,
    OFFER_DONE,
    OWNER,
    NEUTRAL,
    NEUTRAL_TICKET,
    PENDING_TRACK,
    PENDING_CARD,
    PENDING_PAID,
    PENDING_LEFT,
    TUNNEL_CARDS,
    TUNNEL_EXTRA,
    TICKET_NEED,
    OFFER_NEED,
    ON_CHEAPEST,
    AFFORDABLE,
    OTHERS_TOLLS,
) = range(len(ALL))


@dataclass(frozen=True)
class Part:
    """A slice of the vector of one map."""

    name: str
    begin: int
    shape: tuple[int, ...]  # (0,) for what the map does not have

    @property
    def end(self) -> int:
        """Where the next one begins."""
        return self.begin + math.prod(self.shape)


@functools.lru_cache(maxsize=256)
def parts(map: Map, planning: bool, tolls_visible: bool) -> tuple[Part, ...]:
    """The slices of an observation in order, each beginning where the one before ends; some may be empty."""
    names = [*BASE, *(PLANNING if planning else ()), *(TOLLS_VISIBLE if tolls_visible else ())]
    shapes = _shapes(map)
    found: list[Part] = []
    for name in names:
        found.append(Part(name, found[-1].end if found else 0, shapes[name]))
    return tuple(found)


def _shapes(map: Map) -> dict[str, tuple[int, ...]]:
    """The shape of every slice on a map."""
    seats, tracks, tickets = map.rules.players[1], len(map.tracks), len(map.tickets)
    by_seat = ("mover", "trains", "points", "loans", "hand_size", "ticket_count", "offer_size")
    by_card = ("hand", "face_up", "discard", "pending_card", "pending_paid", "tunnel_cards")
    by_track = ("pending_track", "on_cheapest", "affordable")
    by_ticket = ("ticket_discard", "refused", "tickets", "ticket_done", "neutral_ticket", "ticket_need")
    known: dict[str, tuple[int, ...]] = {
        **dict.fromkeys(by_seat, (seats,)),
        **dict.fromkeys(by_card, (CARD_KINDS,)),
        **dict.fromkeys(by_track, (tracks,)),
        **dict.fromkeys(by_ticket, (tickets,)),
        **dict.fromkeys(("offer_points", "offer_done", "offer_need"), (MAX_OFFER,)),
        "phase": (len(PHASES),),
        "players": (seats - 1,),  # from 2 up
        "known": (seats, CARD_KINDS),
        "offer_ticket": (MAX_OFFER, tickets),
        "owner": (owner_planes(map), tracks),
        "neutral": (5,),  # takes part, active, trains, marker with me, with the other
        "others_tolls": (seats - 1,),
        **dict.fromkeys(_absent(map), (0,)),
    }
    return {name: known.get(name, (1,)) for name in ALL}


def _absent(map: Map) -> list[str]:
    """The slices that a map has no use for."""
    rules = map.rules
    absent = [] if rules.tickets.discards == "public" else ["ticket_discard"]
    if rules.neutral is None:
        absent += ["neutral", "neutral_ticket"]
    if rules.tunnels is None:
        absent += ["tunnel_cards", "tunnel_extra"]
    if rules.sets is None:
        absent += ["pending_left"]
    if rules.tunnels is None and rules.sets is None:
        absent += ["pending_track", "pending_card", "pending_paid"]
    return absent


def owner_planes(map: Map) -> int:
    """Own, the other seats in turn order, and the neutral player on maps that have one."""
    return map.rules.players[1] + (1 if map.rules.neutral else 0)


def most_points(map: Map) -> int:
    """More route points than trains can earn, and the start points."""
    rules = map.rules
    best = max(points / length for length, points in rules.route_points.items())
    return int(rules.trains * best) + max(rules.start_points)


def most_claims(map: Map) -> int:
    """As many tracks as one player's trains can cover: the shortest ones, one of each double."""
    lengths = sorted(
        track.length if partner is None else min(track.length, map.tracks[partner].length)
        for index, (track, partner) in enumerate(zip(map.tracks, map.partners, strict=True))
        if partner is None or index < partner
    )
    covered = [sum(lengths[: count + 1]) for count in range(len(lengths))]
    return max(1, sum(trains <= map.rules.trains for trains in covered))


def most_tolls(map: Map) -> int:
    """The tokens that a player can hold at most: those of the start, and the toll of every double."""
    if map.rules.tolls is None:
        return 1
    doubles = sum(track.toll for track, partner in zip(map.tracks, map.partners, strict=True) if partner is not None)
    return map.rules.tolls.tokens + doubles // 2


def most_in_sets(map: Map) -> int:
    """The cards that the sets of one claim can have at most."""
    return max(1, *(map.rules.set_size(track) * track.length for track in map.tracks))
