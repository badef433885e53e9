"""Reading a board's files: plain text, and CSV tables whose rows know their line."""

from __future__ import annotations

import csv
import io
import math
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path

from .faults import Place, shortened
from .limits import MAX_NUMBER

MAX_FILE = 2**20  # bytes
MAX_NAME = 60  # letters
MAX_LINE = 1000  # letters of a line of TOML
MAX_DOTS = 20  # in one; a key of ours has two


def read_text(file: Traversable) -> str:
    """The text of `file`, which must exist and say something."""
    place = Place(str(file))
    try:
        if not file.is_file() and not file.is_dir() and Path(str(file)).exists():
            raise place.error("is no file but a pipe or a device; it must be a readable file")  # which might never end
        with file.open("rb") as opened:
            content = opened.read(MAX_FILE + 1)
        if len(content) > MAX_FILE:
            raise place.error(f"is larger than {MAX_FILE} bytes; no board needs as much")
        # Spreadsheets like to put a byte order mark in front of UTF-8.
        text = content.decode("utf-8-sig")
    except FileNotFoundError:
        raise place.error(
            "is missing; a board is cities.csv, tracks.csv, tickets.csv and map.toml in one folder"
        ) from None
    except UnicodeDecodeError as error:
        raise place.error(f"is not UTF-8 ({error.reason} at byte {error.start}); save it as UTF-8") from None
    except OSError as error:
        raise place.error(f"cannot be read ({error.strerror}); it must be a readable file") from None
    if not text.strip():
        raise place.error("is empty; see the built-in maps for what belongs in it")
    # An accent typed in one file and composed in another must give the same city.
    return unicodedata.normalize("NFC", text)


def check_toml(text: str, file: str) -> None:
    """Refuse lines of TOML that take its parser long: keys of thousands of parts, and whatever else is too long."""
    for number, line in enumerate(text.split("\n"), start=1):
        place = Place(file, line=number)
        if len(line) > MAX_LINE:
            raise place.error(f"has {len(line)} letters; a line has at most {MAX_LINE}")
        if sum(map(bool, line.split("."))) > MAX_DOTS + 1:  # dots side by side are none of a key
            raise place.error(f"has a key of too many parts; a line has at most {MAX_DOTS} dots")


def check_name(name: str, place: Place) -> None:
    """Refuse a name that cannot be shown: with letters that steer a terminal, or too long for a picture."""
    if not name.isprintable():
        raise place.error(f"is {shortened(name)}; a name has printable letters alone")
    if len(name) > MAX_NAME:
        raise place.error(f"is {shortened(name)}; a name has at most {MAX_NAME} letters")


@dataclass(frozen=True)
class Row:
    """One line of a CSV table: a cell for each column, and readers that refuse what makes no sense."""

    file: str
    line: int
    cells: dict[str, str]

    def at(self, column: str) -> Place:
        return Place(self.file, column, self.line)

    def text(self, column: str) -> str:
        text = self.cells[column]
        if not text:
            raise self.at(column).error("is empty; every row needs a value here")
        return text

    def name(self, column: str) -> str:
        """A text that is to be shown to people."""
        text = self.text(column)
        check_name(text, self.at(column))
        return text

    def integer(self, column: str, least: int = 1) -> int:
        text = self.text(column)
        # Not int(text) alone: it would take "1_0" and "+3" as well.
        digits = text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_NUMBER))
        if not (digits and least <= int(text) <= MAX_NUMBER):
            raise self.at(column).error(f"is {shortened(text)}; it must be an integer from {least} to {MAX_NUMBER}")
        return int(text)

    def coordinate(self, column: str) -> float:
        text = self.text(column)
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise self.at(column).error(f"is {shortened(text)}; it must be a finite number of degrees, like 52.373")
        return number

    def point(self) -> tuple[float, float]:
        """The latitude and longitude of a row that has these columns."""
        latitude, longitude = self.coordinate("latitude"), self.coordinate("longitude")
        if not -90 < latitude < 90:
            right = "it must be between -90 and 90, without the poles"
            raise self.at("latitude").error(f"is {shortened(self.text('latitude'))}; {right}")
        if not -360 <= longitude <= 360:
            raise self.at("longitude").error(f"is {shortened(self.text('longitude'))}; it must be between -360 and 360")
        return latitude, longitude


def read_table(
    file: Traversable, columns: Collection[str], *, optional: Collection[str] = (), most: int | None = None
) -> list[Row]:
    """The rows of a CSV file with these columns, in any order, and at most `most` rows, where there is a limit."""
    place = Place(str(file))
    lines = _lines(read_text(file), place)
    header_line, header = next(lines)
    _check_header(header, columns, optional, Place(place.file, line=header_line))
    rows: list[Row] = []
    for line, cells in lines:
        here = Place(place.file, line=line)
        if len(cells) != len(header):
            raise here.error(f"has {len(cells)} fields; the header asks for {len(header)}")
        if len(rows) == most:
            raise here.error(f"is one row too many; the engine holds at most {most}")
        rows.append(Row(place.file, line, dict(zip(header, cells, strict=True))))
    if not rows:
        raise place.error("is empty but for its header; it needs at least one row")
    return rows


def _lines(text: str, place: Place) -> Iterator[tuple[int, list[str]]]:
    """Each line that is not blank, with its number, counted from 1."""
    reader = csv.reader(io.StringIO(text), strict=True)
    try:
        for cells in reader:
            if cells:
                yield reader.line_num, [cell.strip() for cell in cells]
    except csv.Error as error:
        raise Place(place.file, line=reader.line_num).error(f"is not CSV: {error}") from None


def _check_header(header: list[str], columns: Collection[str], optional: Collection[str], place: Place) -> None:
    right = f"the columns are {', '.join([*columns, *(f'{name} (optional)' for name in optional)])}"
    for name in header:
        if name not in columns and name not in optional:
            raise place.inner(name).error(f"{shortened(name)} is an unknown column; {right}")
        if header.count(name) > 1:
            raise place.inner(name).error(f"{shortened(name)} is there twice; {right}")
    for name in columns:
        if name not in header:
            raise place.inner(name).error(f"{name!r} is a missing column; {right}")
