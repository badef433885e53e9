"""Reading one sentence: which kind of action it is about, and what it says of it.

A sentence is read whole: a word that means nothing here makes it unreadable, so that nobody's "do not" is overheard.
What it leaves open, such as how to pay, is no fault; whether that leaves one action `ttr_env.text.parsing` sees.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ttr_env.errors import UnreadableReply
from ttr_env.maps import Map
from ttr_env.maps.faults import shortened
from ttr_env.maps.model import COLOURS, GREY, LOCOMOTIVE
from ttr_env.text.facts import SETS, Facts
from ttr_env.text.replies import is_number
from ttr_env.text.spelling import CITY, with_cities

_CARDS = {colour: colour for colour in COLOURS} | {
    "pink": "purple",
    **dict.fromkeys(("locomotive", "locomotives", "loco", "locos", "wild", "wilds", "joker", "jokers"), LOCOMOTIVE),
}
_TRACK_COLOURS = _CARDS | {GREY: GREY, "gray": GREY}
_ORDINALS = {"first", "second"}
_NUMBERS = {
    name: number
    for number, name in enumerate(["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
}
_NUMBERS |= {"a": 1, "an": 1, "zero": 0}
_TRACK = {"track", "route", "line"}
_SET = {"set", "sets"}

# Words that change nothing, whatever the sentence is about.
_EMPTY = {
    *("i", "we", "d", "ll", "will", "would", "want", "like", "choose", "decide", "please", "now", "let", "us"),
    *("the", "a", "an", "my", "me", "our", "s", "this", "that", "these", "those", "and", "as", "up", "is", "it"),
    *("to", "with", "using", "by", "paying", "for", "from", "of", "on", "at", "in", "into", "onto", "between"),
    *("card", "cards", "coloured", "colour", "train", "trains", "track", "tracks", "route", "routes", "line"),
}


@dataclass
class Said:
    """What a sentence says; what it does not say is empty."""

    kinds: frozenset[str]  # of actions that it can be about
    cities: list[int] = field(default_factory=list)
    track: set[str] = field(default_factory=set)  # words that name the track
    paid: dict[str, int | None] = field(default_factory=dict)  # how many of each, None where that is not said
    card: str = ""
    tickets: list[Mention] = field(default_factory=list)
    every_ticket: bool = False

    def fits(self, facts: Facts) -> bool:
        """Whether it can be said of an action; tickets are looked at by those who know which are on offer."""
        return (
            facts.kind in self.kinds
            and facts.cities.issuperset(self.cities)
            and facts.track.issuperset(self.track)
            and (not self.card or self.card == facts.card)
            and self._is_paid_so(facts)
        )

    def _is_paid_so(self, facts: Facts) -> bool:
        """Whether the payment is the one that is named; naming a part of it is not enough."""
        named = {name: number for name, number in self.paid.items() if number != 0}
        if not self.paid or (not named and facts.kind == "tunnel_pay" and LOCOMOTIVE not in facts.paid):
            return True
        if named.keys() != facts.paid.keys():
            return False
        return all(number is None or number == facts.paid[name] for name, number in named.items())


@dataclass
class Mention:
    """A ticket as it is named."""

    cities: frozenset[int]
    points: int | None = None
    which: int | None = None  # of several that are alike, counted from 1


def read(map: Map, sentence: str) -> Said:
    """What a sentence says.

    >>> from ttr_env import maps
    >>> said = read(maps.load("nederland"), "claim liege-AARSCHOT using 4 red and a locomotive")
    >>> sorted(said.kinds), said.cities, said.paid
    (['claim'], [19, 2], {'red': 4, 'locomotive': 1})
    """
    left = with_cities(map, sentence)
    if not left:
        raise UnreadableReply("it says nothing")
    for about, reader in _READERS:
        if about(set(left)):
            return reader(left)
    if any(word.startswith(CITY) for word in left):
        return _read_cities_alone(left)
    raise UnreadableReply(
        "it names no action; begin with claim, take, draw, keep or another word that actions begin with"
    )


# Which kind of action ----------------------------------------------------------------------------

_Reader = Callable[[list[str]], Said]


def _has(*alternatives: str) -> Callable[[set[str]], bool]:
    """Whether all words of one of the alternatives are there."""
    sets = [set(each.split()) for each in alternatives]
    return lambda found: any(each <= found for each in sets)


def _read_pass(left: list[str]) -> Said:
    return _finish(left, Said(frozenset({"pass"})), "pass skip turn")


def _read_decline(left: list[str]) -> Said:
    return _finish(left, Said(frozenset({"tunnel_decline"})), "take back decline laid down tunnel")


def _read_tickets_drawn(left: list[str]) -> Said:
    return _finish(left, Said(frozenset({"draw_tickets"})), "draw take new more some destination ticket tickets")


def _read_deck(left: list[str]) -> Said:
    allowed = "draw take pick one blind top unseen face down deck pile"
    return _finish(left, Said(frozenset({"draw_deck"})), allowed)


def _read_draw(left: list[str]) -> Said:
    said = Said(frozenset({"draw_face_up"}))
    cards = [word for word in left if word in _CARDS]
    if len(cards) > 1:
        raise UnreadableReply("it takes two cards; take one at a time")
    if cards:
        said.card = _CARDS[cards[0]]
        left.remove(cards[0])
    else:
        said.kinds |= {"draw_deck"}
    return _finish(left, said, "draw take pick one open visible face row")


def _read_set_card(left: list[str]) -> Said:
    cards = [word for word in left if word in _CARDS]
    if len(cards) != 1:
        raise UnreadableReply("one card goes into the set at a time; name it")
    left.remove(cards[0])
    return _finish(left, Said(frozenset({"set_card"}), card=_CARDS[cards[0]]), "put add lay place one set")


def _read_claim(left: list[str]) -> Said:
    return _finish(_way_and_payment(left, said := Said(frozenset({"claim"}))), said, "claim build take buy")


def _read_neutral(left: list[str]) -> Said:
    said = Said(frozenset({"neutral_claim"}))
    return _finish(_way_and_payment(left, said), said, "put place move build neutral player claim")


def _read_tunnel_payment(left: list[str]) -> Said:
    said = Said(frozenset({"tunnel_pay"}))
    return _finish(_way_and_payment(left, said), said, "pay more extra additional tunnel what asks asked")


def _read_cities_alone(left: list[str]) -> Said:
    """Cities without a verb: a track to claim, or a ticket to keep."""
    said = Said(frozenset({"claim", "neutral_claim"}))
    return _finish(_way_and_payment(left, said), said, "")


def _finish(left: list[str], said: Said, allowed: str) -> Said:
    """What was said, if the words that are left mean nothing or only name the kind of action."""
    strange = [word for word in left if word not in _EMPTY and word not in allowed.split()]
    if strange:
        raise UnreadableReply(
            f"{shortened(strange[0])} means nothing here" if strange[0][0] != CITY else "it names a city too many"
        )
    return said


_READERS: tuple[tuple[Callable[[set[str]], bool], _Reader], ...] = (
    (_has("pass", "skip"), _read_pass),
    (_has("keep"), lambda left: _read_keep(left)),
    (_has("take back", "decline"), _read_decline),
    (_has("neutral"), _read_neutral),
    (_has("claim", "build", "buy"), _read_claim),
    (_has("pay"), _read_tunnel_payment),
    (_has("put set", "add set", "lay set", "place set"), _read_set_card),
    (_has("draw tickets", "draw ticket", "take tickets", "take ticket"), _read_tickets_drawn),
    (_has("deck", "pile", "blind"), _read_deck),
    (_has("draw", "take", "pick"), _read_draw),
)


# Tracks and payments -----------------------------------------------------------------------------


def _way_and_payment(words: list[str], said: Said) -> list[str]:
    """Take cities, the track's name and the payment out of the words; what is left is returned."""
    left: list[str] = []
    number: int | None = None
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else ""
        before: int | None = number
        number = None
        if word.startswith(CITY):
            said.cities.append(int(word[1:]))
        elif word in _TRACK_COLOURS and following in _TRACK:
            said.track.add(_TRACK_COLOURS[word])
        elif word in _ORDINALS:
            said.track.add(word)
        elif word in _CARDS:
            _count(said.paid, _CARDS[word], before)
        elif word in _SET:
            _count(said.paid, SETS, before)
        elif is_number(word) or word in _NUMBERS:
            number = int(word) if is_number(word) else _NUMBERS[word]
            continue  # it must be a number of something
        else:
            left.append(word)
        if before is not None and word not in _CARDS and word not in _SET and words[place - 1] not in ("a", "an"):
            raise UnreadableReply(f"{shortened(words[place - 1])} is a number of nothing")
    if number is not None:
        raise UnreadableReply(f"{shortened(words[-1])} is a number of nothing")
    if len(set(said.cities)) > 2:
        raise UnreadableReply("it names more than two cities")
    return left


