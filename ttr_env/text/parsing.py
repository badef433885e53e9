"""From a reply to an action: the one legal action that it can mean, or why there is none."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ttr_env.errors import IllegalAction, UnreadableReply
from ttr_env.game import actions, words
from ttr_env.maps import Map
from ttr_env.maps.faults import shortened
from ttr_env.text import facts, replies
from ttr_env.text.sentences import Mention, Said, read
from ttr_env.text.spelling import words as words_of

if TYPE_CHECKING:
    from ttr_env.game import Game

_TOLD = 5  # readings that a message names


def parse(game: Game, reply: str) -> int:
    r"""The legal action that a reply means; `UnreadableReply` says why it means none, or several.

    A reply is a sentence (`to_text`), perhaps after `Move:`, in a tag or on a line of its own, or JSON such as
    `{"action": 100}`, `{"move": "Draw tickets"}` or an action's dictionary. Case, accents, dashes and the order of
    cities and tickets do not matter, and what follows from the position may be left out. Two readings are an error:
    all answers are read that JSON, tags, boxes and marks hold, and where there are none, all lines.

    >>> from ttr_env import Game
    >>> game = Game("nederland", players=2, seed=7)
    >>> game.step(parse(game, "keep all"))
    >>> game.step(parse(game, '{"kind": "keep_tickets", "tickets": [4, 14, 31]}'))
    >>> parse(game, "Red is not there, white is.\nMove: take white")
    2
    """
    try:
        found = replies.find(reply)
        if not found.answers:
            raise UnreadableReply("it is empty")
        return _one_action(game, found)
    except UnreadableReply as error:
        raise _refusal(reply, str(error), error.readings) from None


def _refusal(reply: str, reason: str, readings: Iterable[int]) -> UnreadableReply:
    shown = " ".join(reply.split())
    shown = shown if len(shown) <= 100 else f"{shown[:97]}..."
    return UnreadableReply(f"{shown!r}: {reason}", reply=reply, reason=reason, readings=tuple(readings))


class _Reading(NamedTuple):
    """What one of the answers in a reply can mean."""

    answer: replies.Answer
    actions: frozenset[int]  # legal ones
    fault: UnreadableReply | None  # why it is not just one

    @classmethod
    def of(cls, game: Game, answer: replies.Answer) -> _Reading:
        try:
            return cls(answer, frozenset({_action(game, answer)}), None)
        except UnreadableReply as error:
            return cls(answer, frozenset(error.readings), error)


def _one_action(game: Game, found: replies.Found) -> int:
    """The one action that all answers can mean: "claim a track" is no other answer than one that says which."""
    readings = [_Reading.of(game, answer) for answer in found.answers]
    if not found.meant:
        readings = _without_talk(game.map, readings)
    common = frozenset.intersection(*(reading.actions for reading in readings))
    if len(common) == 1:
        return next(iter(common))
    fault = readings[0].fault
    if fault is not None and all(str(reading.fault) == str(fault) for reading in readings):
        raise fault
    raise _several(game, readings)


def _without_talk(map: Map, readings: list[_Reading]) -> list[_Reading]:
    """The lines that say an action, legal or not."""
    moves = [reading for reading in readings if reading.fault is None or _is_move(map, reading.answer)]
    if not moves:
        raise UnreadableReply(
            f"none of its {len(readings)} lines is a legal move; of the last one: {readings[-1].fault}"
        )
    return moves


def _is_move(map: Map, answer: replies.Answer) -> bool:
    try:
        return not isinstance(answer, str) or bool(read(map, answer))
    except UnreadableReply:
        return False


def _several(game: Game, readings: list[_Reading]) -> UnreadableReply:
    """The refusal of a reply with answers that differ."""
    precise = sorted({action for reading in readings if reading.fault is None for action in reading.actions})
    faults = {shortened(reading.answer): reading.fault for reading in readings if reading.fault is not None}
    if not faults:
        return UnreadableReply(f"it names several actions: {_listed(game, precise)}; name one", readings=precise)
    told = [_listed(game, precise)] if precise else []
    told += [f"{said} ({fault})" for said, fault in itertools.islice(faults.items(), _TOLD)]
    possible = sorted(frozenset().union(*(reading.actions for reading in readings)))
    return UnreadableReply(f"it has several answers: {', '.join(told)}; give one", readings=possible)


def _action(game: Game, answer: replies.Answer) -> int:
    """The legal action that one answer means."""
    if isinstance(answer, str):
        return _from_sentence(game, answer)
    if isinstance(answer, Mapping):
        return _from_dictionary(game, answer)
    return _legal(game, answer)


def _from_dictionary(game: Game, form: Mapping[str, Any]) -> int:
    try:
        return _legal(game, game.index(form))
    except IllegalAction as error:
        raise UnreadableReply(error.reason or str(error)) from None


def _legal(game: Game, index: int) -> int:
    """An action's index, if it is legal."""
    if index in game.legal_actions():
        return index
    raise UnreadableReply(f"that is not legal now: {_why_not(game, index)}")


