"""Positions made by hand, and a few words to play them.

A test places what it is about; `position` puts every other card, ticket and train where it belongs.
"""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from ttr_env import Game, maps

Snapshot = dict[str, Any]
Cards = Mapping[str, int]

MAP = maps.load("nederland")
COLOURS = ("purple", "white", "blue", "yellow", "orange", "black", "red", "green")
ALL_CARDS = {**dict.fromkeys(COLOURS, 12), "locomotive": 14}
ROUTE_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 9: 27}
TRAINS = {"nederland": 40, "nordic": 40, "usa": 45}
NEUTRAL_TRAINS = 40
TOKENS = 30
NOTHING: dict[Any, Any] = {}
ROW = {"purple": 1, "white": 1, "blue": 1, "yellow": 1, "orange": 1}


# The board ------------------------------------------------------------------------------------


def track(a: str, b: str, colour: str, map: str = "nederland") -> int:
    """The id of the track of that colour (of two equal ones, the lower)."""
    board = maps.load(map)
    ends = {board.cities.index(a), board.cities.index(b)}
    return next(i for i, t in enumerate(board.tracks) if {t.a, t.b} == ends and t.colour == colour)


def other(track_id: int) -> int:
    """The id of the second track of a double route."""
    here = MAP.tracks[track_id]
    (twin,) = (i for i, t in enumerate(MAP.tracks) if {t.a, t.b} == {here.a, here.b} and i != track_id)
    return twin


def ticket(a: str, b: str, map: str = "nederland") -> int:
    board = maps.load(map)
    ends = {board.cities.index(a), board.cities.index(b)}
    return next(i for i, t in enumerate(board.tickets) if {t.a, t.b} == ends)


def filler(length: int) -> list[int]:
    """One track of each of some double routes, long ones first, that together are `length` trains long."""
    doubles: dict[frozenset[int], list[int]] = {}
    for i, t in enumerate(MAP.tracks):
        doubles.setdefault(frozenset((t.a, t.b)), []).append(i)
    lower = [ids[0] for ids in doubles.values() if len(ids) == 2]
    chosen: list[int] = []
    for i in sorted(lower, key=lambda i: -MAP.tracks[i].length):
        if MAP.tracks[i].length <= length:
            chosen.append(i)
            length -= MAP.tracks[i].length
    assert length == 0
    return chosen


# Cards ----------------------------------------------------------------------------------------


def cards(some: Cards = NOTHING) -> dict[str, int]:
    """The same cards, with all nine keys."""
    assert set(some) <= set(ALL_CARDS), some
    return {card: some.get(card, 0) for card in ALL_CARDS}


def total(*piles: Cards) -> dict[str, int]:
    return {card: sum(pile.get(card, 0) for pile in piles) for card in ALL_CARDS}


def size(pile: Cards) -> int:
    return sum(pile.values())


# Positions ------------------------------------------------------------------------------------


def rng(number: int) -> str:
    """One of many unrelated RNG states."""
    return f"{random.Random(number).getrandbits(64):016x}"


@dataclass(kw_only=True)
class Where:
    """What can be said of a position. What is given by seat may stop early: the rest is as usual."""

    map: str = "nederland"
    players: int = 2
    tolls: bool | None = None
    neutral_player: bool = False
    hands: Sequence[Cards] = ()
    face_up: Cards = field(default_factory=ROW.copy)
    deck: Cards = field(default_factory=dict)
    discard: Cards = field(default_factory=dict)
    rest: str | int = "deck"  # where all other cards are: "deck", "discard" or the hand of a seat
    owned: Mapping[int, int | str] = field(default_factory=dict)  # track id -> seat or "neutral"
    tickets: Sequence[Iterable[int]] = ()
    offered: Sequence[Iterable[int]] = ()
    refused: Sequence[Iterable[int]] = ()
    ticket_pile: Iterable[int] = ()
    ticket_discard: Iterable[int] = ()
    ticket_rest: str | int = "pile"  # where all other tickets are: "pile", "discard" or with a seat
    known: Sequence[Cards] = ()
    trains: Sequence[int] = ()
    points: Sequence[int] = ()
    tokens: Sequence[int] = ()
    loans: Sequence[int] = ()
    neutral: Mapping[str, Any] = field(default_factory=dict)  # the fields that differ from the usual

    @property
    def with_tolls(self) -> bool:
        return self.map == "nederland" if self.tolls is None else self.tolls

    def lengths(self, owner: int | str) -> list[int]:
        """Of the tracks that somebody owns."""
        tracks = maps.load(self.map).tracks
        return [tracks[i].length for i, who in self.owned.items() if who == owner]

    def seat(self, seat: int) -> dict[str, Any]:
        def given(values: Sequence[Any], usual: Any) -> Any:
            return values[seat] if seat < len(values) else usual

        start = seat if self.map == "nederland" else 0
        return {
            "hand": cards(given(self.hands, NOTHING)),
            "trains": given(self.trains, TRAINS[self.map] - sum(self.lengths(seat))),
            "tolls": given(self.tokens, TOKENS if self.with_tolls else 0),
            "loans": given(self.loans, 0),
            "tickets": list(given(self.tickets, ())),
            "offered": sorted(given(self.offered, ())),
            "refused": sorted(given(self.refused, ())),
            "points": given(self.points, start + sum(ROUTE_POINTS[n] for n in self.lengths(seat))),
            "known": cards(given(self.known, NOTHING)),
        }

    def usual_neutral(self) -> dict[str, Any]:
        trains = NEUTRAL_TRAINS - sum(self.lengths("neutral"))
        return {"trains": trains, "marker": 1, "active": True, "ticket": None}


