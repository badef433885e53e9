"""Finding the answer in a reply: as JSON, in a tag, after a mark such as "Move:", or a line of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ttr_env.errors import UnreadableReply

LONGEST = 20_000  # characters of a reply, without what was thought before it
_KEYS = ("action", "move", "answer")  # under which JSON has a move
_MANY_KEYS = ("actions", "moves", "turn")
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_TAGGED = re.compile(r"<(action|move|answer)>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\{(?:\\text\{)?([^{}]*)\}")
_MARK = re.compile(
    r"^(?:(?:my|the|final|best|chosen)\s+)*(?:action|move|answer)(?:\s+is)?\s*[:=]\s*(.*)$", re.IGNORECASE
)
_BULLET = re.compile(r"^(?:[-+•]|\d+[.)])\s+")
_STEP = re.compile(r"\s*(?:;|\n|[,.]?\s+(?:and\s+)?then\b)\s*", re.IGNORECASE)
_OPENING = re.compile(r"[\[{]")

Answer = int | str | Mapping[str, Any]  # an action's number, a sentence, or its dictionary


class Found(NamedTuple):
    """The answers in a reply."""

    answers: list[Answer]
    meant: bool  # whether each of them must be a move; of several bare lines one may be, and the others talk


def find(reply: str) -> Found:
    r"""The answers that a reply holds.

    >>> find("Blue looks good.\n**Move:** Take a blue card")
    Found(answers=['Take a blue card'], meant=True)
    >>> find('```json\n{"action": 3}\n```').answers
    [3]
    """
    text = _without_thoughts(reply)
    try:
        in_json = [answer for value in _json_values(text) for answer in _answers_in(value)]
    except RecursionError:
        raise UnreadableReply("it is nested too deeply") from None
    if in_json:
        return Found(in_json, meant=True)
    lines = _lines(text)
    marked = _marked(text, lines)
    answers: list[Answer] = [int(each) if is_number(each) else each for each in marked or lines]
    return Found(answers, meant=bool(marked) or len(lines) == 1)


def steps(reply: str) -> list[str]:
    """A reply that describes a whole turn, taken apart into one reply for each decision.

    >>> steps("Take a red card, then draw a card from the deck")
    ['Take a red card', 'draw a card from the deck']
    >>> steps('{"moves": [3, "Pass"]}')
    ['3', 'Pass']
    """
    text = _without_thoughts(reply)
    for value in _json_values(text):
        many = value if isinstance(value, list) else next((value[key] for key in _MANY_KEYS if key in value), None)
        if isinstance(many, list):
            return [each if isinstance(each, str) else _written(each) for each in many]
        return [text]
    lines = _lines(text)
    return [part for line in _marked(text, lines) or lines for part in _STEP.split(line) if part]


def is_number(word: str) -> bool:
    """Whether a word is a number that can be one of something; Python reads no text of thousands of digits.

    >>> is_number("12"), is_number("x"), is_number("9" * 5000)
    (True, False, False)
    """
    return word.isdecimal() and len(word) <= 9


def _written(value: Any) -> str:
    try:
        return json.dumps(value)
    except RecursionError:
        raise UnreadableReply("it is nested too deeply") from None


def _without_thoughts(reply: str) -> str:
    if not isinstance(reply, str):
        raise TypeError(f"reply: a text is needed, not {reply!r}")
    text = _THOUGHT.sub("", reply)
    if len(text) > LONGEST:
        raise UnreadableReply(f"it has {len(text):,} characters; {LONGEST:,} are read at most")
    return text


def _lines(text: str) -> list[str]:
    return [line for line in (_bare(line) for line in text.splitlines()) if line]


def _marked(text: str, lines: list[str]) -> list[str]:
    """What is said to be the answer: inside of a tag or a box, or after "Move:"."""
    inside = [found.group(2) for found in _TAGGED.finditer(text)] or _BOXED.findall(text)
    after = [found.group(1) for line in lines if (found := _MARK.match(line))]
    return [bare for bare in map(_bare, inside or after) if bare]


def _bare(line: str) -> str:
    """A line without the signs of lists, quotations and emphasis around it."""
    return _BULLET.sub("", line.strip().strip('*_`>#"').replace("**", "").strip()).strip('*_`" ')


def _json_values(text: str) -> Iterator[Any]:
    """The JSON objects and lists in a text, wherever they stand."""
    decoder, place = json.JSONDecoder(), 0
    while (found := _OPENING.search(text, place)) is not None:
        try:
            value, place = decoder.raw_decode(text, found.start())
        except ValueError:
            place = found.start() + 1
            continue
        except RecursionError:  # each of its thousands of brackets would take as long as this one
            raise UnreadableReply("it is nested too deeply") from None
        yield value


def _answers_in(value: Any) -> list[Answer]:
    """The moves in a JSON value."""
    if isinstance(value, list):
        return [answer for each in value for answer in _answers_in(each)] or [
            each for each in value if type(each) is int
        ]
    if not isinstance(value, dict):
        return []
    if "kind" in value:
        return [value]
    named = {str(key).casefold(): each for key, each in value.items()}
    held = next((named[key] for key in _KEYS if key in named), None)
    if isinstance(held, str) and is_number(held.strip()):
        return [int(held)]
    if isinstance(held, int | str | dict) and not isinstance(held, bool):
        return [held]
    return []