def _count(paid: dict[str, int | None], what: str, number: int | None) -> None:
    if what in paid and paid[what] != number:
        raise UnreadableReply(f"it names two numbers of {what}")
    paid[what] = number


# Tickets -----------------------------------------------------------------------------------------


def _read_keep(words: list[str]) -> Said:
    """Tickets by their cities, each perhaps with its points and which one it is: `A - B (7 points, 1 of 2)`."""
    said, left, place = Said(frozenset({"keep_tickets"})), [], 0
    while place < len(words):
        word, rest = words[place], words[place + 1 : place + 3]
        if word.startswith(CITY):
            place += _mention(said, words, place)
        elif is_number(word) and said.tickets and rest[:1] in (["point"], ["points"]):
            said.tickets[-1].points = int(word)
            place += 2
        elif is_number(word) and said.tickets and rest[:1] == ["of"] and rest[1:] and is_number(rest[1]):
            said.tickets[-1].which = int(word)
            place += 3
        elif word in ("all", "both", "everything", "every"):
            said.every_ticket = True
            place += 1
        else:
            left.append(word)
            place += 1
    if not said.tickets and not said.every_ticket:
        raise UnreadableReply("it names no ticket; name each by its two cities")
    if said.tickets and said.every_ticket:
        raise UnreadableReply("it keeps all tickets, and names some")
    return _finish(left, said, "keep only ticket tickets")


def _mention(said: Said, words: list[str], place: int) -> int:
    """Note the ticket between the city at a place and the next; how many words that were."""
    joint = 2 if words[place + 1 : place + 2] in (["to"], ["and"]) else 1
    other = words[place + joint : place + joint + 1]
    if not other or not other[0].startswith(CITY):
        raise UnreadableReply("a ticket has two cities")
    said.tickets.append(Mention(frozenset((int(words[place][1:]), int(other[0][1:])))))
    return joint + 1