def position(**said: Any) -> Snapshot:
    """A snapshot in which everything adds up, by what `Where` has room for; any other field is taken as it is."""
    known = {each.name for each in dataclasses.fields(Where)}
    where = Where(**{name: value for name, value in said.items() if name in known})
    fields = {name: value for name, value in said.items() if name not in known}
    snapshot: Snapshot = {
        "format": 1,
        "map": where.map,
        "players": where.players,
        "tolls": where.with_tolls,
        "neutral_player": where.neutral_player,
        "phase": "turn",
        "setup": False,
        "player": 0,
        "round": 8,
        "turns_left": None,
        "passes": 0,
        "deck": cards(where.deck),
        "discard": cards(where.discard),
        "face_up": cards(where.face_up),
        "ticket_pile": list(where.ticket_pile),
        "ticket_discard": list(where.ticket_discard),
        "owners": [where.owned.get(i) for i in range(len(maps.load(where.map).tracks))],
        "seats": [where.seat(seat) for seat in range(where.players)],
        "neutral": {**where.usual_neutral(), **where.neutral} if where.neutral_player else None,
        "pending": fields.get("pending"),
        "rng": "0123456789abcdef",
    }
    assert set(fields) <= set(snapshot), f"no such field: {set(fields) - set(snapshot)}"
    _place_other_cards(snapshot, where.rest)
    _place_other_tickets(snapshot, where.ticket_rest)
    return snapshot | fields


def _place_other_cards(snapshot: Snapshot, rest: str | int) -> None:
    hands = [seat["hand"] for seat in snapshot["seats"]]
    placed = total(*hands, snapshot["deck"], snapshot["discard"], snapshot["face_up"], _turned_up(snapshot))
    pile = hands[rest] if isinstance(rest, int) else snapshot[rest]
    for card, number in ALL_CARDS.items():
        assert placed[card] <= number, f"more than {number} {card} cards"
        pile[card] += number - placed[card]


def _turned_up(snapshot: Snapshot) -> Cards:
    """S6: the cards at a tunnel, which are nowhere else."""
    return (snapshot["pending"] or {}).get("turned_up", NOTHING)


def _place_other_tickets(snapshot: Snapshot, rest: str | int) -> None:
    held = [seat["tickets"] for seat in snapshot["seats"]]
    lists = [snapshot["ticket_pile"], snapshot["ticket_discard"], *held]
    placed = Counter(i for some in lists + [seat["offered"] for seat in snapshot["seats"]] for i in some)
    if snapshot["neutral"] is not None and snapshot["neutral"]["ticket"] is not None:
        placed[snapshot["neutral"]["ticket"]] += 1
    assert max(placed.values(), default=1) == 1, f"a ticket in two places: {placed}"
    pile = held[rest] if isinstance(rest, int) else snapshot[f"ticket_{rest}"]
    pile += [i for i in range(len(maps.load(snapshot["map"]).tickets)) if i not in placed]
    for some in lists:
        some.sort()


def game_at(**where: Any) -> Game:
    """The game in the `position` so described."""
    return Game.from_snapshot(position(**where))


def finished(*, players: int = 2, **where: Any) -> Game:
    """The game in that `position` after the last seat has drawn the last card of its last turn."""
    game = game_at(players=players, player=players - 1, phase="second_card", turns_left=1, **where)
    act(game, "draw_deck")
    assert game.phase == "over"
    return game


# Playing --------------------------------------------------------------------------------------


def legal(game: Game) -> list[dict[str, Any]]:
    return [game.describe(index).as_dict() for index in game.legal_actions()]


def kinds(game: Game) -> set[str]:
    return {action["kind"] for action in legal(game)}


def claims(game: Game, track_id: int) -> set[tuple[str, int]]:
    """The ways to pay for a track now: pairs of card and locomotives."""
    here = [action for action in legal(game) if action["kind"] == "claim" and action["track"] == track_id]
    return {(action["card"], action["locomotives"]) for action in here}


def face_up_draws(game: Game) -> set[str]:
    return {action["card"] for action in legal(game) if action["kind"] == "draw_face_up"}


def keeps(game: Game) -> list[tuple[int, ...]]:
    """The sets of tickets that may be kept now."""
    return sorted(tuple(action["tickets"]) for action in legal(game) if action["kind"] == "keep_tickets")


def act(game: Game, kind: str, **fields: Any) -> Snapshot:
    """Take that action, and return the position after it."""
    wanted = {"kind": kind, **fields}
    for index in game.legal_actions():
        if game.describe(index).as_dict() == wanted:
            game.step(index)
            return game.snapshot()
    same_kind = [action for action in legal(game) if action["kind"] == kind]
    pytest.fail(f"{wanted} is not legal; legal are {same_kind or legal(game)}")


def claim(game: Game, track_id: int, card: str, locomotives: int = 0) -> Snapshot:
    return act(game, "claim", track=track_id, card=card, locomotives=locomotives)


def take(game: Game, card: str) -> Snapshot:
    return act(game, "draw_face_up", card=card)


def draw_turn(game: Game) -> Snapshot:
    """Draw blind for the rest of this turn."""
    act(game, "draw_deck")
    if game.phase == "second_card":
        act(game, "draw_deck")
    return game.snapshot()
