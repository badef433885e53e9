"""Writing a board as the files that `loader.py` reads."""

from __future__ import annotations

import csv
import dataclasses
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttr_env.errors import MapError

if TYPE_CHECKING:
    from .model import Map, Rules


def save(map: Map, folder: str | os.PathLike[str]) -> None:
    """Write `map` to a new folder, whole or not at all."""
    target = Path(folder)
    try:
        if target.exists() and not (target.is_dir() and not any(target.iterdir())):
            raise MapError(f"{target} is there already; name a new folder, or an empty one")
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as draft:
            _write_all(map, Path(draft))
            target.mkdir(exist_ok=True)
            for file in sorted(Path(draft).iterdir()):
                shutil.move(file, target / file.name)
    except OSError as error:
        raise MapError(f"{target} cannot be written ({error.strerror})") from None


def _write_all(map: Map, folder: Path) -> None:
    cities = map.cities
    _write(folder / "cities.csv", ("city", "latitude", "longitude"), ((c, c.latitude, c.longitude) for c in cities))
    _write_tracks(map, folder / "tracks.csv")
    _write_tickets(map, folder / "tickets.csv")
    if map.land:
        rows = ((shape.name, shape.kind, *point) for shape in map.land for point in shape.points)
        _write(folder / "land.csv", ("shape", "kind", "latitude", "longitude"), rows)
    if map.places:
        spots = ((cities[spot.city], spot.latitude, spot.longitude) for spot in map.places)
        _write(folder / "places.csv", ("city", "latitude", "longitude"), spots)
    (folder / "map.toml").write_text(_toml(map.title, map.rules), encoding="utf-8")


def _write_tracks(map: Map, file: Path) -> None:
    special = [name for name in ("toll", "tunnel", "ferry") if any(getattr(track, name) for track in map.tracks)]
    names = map.cities
    rows = (
        (names[it.a], names[it.b], it.length, it.colour, *(int(getattr(it, name)) for name in special))
        for it in map.tracks
    )
    _write(file, ("city_a", "city_b", "length", "colour", *special), rows)


def _write_tickets(map: Map, file: Path) -> None:
    names, neutral = map.cities, ("neutral_a", "neutral_b") if map.rules.neutral else ()
    rows = [[names[ticket.a], names[ticket.b], ticket.points] for ticket in map.tickets]
    if neutral:
        for row, ticket in zip(rows, map.tickets, strict=True):
            row += ["", ""] if ticket.neutral is None else [names[city] for city in ticket.neutral]
    _write(file, ("city_a", "city_b", "points", *neutral), rows)


def _write(file: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def _toml(title: str, rules: Rules) -> str:
    return "\n".join([f"title = {_value(title)}", *_section(dataclasses.asdict(rules), "")]) + "\n"


def _section(values: Mapping[Any, Any], name: str) -> list[str]:
    """The lines of a section: its own values, then the sections within it."""
    lines = [f"{key} = {_value(value)}" for key, value in values.items() if not isinstance(value, Mapping | None)]
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            inner = f"{name}.{key}" if name else str(key)
            lines += ["", f"[{inner}]", *_section(value, inner)]
    return lines


def _value(value: Any) -> str:
    if isinstance(value, tuple | list):
        return f"[{', '.join(_value(item) for item in value)}]"
    return json.dumps(value, ensure_ascii=False)  # numbers, truth values and texts are written alike in TOML