def _why_not(game: Game, index: int) -> str:
    try:
        game.copy().step(index)
    except IllegalAction as error:
        return error.reason or str(error)
    raise AssertionError("an action that is not among the legal ones was taken")


# Sentences ---------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=64)
def _canonical(map: Map) -> dict[str, int]:
    """The actions that mean the same everywhere, by their sentences as they are compared."""
    meanings = actions.table(map).meanings
    spelled = {index: " ".join(words_of(words.sentence(map, action))) for index, action in meanings.items()}
    alike = Counter(spelled.values())
    return {sentence: index for index, sentence in spelled.items() if alike[sentence] == 1}


def _from_sentence(game: Game, sentence: str) -> int:
    index = _canonical(game.map).get(" ".join(words_of(sentence)))
    if index is not None:
        return _legal(game, index)
    said = read(game.map, sentence)
    fitting = _fitting(game, said)
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        message = f"it can mean {len(fitting)} actions: {_listed(game, fitting)}; say which"
        raise UnreadableReply(message, readings=fitting)
    raise UnreadableReply(_why_nothing_fits(game, said))


def _fitting(game: Game, said: Said) -> list[int]:
    """The legal actions that a sentence can be about."""
    if game.phase == "keep_tickets":
        return _kept(game, said)
    known = facts.by_action(game.map)
    legal_actions = game.legal_actions().tolist()
    if game.phase in ("tunnel", "neutral"):
        return [index for index in legal_actions if said.fits(facts.here(game, index))]
    return [index for index in legal_actions if said.fits(known[index])]


def _kept(game: Game, said: Said) -> list[int]:
    """The legal ways to keep the tickets that a sentence names."""
    choices = {index: facts.here(game, index).tickets for index in game.legal_actions().tolist()}
    offered = frozenset().union(*choices.values())
    if len(said.cities) == 2 and not said.tickets:  # two cities without a verb
        said = Said(frozenset({"keep_tickets"}), tickets=[Mention(frozenset(said.cities))])
    if "keep_tickets" not in said.kinds:
        return []
    wanted = {offered} if said.every_ticket else _ticket_sets(game.map, said.tickets, offered)
    return [index for index, tickets in choices.items() if tickets in wanted]


def _ticket_sets(map: Map, mentions: list[Mention], offered: frozenset[int]) -> set[frozenset[int]]:
    """The sets of tickets on offer that some mentions can stand for, each mention for another one."""
    possible = [[ticket for ticket in sorted(offered) if _is_meant(map, mention, ticket)] for mention in mentions]
    for mention, tickets in zip(mentions, possible, strict=True):
        if not tickets:
            cities = " - ".join(map.cities[city] for city in sorted(mention.cities))
            raise UnreadableReply(f"no such ticket is on offer: {cities}")
    chosen = (frozenset(choice) for choice in itertools.product(*possible))
    return {choice for choice in chosen if len(choice) == len(mentions)}


def _is_meant(map: Map, mention: Mention, ticket: int) -> bool:
    facts_of = map.tickets[ticket]
    if mention.cities != {facts_of.a, facts_of.b} or mention.points not in (None, facts_of.points):
        return False
    return mention.which is None or mention.which == words.which_ticket(map, ticket)


# Reasons -----------------------------------------------------------------------------------------


def _listed(game: Game, indices: list[int]) -> str:
    told = [repr(game.text(index)) for index in indices[:_TOLD]]
    more = len(indices) - len(told)
    return ", ".join(told) + (f" and {more} more" if more else "")


def _why_nothing_fits(game: Game, said: Said) -> str:
    """Why no legal action is what a sentence says: the reason for the first one on the map that is."""
    if game.phase == "keep_tickets":
        named = "keep_tickets" in said.kinds
        return "more tickets must be kept" if named else "that is not legal now: the phase is keep_tickets"
    if "keep_tickets" in said.kinds or "neutral_claim" in said.kinds:
        return f"that is not legal now: the phase is {game.phase}"
    meant = [index for index, known in facts.by_action(game.map).items() if said.fits(known)]
    if meant:
        return f"that is not legal now: {_why_not(game, meant[0])}"
    return "there is no such action on this map"
