"""`map.toml` as `Rules`. Its keys and their types are the fields of the model's dataclasses, stated once."""

from __future__ import annotations

import dataclasses
import tomllib
import types
import typing
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import Any, cast

from ttr_env.maps.faults import Place, shortened, unknown
from ttr_env.maps.files import check_name, check_toml, read_text
from ttr_env.maps.limits import MAX_NUMBER
from ttr_env.maps.model import Rules

_TYPE_NAMES = {int: "an integer", bool: "true or false", str: "a text in quotes", dict: "a section"}


def read_rules(file: Traversable) -> tuple[str, Rules]:
    """The title and the rules in a `map.toml`; see Nederland's for the meaning of each key."""
    root, text = Place(str(file)), read_text(file)
    check_toml(text, root.file)
    try:
        table = tomllib.loads(text)
    except ValueError as error:
        raise root.error(f"is not TOML: {error}") from None
    except RecursionError:
        raise root.error("has lists or sections that are nested too deeply") from None
    kinds, required = _fields(Rules)
    values = _table({"title": str, **kinds}, {"title", *required}, table, root)
    title = values.pop("title")
    check_name(title, root.inner("title"))
    return title, Rules(**values)


def _fields(section: type) -> tuple[dict[str, Any], set[str]]:
    """The types of a dataclass's fields, and the names of those without a default."""
    fields = dataclasses.fields(section)
    missing = dataclasses.MISSING
    required = {field.name for field in fields if field.default is missing and field.default_factory is missing}
    return typing.get_type_hints(section), required


def _table(kinds: dict[str, Any], required: set[str], table: dict[str, Any], place: Place) -> dict[str, Any]:
    for key in table:
        if key not in kinds:
            raise place.inner(key).error(f"the key {unknown(key, kinds)}")
    for key in kinds:
        if key in required and key not in table:
            raise place.inner(key).error("is missing; this key has no default")
    return {key: _value(kinds[key], raw, place.inner(key)) for key, raw in table.items()}


def _value(kind: Any, raw: Any, place: Place) -> Any:
    """`raw` as a value of the type `kind`, one of the few kinds of type that the model uses."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is types.UnionType:  # "X | None": a section that may be left out
        return _value(inner[0], raw, place)
    if origin is tuple:
        return _tuple(inner, raw, place)
    if origin is Mapping:
        _check_type(dict, raw, place)
        return {_integer_key(key, place): _value(inner[1], raw[key], place.inner(key)) for key in raw}
    if dataclasses.is_dataclass(kind):
        _check_type(dict, raw, place)
        section = cast(type, kind)
        return section(**_table(*_fields(section), raw, place))
    _check_type(kind, raw, place)
    if kind is int and not 0 <= raw <= MAX_NUMBER:
        raise place.error(f"is {shortened(raw)}; it must be an integer from 0 to {MAX_NUMBER}")
    return raw


def _tuple(inner: tuple[Any, ...], raw: Any, place: Place) -> tuple[Any, ...]:
    of_any_size = inner[-1] is Ellipsis
    if type(raw) is not list or not (of_any_size or len(raw) == len(inner)):
        right = "a list, like [1, 0]" if of_any_size else f"a list of {len(inner)}"
        raise place.error(f"is {shortened(raw)}; it must be {right}")
    return tuple(_value(inner[0], item, place) for item in raw)


def _integer_key(key: str, place: Place) -> int:
    # Written the one usual way, so that "1" and "01" cannot both be there.
    if not (key.isascii() and key.isdecimal() and len(key) < 4 and key == str(int(key))):
        raise place.inner(key).error("the key must be a plain number")
    return int(key)


def _check_type(kind: type, raw: Any, place: Place) -> None:
    if type(raw) is not kind:  # isinstance would take true as an integer
        shown = "a section" if isinstance(raw, dict) else shortened(raw)
        raise place.error(f"is {shown}; it must be {_TYPE_NAMES[kind]}")
