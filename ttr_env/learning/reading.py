"""Reading configuration files: what they extend, what is changed on the command line, and what is wrong with them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from ttr_env.errors import SettingsError, did_you_mean
from ttr_env.learning import configs

EXTENDS = "extends"  # the entry that names another file, whose values hold where this one has none
MAX_BYTES = 2**20  # of a file
_OF_ONE_PROGRAM = {"league", "workers"}  # sections of training.train, and of training.rllib


class Part(BaseModel):
    """A part of a configuration: unknown names are refused, values are checked, nothing changes later."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


Whole = TypeVar("Whole", bound=Part)
Values = dict[str, Any]


def read_as(model: type[Whole], path: str | os.PathLike[str], changes: list[str] | None = None) -> Whole:
    """The settings in a file of a kind of its own, with changes such as `ppo.n_epochs=4` made to it."""
    values = _resolved(model, Path(path), ())
    for change in changes or []:
        _change(values, change)
    return check(model, values, str(path))


def check(model: type[Whole], values: Values, origin: str) -> Whole:
    """Settings from plain values, or one error that names everything that is wrong with them."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        faults = "; ".join(_fault(model, fault) for fault in error.errors())
        raise SettingsError(f"config {origin}: {faults}") from error


def _resolved(model: type[Part], path: Path, below: tuple[Path, ...]) -> Values:
    """The values of a file, over those of the files that it extends; `below` are the files that led here."""
    if any(path.samefile(file) for file in below if path.exists()):
        circle = " -> ".join(file.name for file in (*below, path))
        raise SettingsError(f"config {below[0]}: extends goes round in a circle: {circle}")
    own = _content(path)
    foreign = _OF_ONE_PROGRAM - model.model_fields.keys()
    if own.keys() >= _OF_ONE_PROGRAM:  # a base of both programs
        own = _without(own, foreign)
    if EXTENDS not in own:
        return own
    inherited = _resolved(model, _extended(path, own.pop(EXTENDS)), (*below, path))
    return _over(_without(inherited, foreign), own)


def _extended(path: Path, name: Any) -> Path:
    """The file that another one extends: a path from its own folder, or the name of one that comes along."""
    if not isinstance(name, str):
        raise SettingsError(f"config {path}: extends: the name or the path of a configuration is needed, not {name!r}")
    try:
        return configs.find(name, path.parent)
    except ValueError as error:
        raise SettingsError(f"config {path}: extends: {error}") from error


def _without(values: Values, sections: set[str]) -> Values:
    return {section: fields for section, fields in values.items() if section not in sections}


def _over(inherited: Values, own: Values) -> Values:
    """Fields of `own` in place of inherited ones, section by section."""
    merged = {**inherited, **own}
    for section in inherited.keys() & own.keys():
        if isinstance(inherited[section], dict) and isinstance(own[section], dict):
            merged[section] = {**inherited[section], **own[section]}
    return merged


def _content(path: Path) -> Values:
    """A file's own values."""
    try:
        values = yaml.safe_load(_text(path)) or {}
    except OSError as error:
        raise SettingsError(f"config {path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"config {path} is no text in UTF-8") from error
    except yaml.YAMLError as error:
        raise SettingsError(f"config {path} is no YAML: {_in_one_line(error)}") from error
    except (RecursionError, ValueError) as error:  # numbers of thousands of digits, dates that there are not
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else error
        raise SettingsError(f"config {path} is no YAML: {reason}") from error
    if not isinstance(values, dict):
        raise SettingsError(f"config {path}: the file must hold sections such as run: and ppo:")
    return values


def _text(path: Path) -> str:
    """The text of a file; a device might give it without end."""
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"it has more than {MAX_BYTES} bytes")
    return content.decode("utf-8")


def _change(values: Values, change: str) -> None:
    name, equals, text = change.partition("=")
    keys = name.strip().split(".")
    if not equals or not all(keys):
        raise SettingsError(f"--set {change}: write section.field=value, such as ppo.n_epochs=4")
    for key in keys[:-1]:
        values = values.setdefault(key, {})
        if not isinstance(values, dict):
            raise SettingsError(f"--set {change}: {key} is a value, not a section")
    try:
        values[keys[-1]] = _value(text)
    except yaml.YAMLError as error:
        raise SettingsError(f"--set {change}: the value is no YAML: {_in_one_line(error)}") from error


def _in_one_line(error: yaml.YAMLError) -> str:
    """What is wrong, and where; the library would draw the place over several lines."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return " ".join(str(error).split())
    mark = error.problem_mark
    return f"{error.problem} in line {mark.line + 1}, column {mark.column + 1}"


def _value(text: str) -> Any:
    """A value as YAML has it; numbers such as 1e-4 are numbers here, which YAML takes for text."""
    value = yaml.safe_load(text)
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    return value


def _fault(model: type[Part], fault: Any) -> str:
    """One fault in words."""
    place = ".".join(str(part) for part in fault["loc"])
    if not place:
        return str(fault["msg"]).removeprefix("Value error, ")  # the whole file need not be repeated
    if fault["type"] == "missing":
        return f"{place}: is missing"
    if fault["type"] == "model_type":
        return f"{place}: fields are needed here: {', '.join(_fields(model, fault['loc']))} (it is {fault['input']!r})"
    if fault["type"] != "extra_forbidden":
        return f"{place}: {fault['msg'].removeprefix('Value error, ')} (it is {fault['input']!r})"
    known = _fields(model, fault["loc"][:-1])
    hint = did_you_mean(str(fault["loc"][-1]), known, "{}") or f"there are: {', '.join(known)}"
    return f"{place}: there is no such field; {hint}"


def _fields(model: Any, section: tuple[int | str, ...]) -> list[str]:
    """The fields of a section; those of a whole file are its sections, and what it extends."""
    for name in section:
        model = model.model_fields[name].annotation
    return [*model.model_fields, *([] if section else [EXTENDS])]
