"""What results from files say, looked at field by field before it is used: anybody can have written it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ttr_env.agents.registry import is_built_in
from ttr_env.errors import RecordError
from ttr_env.maps.faults import shortened
from ttr_env.options import MAX_DECISIONS
from ttr_env.tasks import definitions

MOST_LETTERS = 500  # of a name
_MOST = 2**63  # of a whole number
_FARTHEST = 1e6  # of points, ratings and what is made of them
_LARGEST_ERROR = 1e30  # of a rating that hardly anything bounds
_SPARE = 1e-9  # an error of rounding
_ACTIONS = tuple(range(2**15))  # one object for each, which all games share

Check = Callable[[Any, str], None]


def check_head(head: Any) -> None:
    """Refuse what a first line cannot say, with a `RecordError` that names the field."""
    _check_fields(head, "its first line", _HEAD)
    if head["benchmark"] != definitions.benchmark():
        raise RecordError(f"benchmark: it is of version {head['benchmark']}, and this is {definitions.benchmark()}")
    try:
        definitions.load(head["task"])
        definitions.check_track(head["track"], head["budget"])
    except ValueError as error:
        raise RecordError(str(error)) from error
    if is_built_in(head["agent"]) and head["agent_digest"] is not None:
        raise RecordError(f"agent_digest: {head['agent']} comes from no file, and has none")
    if not isinstance(head.get("resumed"), bool | None):
        raise RecordError(f"resumed: true or false is needed, not {shortened(head['resumed'])}")
    if head["beaten"] is not None:
        check_beaten(head["beaten"], "beaten")


def check_name(value: Any, field: str) -> None:
    """Refuse what is no name of something: it is printed, and stands in tables."""
    if not isinstance(value, str) or not 0 < len(value) <= MOST_LETTERS or not value.isprintable():
        wanted = f"a name of 1 to {MOST_LETTERS} letters that can be printed"
        raise RecordError(f"{field}: {wanted} is needed, not {shortened(value)}")


def check_beaten(told: Any, field: str) -> None:
    """Refuse what does not say how well an agent can be beaten, with a `RecordError` that begins with the field."""
    if not isinstance(told, dict) or not told or not told.keys() <= _BEATEN.keys():
        raise RecordError(f"{field}: an object with {' or '.join(_BEATEN)}, or both, is needed")
    for name, match in told.items():
        if not isinstance(match, dict) or not _BEATEN[name].keys() <= match.keys():
            raise RecordError(f"{field}: {name} needs {', '.join(_BEATEN[name])}")
        with _within(f"{field}: {name}"):
            _check_fields(match, "it", _BEATEN[name])
            _check_share(match)


def checked_record(record: Any) -> dict[str, Any]:
    """The record of a game, if it can be one; otherwise a `RecordError` that names the field."""
    _check_fields(record, "the record", _RECORD)
    if record.keys() != _RECORD.keys():
        raise RecordError(f"the record: {shortened(next(iter(record.keys() - _RECORD.keys())))} is no field of it")
    return {**record, "actions": [_ACTIONS[action] for action in record["actions"]]}


def _check_fields(value: Any, what: str, fields: Mapping[str, Check]) -> None:
    if not isinstance(value, dict):
        raise RecordError(f"{what} has to be an object, and not {shortened(value)}")
    for name, check in fields.items():
        if name not in value:
            raise RecordError(f"{what} lacks {name!r}")
        check(value[name], name)


def _whole(lowest: int, highest: int = _MOST) -> Check:
    def check(value: Any, field: str) -> None:
        if type(value) is not int or not lowest <= value <= highest:
            raise RecordError(f"{field}: a whole number from {lowest} is needed, not {shortened(value)}")

    return check


def _number(lowest: float, highest: float) -> Check:
    def check(value: Any, field: str) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float) or not lowest <= value <= highest:
            wanted = f"a number from {lowest:g} to {highest:g}"
            raise RecordError(f"{field}: {wanted} is needed, not {shortened(value)}")

    return check


def _interval(lowest: float, highest: float) -> Check:
    def check(value: Any, field: str) -> None:
        if not isinstance(value, list) or len(value) != 2:
            raise RecordError(f"{field}: two numbers are needed, not {shortened(value)}")
        for end in value:
            _number(lowest, highest)(end, field)
        if value[0] > value[1]:
            raise RecordError(f"{field}: the lower end comes first, and not {shortened(value)}")

    return check


def _none_or(check: Check) -> Check:
    def check_unless_none(value: Any, field: str) -> None:
        if value is not None:
            check(value, field)

    return check_unless_none


def _several(check: Check, most: int) -> Check:
    def check_each(value: Any, field: str) -> None:
        if not isinstance(value, list) or len(value) > most:
            raise RecordError(f"{field}: a list of at most {most} is needed, not {shortened(value)}")
        for place, each in enumerate(value):
            check(each, f"{field}[{place}]")

    return check_each


def _flag(value: Any, field: str) -> None:
    if not isinstance(value, bool):
        raise RecordError(f"{field}: true or false is needed, not {shortened(value)}")


def _sha256(value: Any, field: str) -> None:
    if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{64}", value):
        raise RecordError(f"{field}: 64 digits from 0 to f are needed, not {shortened(value)}")


def _object(value: Any, field: str) -> None:
    if not isinstance(value, dict):
        raise RecordError(f"{field}: an object is needed, not {shortened(value)}")


def _board(value: Any, field: str) -> None:
    _check_fields(value, field, _GAME)


def _check_share(told: Mapping[str, Any]) -> None:
    """A share of wins lies in its interval."""
    low, high = told["interval"]
    if not low - _SPARE <= told["win_share"] <= high + _SPARE:
        raise RecordError(f"interval: the share, {told['win_share']}, is not in it")


@contextmanager
def _within(field: str) -> Iterator[None]:
    """What is wrong in it is told with its name before."""
    try:
        yield
    except RecordError as error:
        raise RecordError(f"{field}: {error}") from error


def _measured(fields: Mapping[str, Check]) -> Check:
    """Numbers over some games, with what else belongs to them."""

    def check(value: Any, field: str) -> None:
        with _within(field):
            _check_fields(value, "it", {**_MEASURED, **fields})
            _check_fields(value, "it", _RATED if value.keys() & _RATED.keys() else {})
            _check_share(value)

    return check


def _figures(value: Any, field: str) -> None:
    _check_fields(value, field, _FIGURES)


def _actions(value: Any, field: str) -> None:
    if not isinstance(value, list) or len(value) > MAX_DECISIONS:
        raise RecordError(f"{field}: a list of at most {MAX_DECISIONS:,} is needed")
    if not all(type(action) is int and 0 <= action < len(_ACTIONS) for action in value):
        raise RecordError(f"{field}: they are whole numbers from 0 on")


def _nothing(value: Any, field: str) -> None:
    if value is not None:
        raise RecordError(f"{field}: a game of a test begins with its deal, and this is null")


def _versions(value: Any, field: str) -> None:
    _object(value, field)
    for name, version in value.items():
        check_name(name, field)
        check_name(version, f"{field}.{name}")


_GAME: dict[str, Check] = {
    "map": check_name, "map_digest": check_name, "players": _whole(0), "tolls": _flag, "neutral_player": _flag,
}  # fmt: skip
_RECORD: dict[str, Check] = {
    "format": _whole(0), **_GAME, "seed": _whole(0, 2**64 - 1), "start": _nothing, "actions": _actions,
    "agents": _several(check_name, 10),
}  # fmt: skip
_MEASURED: dict[str, Check] = {
    "games": _whole(1), "win_share": _number(0, 1), "interval": _interval(0, 1),
    "mean_total": _number(-_FARTHEST, _FARTHEST), "ahead": _number(0, 1),
    "mean_total_interval": _none_or(_interval(-_FARTHEST, _FARTHEST)),
}  # fmt: skip
_RATED: dict[str, Check] = {
    "rating": _number(-_FARTHEST, _FARTHEST), "rating_error": _none_or(_number(0, _LARGEST_ERROR)),
    "normalised": _number(-_FARTHEST, _FARTHEST),
}  # fmt: skip
_OVERALL = _none_or(_measured({"ahead_error": _none_or(_number(0, 1))}))
_FIGURES: dict[str, Check] = {
    "tables": _several(_measured({"map": check_name, "against": check_name}), 1000),
    "public": _OVERALL, "held_out": _OVERALL,
}  # fmt: skip
_HEAD: dict[str, Check] = {
    "benchmark": _whole(0), "task": check_name, "version": _whole(0), "boards": _several(_board, 100),
    "deals": _whole(0, 10**9), "opponents": _several(check_name, 100),
    "agent": check_name, "agent_digest": _none_or(_sha256),
    "track": _none_or(check_name), "budget": _none_or(_whole(1)), "beaten": _none_or(_object),
    "versions": _none_or(_versions), "hardware": _none_or(_object),
    "complete": _flag, "games": _whole(0), "sha256": _sha256, "figures": _figures,
}  # fmt: skip
_BEATEN: dict[str, dict[str, Check]] = {  # who may have beaten an agent, and what is to be said of it
    "best_response": {
        "win_share": _number(0, 1), "interval": _interval(0, 1), "decisions": _whole(1), "runs": _whole(1),
    },
    "search": {"win_share": _number(0, 1), "interval": _interval(0, 1), "agent": check_name, "games": _whole(1)},
}  # fmt: skip
BEATEN = tuple(_BEATEN)
