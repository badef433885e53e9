"""Claiming tracks: what a hand can pay, doubles, tolls and loans (B6 to B8, N3 to N5, S4, S8)."""

from .board import COLOURS, LOCOMOTIVE, Track, board_of
from .cards import fill_row, move_cards
from .nordic import nordic_payments
from .state import NEUTRAL, Action, Counts, State, mover

ROUTE_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 9: 27}  # B8


def legal_claims(state: State) -> list[Action]:
    """Every payment that the hand allows, for every track open to the mover, is its own action (B6)."""
    return [
        {"kind": "claim", "track": track, **payment}
        for track in range(len(board_of(state).tracks))
        if _is_open(state, track)
        for payment in payments(state, mover(state)["hand"], track)
    ]


def _is_open(state: State, track: int) -> bool:
    """B6: the track is free and there are trains for it. B7, N4, N10, S8: what its twin's owner leaves open."""
    here = board_of(state)
    if state["owners"][track] is not None or mover(state)["trains"] < here.tracks[track].length:
        return False
    twin = here.twins[track]
    twin_owner = None if twin is None else state["owners"][twin]
    if twin_owner is None:
        return True
    one_track_only = state["players"] < here.numbers.both_tracks_from and not state["tolls"]
    return twin_owner != state["player"] and not one_track_only


def payments(state: State, hand: Counts, track: int) -> list[dict[str, str | int]]:
    """Every payment that a hand can make for a track."""
    here = board_of(state)
    make = nordic_payments if here.numbers.nordic_payments else _plain_payments
    return make(hand, here.tracks[track])


def _plain_payments(hand: Counts, track: Track) -> list[dict[str, str | int]]:
    """B6: any mix of one colour and locomotives; without a card of a colour it is named by the locomotive."""
    length, colour = track.length, track.colour
    colours = COLOURS if colour == "grey" else (colour,)
    payments: list[dict[str, str | int]] = [
        {"card": card, "locomotives": locomotives}
        for card in colours
        for locomotives in range(length)
        if hand[card] >= length - locomotives and hand[LOCOMOTIVE] >= locomotives
    ]
    if hand[LOCOMOTIVE] >= length:
        payments.append({"card": LOCOMOTIVE, "locomotives": length})
    return payments


def claim(state: State, track: int, paid: Counts) -> None:
    """Pay with cards (B6), pay the toll (N3), place the trains and score (B8)."""
    seat, length = mover(state), board_of(state).tracks[track].length
    _pay_cards(state, paid)
    if state["tolls"]:
        _pay_toll(state, track)
    state["owners"][track] = state["player"]
    seat["trains"] -= length
    seat["points"] += ROUTE_POINTS[length]


def _pay_cards(state: State, paid: Counts) -> None:
    """B5: the discards refill a short row at once. B4: they may also free a row stuck with locomotives."""
    seat = mover(state)
    move_cards(paid, seat["hand"], state["discard"])
    # K: equal cards cannot be told apart, so what stays sure is what is left if the known ones went first.
    seat["known"] = {card: max(0, number - paid[card]) for card, number in seat["known"].items()}
    fill_row(state)


def _pay_toll(state: State, track: int) -> None:
    """N3: to the bank, or to the owner of the first track. N5: who cannot pay it all takes a loan instead."""
    seat, toll = mover(state), board_of(state).tracks[track].toll
    if seat["tolls"] >= toll:
        seat["tolls"] -= toll
    else:
        seat["loans"] += 1
    pay_owner_beside(state, track)


def pay_owner_beside(state: State, track: int) -> None:
    """N3, N5, N11: a player who owns the other track gets the toll, whoever pays; the neutral gets none."""
    twin = board_of(state).twins[track]
    owner = None if twin is None else state["owners"][twin]
    if owner is not None and owner != NEUTRAL:
        state["seats"][owner]["tolls"] += board_of(state).tracks[track].toll
