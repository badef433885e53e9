"""Finding the answer in a reply: as JSON, in a tag, after a mark such as "Move:", or a line of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ttr_env.errors import UnreadableReply
from ttr_env.maps.faults import shortened

LONGEST = 20_000  # characters of a reply, without what was thought before it
_KEYS = ("action", "move", "answer")  # under which JSON has a move
_MANY_KEYS = ("actions", "moves", "turn")
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```(?:json|text|plaintext)?", re.IGNORECASE)
_TAGGED = re.compile(r"<(action|move|answer)>(?P<said>.*?)</\1>", re.DOTALL | re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\{(?:\\text\{)?(?P<said>[^{}]*)\}")
_MARK = re.compile(
    r"^(?:(?:my|the|final|best|chosen)\s+)*(?:action|move|answer)(?:\s+is)?\s*[:=]\s*(.*)$", re.IGNORECASE
)
_BULLET = re.compile(r"^(?:[-+•]|\d+[.)])\s+")
_STEP = re.compile(r"\s*(?:[;\n](?:\s*(?:and\s+)?then\b)?|[,.]?\s+(?:and\s+)?then\b)\s*", re.IGNORECASE)
_OPENING = re.compile(r"[\[{]")
_ENDS_OF_SENTENCES = ".!?:;…"
_AROUND = " \t\r\n`*."  # what may stand around JSON that is alone

Answer = int | str | Mapping[str, Any]  # an action's number, a sentence, or its dictionary


class Found(NamedTuple):
    """The answers in a reply."""

    answers: list[Answer]
    meant: bool  # whether each of them must be a move; of several bare lines one may be, and the others talk


def find(reply: str) -> Found:
    r"""All answers that a reply holds, in whichever form; bare lines count where nothing is marked as the answer.

    >>> find("Blue looks good.\n**Move:** Take a blue card")
    Found(answers=['Take a blue card'], meant=True)
    >>> find('```json\n{"action": 3}\n```').answers
    [3]
    >>> find('{"action": 3}\nMove: Take a blue card').answers
    [3, 'Take a blue card']
    """
    text = _without_thoughts(reply)
    values, words = _json_in(text)
    try:
        answers = [answer for value in values for answer in _answers_in(value)]
        answers += [answer for form in _marked(words) for said in form for answer in _answers_in(_in_json(said))]
    except RecursionError:
        raise UnreadableReply("it is nested too deeply") from None
    if answers:
        return Found(answers, meant=True)
    sentences = _sentences(words) or _on_one_line(text)
    return Found([_number_or_words(each) for each in sentences], meant=len(sentences) == 1)


def steps(reply: str) -> list[str]:
    """A reply that describes a whole turn, taken apart into one reply for each decision.

    A turn that is described twice, and not in the same words, is refused; one decision that is told in several ways
    stays one reply, for `parse` to compare.

    >>> steps("Take a red card, then draw a card from the deck")
    ['Take a red card', 'draw a card from the deck']
    >>> steps('{"moves": [3, "Pass"]}')
    ['3', 'Pass']
    """
    text = _without_thoughts(reply)
    values, words = _json_in(text)
    try:
        turns = [turn for value in values for turn in _turns_in(value)]
        turns += [[step for said in form for step in _steps_of(_in_json(said))] for form in _marked(words)]
    except RecursionError:
        raise UnreadableReply("it is nested too deeply") from None
    turns = [turn for turn in turns if turn] or turns[:1]
    different = {json.dumps(turn).casefold(): turn for turn in turns}
    if len(different) > 1 and all(len(turn) == 1 for turn in turns):
        return [text]
    if len(different) > 1:
        first, second, *_ = ("; ".join(turn) for turn in different.values())
        raise UnreadableReply(f"it describes several turns: {shortened(first)} and {shortened(second)}; describe one")
    if turns:
        return turns[0]
    return [step for line in _lines_of_steps(words) or _on_one_line(text) for step in _split(line)]


def is_number(word: str) -> bool:
    """Whether a word is a number that can be one of something; Python reads no text of thousands of digits.

    >>> is_number("12"), is_number("x"), is_number("9" * 5000)
    (True, False, False)
    """
    return word.isdecimal() and len(word) <= 9


def _without_thoughts(reply: str) -> str:
    if not isinstance(reply, str):
        raise TypeError(f"reply: a text is needed, not {reply!r}")
    text = _THOUGHT.sub("", reply)
    if len(text) > LONGEST:
        raise UnreadableReply(f"it has {len(text):,} characters; {LONGEST:,} are read at most")
    return _FENCE.sub("", text)


# Lines and marks ---------------------------------------------------------------------------------


def _lines(text: str) -> list[str]:
    return [line for line in map(_bare, text.splitlines()) if line]


def _on_one_line(text: str) -> list[str]:
    """A text as the one line that it is, also JSON that was written in several; none if it is empty."""
    return _lines(" ".join(text.split()))


def _sentences(text: str) -> list[str]:
    r"""The lines of a text; one that goes on from the line before is a part of that one.

    >>> _sentences("I will not\ndraw tickets\nthis turn.\nTake a red card")
    ['I will not draw tickets this turn.', 'Take a red card']
    """
    sentences: list[str] = []
    unfinished = False
    for line in text.splitlines():
        bare = _bare(line)
        if unfinished and line.lstrip()[:1].islower():
            sentences[-1] += f" {bare}"
        elif bare:
            sentences.append(bare)
        unfinished = bool(bare) and bare[-1] not in _ENDS_OF_SENTENCES
    return sentences


def _lines_of_steps(text: str) -> list[str]:
    """The lines among which a turn is looked for; who begins with a small letter begins every step with one."""
    lines = _lines(text)
    return lines if lines and lines[0][0].islower() else _sentences(text)


def _marked(text: str) -> list[list[str]]:
    """What is said to be the answer: inside of tags, inside of boxes, and after marks such as "Move:"."""
    forms = []
    for pattern in (_TAGGED, _BOXED):
        inside = [found["said"] for found in pattern.finditer(text)]
        forms.append([said for each in inside for said in _innermost(each)])
        text = pattern.sub("\n", text) if inside else text
    forms.append([found.group(1) for line in _lines(text) if (found := _MARK.match(line))])
    bare = [[said for said in map(_bare, form) if said] for form in forms]
    return [form for form in bare if form]


def _innermost(said: str) -> list[str]:
    """What is marked inside of something marked, or else all of it."""
    return [inner for form in _marked(said) for inner in form] or [said]


def _bare(line: str) -> str:
    """A line without the signs of lists, quotations and emphasis around it."""
    return _BULLET.sub("", line.strip().strip('*_`>#"').replace("**", "").strip()).strip('*_`" ')


def _number_or_words(said: str) -> int | str:
    return int(said) if is_number(said.strip()) else said


def _split(said: str) -> list[str]:
    return [step for step in _STEP.split(said) if step]


# JSON --------------------------------------------------------------------------------------------


def _json_in(text: str) -> tuple[list[Any], str]:
    """The JSON in a text that can hold an answer, and the text without it.

    A list of numbers among words may be a footnote, so it counts only where there is nothing else.
    """
    values, words, place = [], [], 0
    everything = len(text) - len(text.lstrip(_AROUND)), len(text.rstrip(_AROUND))
    for value, start, end in _json_values(text):
        is_object = isinstance(value, dict) or any(isinstance(each, dict) for each in value)
        if is_object or (start, end) == everything:
            values.append(value)
            words.append(text[place:start])
            place = end
    return values, "\n".join([*words, text[place:]])


def _json_values(text: str) -> Iterator[tuple[Any, int, int]]:
    """The JSON objects and lists in a text, wherever they stand, each with where it begins and ends."""
    decoder, place = json.JSONDecoder(object_pairs_hook=_without_contradiction), 0
    while (found := _OPENING.search(text, place)) is not None:
        try:
            value, place = decoder.raw_decode(text, found.start())
        except UnreadableReply:
            raise
        except ValueError:
            place = found.start() + 1
            continue
        except RecursionError:  # each of its thousands of brackets would take as long as this one
            raise UnreadableReply("it is nested too deeply") from None
        yield value, found.start(), place


def _without_contradiction(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, unless it says two things under one name."""
    held: dict[str, Any] = {}
    for key, value in pairs:
        if key in held and held[key] != value:
            both = f"{shortened(held[key])} and {shortened(value)}"
            raise UnreadableReply(f"it has two values for {shortened(key)}: {both}; give one")
        held[key] = value
    return held


