"""The observation vector as named slices: what stands where, and how it is brought to the range from 0 to 1."""

from __future__ import annotations

from ttr_env.engine.layout import CARD_KINDS, PHASES
from ttr_env.maps.limits import MAX_OFFER
from ttr_env.maps.model import Map

# The slices in order. Their positions in these tuples are the indices of `BOARD["slices"]`.
BASE: tuple[str, ...] = (
    "phase",
    "setup",
    "players",
    "mover",
    "round",
    "last_turns",
    "turns_left",
    "passes",
    "with_tolls",
    "hand",
    "tolls",
    "trains",
    "points",
    "loans",
    "hand_size",
    "ticket_count",
    "offer_size",
    "known",
    "face_up",
    "deck_size",
    "discard",
    "ticket_pile_size",
    "ticket_discard",
    "refused",
    "tickets",
    "ticket_done",
    "offer_ticket",
    "offer_points",
    "offer_done",
    "owner",
    "neutral",
    "neutral_ticket",
)
PLANNING: tuple[str, ...] = ("ticket_need", "offer_need", "on_cheapest", "affordable")
TOLLS_VISIBLE: tuple[str, ...] = ("others_tolls",)
ALL = BASE + PLANNING + TOLLS_VISIBLE
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
    TICKET_NEED,
    OFFER_NEED,
    ON_CHEAPEST,
    AFFORDABLE,
    OTHERS_TOLLS,
) = range(len(ALL))

LAST_ROUND = 100  # the round at which its entry reaches 1 and stays there


def sizes(map: Map) -> dict[str, int]:
    """The number of entries of every slice on a map."""
    seats, tracks, tickets = map.rules.players[1], len(map.tracks), len(map.tickets)
    by_seat = dict.fromkeys(("trains", "points", "loans", "hand_size", "ticket_count", "offer_size"), seats)
    by_card = dict.fromkeys(("hand", "face_up", "discard"), CARD_KINDS)
    by_track = dict.fromkeys(("on_cheapest", "affordable"), tracks)
    by_slot = dict.fromkeys(("offer_points", "offer_done", "offer_need"), MAX_OFFER)
    by_ticket = dict.fromkeys(("ticket_discard", "refused", "tickets", "ticket_done", "ticket_need"), tickets)
    special = {
        "phase": len(PHASES),
        "players": seats - 1,  # from 2 up
        "mover": seats,
        "known": seats * CARD_KINDS,
        "offer_ticket": MAX_OFFER * tickets,
        "owner": tracks * owner_planes(map),
        "neutral": 5 if map.rules.neutral else 0,  # takes part, active, trains, marker with me, with the other
        "neutral_ticket": tickets if map.rules.neutral else 0,
        "others_tolls": seats - 1,
    }
    known = by_seat | by_card | by_track | by_slot | by_ticket | special
    return {name: known.get(name, 1) for name in ALL}


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
        track.length
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
