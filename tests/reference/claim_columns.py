"""The columns of a claim: what it does for points, cards, tolls and tickets, and to the others."""

from .board import LOCOMOTIVE
from .outlook import Columns, Outlook, longest_path
from .seen import ends
from .state import Action, total

LAST_TRAINS = 2  # B9


def claim_columns(look: Outlook, action: Action) -> Columns:
    return {
        "claim": 1.0,
        **_track(look, action["track"]),
        **_payment(look, action),
        **(_toll(look, action["track"]) if look.seen.known["tolls"] else {}),
        **_tickets_served(look, action["track"]),
        **_rivals(look, action["track"]),
        **(_path_gain(look, action["track"]) if look.earns_path_bonus else {}),
    }


def _track(look: Outlook, track: int) -> Columns:
    one, known = look.seen.map.tracks[track], look.seen.known
    after = look.seen.trains - one.length
    return {
        "length": one.length / 9,
        "points": look.seen.rules.route_points[one.length] / 20,
        "last_of_route": float(look.seen.twin_in_play(track) is None),
        "beside_other": float(look.seen.owner_beside(track) is not None),
        "trains_after": after / look.seen.rules.trains,
        "ends_game": float(known["turns_left"] is None and after <= LAST_TRAINS),
        "tunnel": float(one.tunnel),
        "ferry": one.ferry / 4,
    }


def _payment(look: Outlook, action: Action) -> Columns:
    hand, card, track = look.seen.hand, action["card"], look.seen.map.tracks[action["track"]]
    locomotives, sets = action["locomotives"], action.get("sets", 0)
    cards = track.length - locomotives - sets
    left = 0 if card == LOCOMOTIVE else hand[card] - cards
    wanted = look.wanted.get(card, 0)
    return {
        "locomotives_paid": locomotives / 6,
        "cards_paid": cards / 9,
        "sets_paid": sets / 4,
        "conflict": (max(0, wanted - 1) if look.is_planned(action["track"]) else wanted) / 6,
        "cards_left": left / 6,
        "hand_after": (total(hand) - cards - locomotives - sets * look.seen.set_size(track)) / 30,
        "reserve": (left + hand[LOCOMOTIVE] - locomotives) / 6,
    }


def _toll(look: Outlook, track: int) -> Columns:
    one, own = look.seen.map.tracks[track], look.seen.seat["tolls"]
    return {
        "toll": one.toll / 4,
        "loan": float(own < one.toll),
        "toll_a_train": one.toll / one.length / 2,
        "tolls_lead_after": (own - one.toll - look.most_tolls) / 15,
        "paid_to_player": float(one.toll > 0 and look.seen.is_seat(look.seen.owner_beside(track))),
    }


def _tickets_served(look: Outlook, track: int) -> Columns:
    """The way between a ticket's cities before, and what is left of it once the track is there, by its costs."""
    board, away = look.seen.map, look.ways.away
    one, other = ends(board.tracks[track])
    nearer, weighed, helped, completed = 0.0, 0.0, 0, 0
    for ticket in (board.tickets[i] for i in look.open_tickets):
        before = min(255, away(ticket.a, ticket.b))
        after = min(away(ticket.a, i) + away(j, ticket.b) for i, j in ((one, other), (other, one)))
        if after < before:
            nearer += before - after
            weighed += ticket.points * (before - after) / before
            helped += 1
            completed += ticket.points if after == 0 else 0
    return {
        "completes": completed / 30,
        "nearer": nearer / 40,
        "nearer_points": weighed / 30,
        "helps": helped / 4,
        "in_plan": float(look.is_planned(track)),
    }


def _rivals(look: Outlook, track: int) -> Columns:
    both = ends(look.seen.map.tracks[track])

    def touched(seat: int) -> int:
        """How many of the ends a seat has reached; none if it has connected them."""
        return 0 if look.seen.connected(seat, *both) else len(look.seen.networks[seat].keys() & {*both})

    return {
        "joins_others": look.share(lambda seat: touched(seat) == 2),
        "touches_others": look.share(lambda seat: touched(seat) > 0),
        "own_ends": len(look.seen.networks[look.seen.player].keys() & {*both}) / 2,
    }


def _path_gain(look: Outlook, track: int) -> Columns:
    with_it = longest_path(look.seen.map, [*look.seen.tracks_of[look.seen.player], track])
    return {"path_gain": (with_it - look.own_path) / 9}