def _in_json(said: str) -> Any:
    """A list of numbers that is all that is said, or else what is said."""
    values, _ = _json_in(said) if said.startswith("[") else ([], "")
    return values[0] if values else said


def _named(value: dict[str, Any], keys: tuple[str, ...]) -> list[Any]:
    return [held for key, held in value.items() if key.casefold() in keys]


def _answers_in(value: Any) -> list[Answer]:
    """All moves in a JSON value."""
    if isinstance(value, list):
        return [answer for each in value for answer in _answers_in(each)]
    if isinstance(value, dict):
        held = _named(value, _KEYS) + [each for each in _named(value, _MANY_KEYS) if isinstance(each, list)]
        return ([value] if "kind" in value else []) + _answers_in(held)
    if isinstance(value, str):
        return [_number_or_words(value)] if value.strip() else []
    return [value] if type(value) is int else []


def _turns_in(value: Any) -> list[list[str]]:
    """The turns that a JSON value describes, one for each name under which there is one."""
    if isinstance(value, list):
        return [[each if isinstance(each, str) else json.dumps(each) for each in value]]
    if "kind" in value:
        return [[json.dumps(value)]]
    many = [turn for each in _named(value, _MANY_KEYS) if isinstance(each, list) for turn in _turns_in(each)]
    return many + [steps for each in _named(value, _KEYS) if (steps := _steps_of(each))]


def _steps_of(value: Any) -> list[str]:
    if isinstance(value, list):
        return [step for turn in _turns_in(value) for step in turn]
    if isinstance(value, str):
        return _split(value)
    return [json.dumps(value)] if _answers_in(value) else []
