"""A table: a game, who sits at it, and what has been done. Nothing here knows of pages or processes."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ttr_env.errors import StaleAction
from ttr_env.game import Game, records, words
from ttr_env.game.knowledge import last_deed, reveals
from ttr_env.maps.model import CARDS

PERSON = "person"


@dataclass
class Seat:
    """Who sits in a seat: a person, who has the secret of the seat's link, an agent, or nobody in an old record."""

    name: str
    agent: str | None = None  # its specification
    secret: str | None = None  # of a person

    @property
    def is_person(self) -> bool:
        """Whether a person plays here."""
        return self.secret is not None


def person(name: str = PERSON) -> Seat:
    """A seat for a person, with a secret that nobody can guess."""
    return Seat(name, secret=secrets.token_urlsafe(12))


@dataclass(frozen=True)
class Role:
    """What somebody is at a table: a player, one who leads a game of agents, or an onlooker."""

    seat: int | None = None  # that is played
    leads: bool = False  # whether it sets the pace


@dataclass(frozen=True)
class Event:
    """What happened at a decision."""

    seat: int
    public: str  # as everybody saw it, without the subject
    private: str  # as the player who did it knows it
    track: int | None  # where that put trains


@dataclass
class Table:
    """A game in progress, over, or from a record.

    Every change gives it another `stamp`. What a page asks for carries the stamp of what it saw, so that a click on
    something old does nothing.
    """

    game: Game
    seats: list[Seat]
    events: list[Event] = field(default_factory=list)
    id: str = field(default_factory=lambda: secrets.token_urlsafe(6))
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(12))  # of those who lead a game of agents
    replayed: bool = False  # nobody plays: it is a record to look at
    people: Sequence[int] | None = None  # seats that people had in a record, where it says so
    trouble: str = ""  # why the game cannot go on
    stamp: int = 0
    undoable: int = 0  # how many of the last decisions can be taken back, all of one person

    @property
    def decisions(self) -> int:
        """How many have been taken."""
        return len(self.events)

    @property
    def is_open(self) -> bool:
        """Whether everything may be seen: only agents play, or nobody any more."""
        ended = self.replayed or self.game.over or bool(self.trouble)
        return ended or not any(seat.is_person for seat in self.seats)

    @property
    def waits_for(self) -> int | None:
        """The seat that has to decide now; None if nobody can."""
        return None if self.game.over or self.replayed or self.trouble else self.game.player

    def role_of(self, secret: str) -> Role | None:
        """What a secret makes of somebody; without any, one looks on, and None is a secret that there is not."""
        if not secret:
            return Role()
        for number, seat in enumerate(self.seats):
            if seat.secret is not None and _is_same(seat.secret, secret):
                return Role(number, leads=True)
        return Role(leads=True) if _is_same(self.secret, secret) else None

    def at(self, decision: int) -> Game:
        """The game before its decision with this number, counted from 0, or as it stands if there was none yet."""
        if decision >= self.decisions:
            return self.game
        return next(itertools.islice(self.game.history(), decision, None))

    def act(self, seat: int, action: int, stamp: int) -> None:
        """A person's decision; `StaleAction` or `IllegalAction` if it cannot be, and nothing changes."""
        self._check(stamp)
        if self.waits_for != seat:
            raise StaleAction("It is not your turn.")
        revealing = reveals(self.game, seat, self._legal(action))
        self.take(action)
        self.undoable = 0 if revealing or self.game.over else self.undoable + 1  # the end shows everything

    def _check(self, stamp: int) -> None:
        if stamp != self.stamp:
            raise StaleAction("The game has moved on since that was shown; nothing was done.")

    def _legal(self, action: int) -> int:
        """The action, if it is legal."""
        self.game.copy().step(action)
        return action

    def take(self, action: int) -> None:
        """A decision of whoever is to move."""
        seat = self.game.player
        before = self.game.copy()
        self.game.step(action)
        self.events.append(event(before, self.game))
        self.stamp += 1
        if self.undoable and self.events[-2].seat != seat:
            self.undoable = 0
        if not self.seats[seat].is_person:
            self.undoable = 0

    def fail(self, why: str) -> None:
        """The game cannot go on; what has been played stays."""
        self.trouble = why
        self.undoable = 0
        self.stamp += 1

    def undo(self, seat: int, stamp: int) -> None:
        """Take a person's last decision back, if that revealed nothing and nobody has decided since."""
        self._check(stamp)
        if not self.undoable or self.events[-1].seat != seat:
            raise StaleAction("There is nothing to take back: what a choice revealed cannot be unseen.")
        self.game = self.at(self.decisions - 1)
        self.events.pop()
        self.stamp += 1
        self.undoable -= 1

    def can_undo(self, seat: int | None) -> bool:
        """Whether a person can take its last decision back."""
        return bool(self.undoable) and seat is not None and self.events[-1].seat == seat

    def record(self, decisions: int | None = None) -> dict[str, Any]:
        """The record of the game with who sat where, to its end or up to some decisions."""
        game = self.game if decisions is None else self.at(decisions)
        record = {**game.record(), "agents": [seat.name for seat in self.seats]}
        people = self.people if self.replayed else [seat for seat, who in enumerate(self.seats) if who.is_person]
        return record if people is None else {**record, "people": list(people)}


def _is_same(secret: str, given: str) -> bool:
    # bytes: texts that are not ASCII cannot be compared in constant time, and a half of a character is no text
    return secrets.compare_digest(secret.encode(), given.encode("utf-8", "replace"))


def event(before: Game, after: Game) -> Event:
    """What the last decision of a game was."""
    deed = last_deed(after)
    assert deed is not None
    private = deed.text
    if after.last is not None and after.last.action.kind == "draw_deck":
        hands = [game.information_state(deed.seat)["seats"][deed.seat]["hand"] for game in (before, after)]
        drawn = [card for card in CARDS if hands[1][card] > hands[0][card]]  # type: ignore[index]
        private = f"drew {words.one_card(drawn[0])} from the deck" if drawn else deed.text
    return Event(deed.seat, deed.text, private, deed.track)


def retell(record: Mapping[str, Any]) -> tuple[Game, list[Event]]:
    """The game at the end of a record, and what happened in it; `RecordError` if it cannot be replayed."""
    game = Game.replay(record)
    positions = [position.copy() for position in game.history()]
    return game, [event(before, after) for before, after in itertools.pairwise(positions)]


def names_in(record: Mapping[str, Any], letters: int) -> Sequence[str]:
    """Who played, by seat, where a record says so."""
    return [shown(name, letters) for name in records.names(record)]


def people_in(record: Mapping[str, Any]) -> Sequence[int] | None:
    """The seats that people had, where a record says so.

    >>> people_in({"players": 3, "people": [0, 2]}), people_in({"players": 3}), people_in({"players": 3, "people": [3]})
    ([0, 2], None, None)
    """
    given = record.get("people")
    seats = range(record["players"])
    return given if isinstance(given, list) and all(type(seat) is int and seat in seats for seat in given) else None


def shown(name: str, letters: int) -> str:
    """A name as pages, pictures and files can hold it: not too long, in letters that can be seen.

    >>> shown("Ann" + chr(0) + chr(0xD800), 24), shown(" ", 24)
    ('Ann??', 'person')
    """
    visible = "".join(letter if letter.isprintable() else "?" for letter in " ".join(name.split()))
    return visible[:letters] or PERSON
