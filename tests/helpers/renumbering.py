"""A board whose cities, tracks, tickets and colours are numbered anew, and positions and actions on it."""

from __future__ import annotations

import csv
import random
import shutil
from pathlib import Path
from typing import Any

import ttr_env
from ttr_env import Game
from ttr_env.maps.model import COLOURS

Snapshot = dict[str, Any]
Row = dict[str, str]


class Renumbering:
    """Where everything of a board has gone to: each list and dictionary leads from old to new."""

    def __init__(self, map: str, folder: Path, chance: random.Random) -> None:
        """Write the board of a map, numbered anew, into a folder, which is made."""
        source = Path(ttr_env.__file__).parent / "maps" / map if map in ttr_env.maps.names() else Path(map)
        self.folder, self._chance = folder, chance
        self.colours = dict(zip(COLOURS, chance.sample(COLOURS, len(COLOURS)), strict=True))
        self.colours |= {"grey": "grey", "locomotive": "locomotive"}
        folder.mkdir()
        shutil.copy(source / "map.toml", folder)
        self._shuffle(source, "cities.csv")
        self.tracks = self._shuffle(source, "tracks.csv")
        self.tickets = self._shuffle(source, "tickets.csv")

    def _shuffle(self, source: Path, file: str) -> list[int]:
        """Copy a table with its rows in another order, which is returned: by row, where it has gone to."""
        with open(source / file, newline="", encoding="utf-8") as lines:
            rows = [self._changed(row) for row in csv.DictReader(lines)]
        goes_to = self._chance.sample(range(len(rows)), len(rows))
        with open(self.folder / file, "w", newline="", encoding="utf-8") as lines:
            table = csv.DictWriter(lines, rows[0].keys())
            table.writeheader()
            table.writerows(row for _, row in sorted(zip(goes_to, rows, strict=True), key=lambda pair: pair[0]))
        return goes_to

    def _changed(self, row: Row) -> Row:
        """A row with its colour changed, and which of its ends comes first left to chance."""
        if "colour" in row:
            row["colour"] = self.colours[row["colour"]]
        if "city_a" in row and self._chance.random() < 0.5:
            row["city_a"], row["city_b"] = row["city_b"], row["city_a"]
        return row

    # Positions.

    def position(self, snapshot: Snapshot, seats: list[int]) -> Game:
        """The same position on the new board, with everybody in another seat."""
        moved = {**snapshot, "map": str(self.folder), "player": seats[snapshot["player"]]}
        for pile in ("deck", "discard", "face_up"):
            moved[pile] = self._cards(snapshot[pile])
        for pile in ("ticket_pile", "ticket_discard"):
            moved[pile] = self._tickets(snapshot[pile])
        moved["owners"] = [
            seats[owner] if isinstance(owner, int) else owner
            for _, owner in sorted(zip(self.tracks, snapshot["owners"], strict=True), key=lambda pair: pair[0])
        ]
        placed = sorted(zip(seats, snapshot["seats"], strict=True), key=lambda pair: pair[0])
        moved["seats"] = [self._seat(seat) for _, seat in placed]
        if snapshot["neutral"] is not None:
            ticket = snapshot["neutral"]["ticket"]
            there = {"marker": seats[snapshot["neutral"]["marker"]]}
            there["ticket"] = None if ticket is None else self.tickets[ticket]
            moved["neutral"] = snapshot["neutral"] | there
        if snapshot["pending"] is not None:
            moved["pending"] = self._pending(snapshot["pending"])
        return Game.from_snapshot(moved)

    def _cards(self, cards: dict[str, int]) -> dict[str, int]:
        return {self.colours[card]: number for card, number in cards.items()}

    def _tickets(self, tickets: list[int]) -> list[int]:
        return sorted(self.tickets[ticket] for ticket in tickets)

    def _seat(self, seat: dict[str, Any]) -> dict[str, Any]:
        cards = {pile: self._cards(seat[pile]) for pile in ("hand", "known")}
        return {**seat, **cards, **{pile: self._tickets(seat[pile]) for pile in ("tickets", "offered", "refused")}}

    def _pending(self, pending: dict[str, Any]) -> dict[str, Any]:
        piles = {pile: self._cards(pending[pile]) for pile in ("turned_up", "chosen") if pile in pending}
        return {**pending, **piles, **self._named(pending)}

    # Actions.

    def action(self, game: Game, action: int, there: Game) -> int:
        """The action on the new board that means the same."""
        meaning = game.describe(action).as_dict()
        return there.index({**meaning, **self._named(meaning)})

    def _named(self, meaning: dict[str, Any]) -> dict[str, Any]:
        """The track, card and tickets that an action or a waiting claim names."""
        named: dict[str, Any] = {}
        if "track" in meaning:
            named["track"] = self.tracks[meaning["track"]]
        if "card" in meaning:
            named["card"] = self.colours[meaning["card"]]
        if "tickets" in meaning:
            named["tickets"] = self._tickets(meaning["tickets"])
        return named


def other_seats(game: Game, chance: random.Random) -> list[int]:
    """By seat, another one for it; before the first turn only those who have yet to choose change places, and so on."""
    seats = list(range(game.players))
    if not game.snapshot()["setup"]:
        return chance.sample(seats, len(seats))
    before, after = seats[: game.player], seats[game.player + 1 :]
    return [*chance.sample(before, len(before)), game.player, *chance.sample(after, len(after))]
