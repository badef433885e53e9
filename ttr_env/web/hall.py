"""All tables of a server: how they are asked for, who may come in, and when they are cleared away."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ttr_env import maps
from ttr_env.agents import catalogue
from ttr_env.errors import MapError, RecordError, TableError, did_you_mean
from ttr_env.game import Game
from ttr_env.game.files import in_one_piece
from ttr_env.maps import Map
from ttr_env.maps.faults import shortened
from ttr_env.options import DEFAULT_MAP, GAME_OPTIONS, Variant
from ttr_env.web import links
from ttr_env.web.limits import Limits
from ttr_env.web.rooms import Room
from ttr_env.web.tables import Role, Seat, Table, names_in, people_in, person, retell, shown


class Hall:
    """Tables, by id. Maps and agents are those that the server was started with; a page can name no others."""

    def __init__(
        self,
        agents: Sequence[str] = (),
        save: Path | None = None,
        limits: Limits | None = None,
        boards: Sequence[Map] = (),
    ) -> None:
        """Args:
        agents: specifications to choose from, beside the built-in names.
        save: the folder for records of finished games.
        limits: how much is taken on.
        boards: maps to choose from, beside the built-in ones.
        """
        self.limits = limits or Limits()
        self.agents = {name: name for name in [*agents, *catalogue.BY_NAME]}
        self.rooms: dict[str, Room] = {}
        self.save = save
        offered = sorted(maps.names(), key=lambda name: name != DEFAULT_MAP)  # the first is chosen unless another is
        self._replaying = asyncio.Lock()
        self._maps = _by_name([*map(maps.load, offered), *boards])

    def offers(self) -> dict[str, Any]:
        """What the lobby offers."""
        notes = {name: catalogue.BY_NAME.get(name, "named when the server was started") for name in self.agents}
        return {"maps": [_about(name, map) for name, map in self._maps.items()], "agents": notes}

    def room(self, table: str, secret: str) -> tuple[Room, Role]:
        """A room, and what a secret makes of somebody there; without one, they look on."""
        room = self.rooms.get(table)
        if room is None:
            raise TableError("This table is not here any more: it was closed, or the server was started anew.")
        role = room.table.role_of(secret)
        if role is None:
            raise TableError("This link does not open the table: copy the whole of it, with what follows the #.")
        return room, role

    # New tables.

    def deal(self, form: Any) -> Table:
        """A table for a new game as the lobby asks for it."""
        wanted = _fields(form, {"map": str, "options": dict, "seed": (int, type(None)), "seats": list})
        board = self.map(wanted["map"])
        options = {name: value for name, value in wanted["options"].items() if name in GAME_OPTIONS}
        seats = self._seats(wanted["seats"])
        try:
            game = Game(board, seed=wanted["seed"], **{**options, "players": len(seats)})
        except (TypeError, ValueError) as error:
            raise TableError(f"{error}.") from error
        return self._add(Table(game, seats))

    def play_on(self, form: Any) -> Table:
        """A table for the rest of a game, from one of its positions on."""
        wanted = _fields(form, {"table": str, "secret": str, "decision": int, "seats": list})
        table = self.readable(wanted["table"], wanted["secret"])
        seats = self._seats(wanted["seats"])
        if len(seats) != table.game.players:
            raise TableError(f"This game has {table.game.players} seats, not {len(seats)}.")
        start = table.at(max(0, wanted["decision"])).copy()
        return self._add(Table(start, seats, table.events[: len(start.actions)]))

    async def open(self, form: Any) -> Table:
        """A table that shows a record, given as a dictionary or as the code of a link."""
        async with self._replaying:  # one at a time, so that tables share theirs with no more than one
            table = await asyncio.to_thread(self._replayed, form)
        return self._add(table)

    def _replayed(self, form: Any) -> Table:
        """The table, which a long record takes a while to fill; nothing else is touched here."""
        if isinstance(form, Mapping) and isinstance(form.get("code"), str):
            record = links.unpack(form["code"])
        else:
            record = _fields(form, {"record": dict})["record"]
        return self._read(record)

    def _read(self, record: Any) -> Table:
        if not isinstance(record, Mapping):
            raise RecordError("a record is a dictionary; this is none")
        actions = record.get("actions")
        if isinstance(actions, list) and len(actions) > self.limits.record_actions:
            raise RecordError(f"it has {len(actions)} actions; at most {self.limits.record_actions} are taken")
        game, events = retell(self._on_a_map_of_ours(record))
        seats = [Seat(name) for name in names_in(record, self.limits.name_letters)]
        return Table(game, seats, events, replayed=True, people=people_in(record))

    def _on_a_map_of_ours(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The record with the map that it was played on, so that no folder is read because a record names it.

        A map of somebody's own may lie elsewhere with them: it is known by what is in it.
        """
        name, digest, start = record.get("map"), record.get("map_digest"), record.get("start")
        known = [board for board in self._maps.values() if board.name == name]
        known += [board for board in self._maps.values() if board.digest == digest]
        if not known or not isinstance(name, str):
            raise RecordError(f"its map {shortened(name)} is not one of those here: {', '.join(self._maps)}")
        if not isinstance(start, Mapping):
            return {**record, "map": known[0]}
        if start.get("map") != name:
            raise RecordError(f"start: its map is {shortened(start.get('map'))}, but the record's is {shortened(name)}")
        return {**record, "map": known[0].name, "start": {**start, "map": known[0].name}}

    def _add(self, table: Table) -> Table:
        self.clear_away()
        if len(self.rooms) >= self.limits.tables:
            raise TableError(
                f"There are {len(self.rooms)} tables already, which is the most. Close one of yours, by “Share” on its "
                f"page, or try later: a table that no page shows is closed after {self.limits.idle / 60:g} minutes."
            )
        self.rooms[table.id] = Room(table, self.limits, self._keep)
        return table

    def map(self, name: str) -> Map:
        """The map of this name."""
        if name not in self._maps:
            raise TableError(f"There is no map {name!r} here{did_you_mean(name, self._maps)}.")
        return self._maps[name]

    def _seats(self, forms: Sequence[Any]) -> list[Seat]:
        """Who sits where, by the names that the page chose from."""
        seats = []
        for form in forms:
            wanted = _fields(form, {"agent": (str, type(None)), "name": str})
            agent = wanted["agent"]
            if agent is None:
                seats.append(person(shown(wanted["name"], self.limits.name_letters)))
            elif agent in self.agents:
                seats.append(Seat(agent, agent=self.agents[agent]))
            else:
                raise TableError(f"There is no agent {agent!r} here{did_you_mean(agent, self.agents)}.")
        return seats

    # Records.

    def readable(self, table: str, secret: str) -> Table:
        """A table whose whole record somebody may have: all of it can be seen, or nobody else plays against agents."""
        room, role = self.room(table, secret)
        alone = role.seat is not None and sum(each.is_person for each in room.table.seats) == 1
        if not (room.table.is_open or alone):
            raise TableError("The others' cards are in the record: it can be had when the game is over.")
        return room.table

    def _keep(self, table: Table) -> None:
        """Write the record of a finished game, where that was asked for."""
        if self.save is None or table.replayed:
            return
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{_short_name(table.game.map)}-{table.id}.json"
        try:
            self.save.mkdir(parents=True, exist_ok=True)
            with in_one_piece(self.save / name) as place:
                place.write_text(json.dumps(table.record()) + "\n", encoding="utf-8")
        except OSError as error:  # the game is over all the same, and its pages can save it
            for page in self.rooms[table.id].pages:
                page.note(f"The server could not keep the record of this game: {error.strerror}.", "error")

    # The end.

    def may_close(self, table: Table, role: Role) -> bool:
        """Whether a table is somebody's to close: that of the first of the people, or of who leads a game of agents."""
        return role.leads and role.seat == next((seat for seat, _ in people(table)), None)

    def close_for(self, form: Any) -> None:
        """Close a table for the one who opened it."""
        wanted = _fields(form, {"table": str, "secret": str})
        room, role = self.room(wanted["table"], wanted["secret"])
        if not self.may_close(room.table, role):
            raise TableError("Only the one who opened this table can close it.")
        self.close(room.table.id)

    def clear_away(self) -> None:
        """Close tables that nobody has looked at for long."""
        now = time.monotonic()
        for id, room in list(self.rooms.items()):
            if not room.pages and now - room.left_at > self.limits.idle:
                self.close(id)
        left = [
            id for id, room in self.rooms.items() if not room.pages and (room.table.replayed or room.table.game.over)
        ]
        if left and len(self.rooms) >= self.limits.tables:  # where there is no room, what is over goes first
            self.close(min(left, key=lambda id: self.rooms[id].left_at))

    def close(self, table: str) -> None:
        """Close a table."""
        self.rooms.pop(table).close()

    def close_all(self) -> None:
        """Close all tables."""
        for table in list(self.rooms):
            self.close(table)


def _by_name(boards: Iterable[Map]) -> dict[str, Map]:
    """Maps by the names that pages are told."""
    named: dict[str, Map] = {}
    for board in boards:
        name = _short_name(board)
        if name in named:
            raise MapError(f"two maps are called {name!r}; give one of them another folder")
        named[name] = board
    return named


def _short_name(board: Map) -> str:
    """The name of a map; of one from a folder without where that is, which is nobody's business."""
    return Path(board.name).name


def _about(name: str, map: Map) -> dict[str, Any]:
    """What the lobby has to know of a map to ask for a game on it."""
    fewest, most = map.rules.players
    return {
        "name": name,
        "title": map.title,
        "players": list(map.rules.players),
        "tolls": map.rules.tolls is not None,
        "neutral_player": [players for players in range(fewest, most + 1) if _takes_neutral_player(map, players)],
    }


def _takes_neutral_player(map: Map, players: int) -> bool:
    try:
        Variant.of(map, players=players, neutral_player=True)
    except ValueError:
        return False
    return True


def _fields(form: Any, kinds: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a form, each of its kind."""
    if not isinstance(form, Mapping):
        raise TableError("The page sent something that is no form.")
    for name, kind in kinds.items():
        value = form.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise TableError(f"The page sent a form whose {name} is wrong.")
    return {name: form.get(name) for name in kinds}


def people(table: Table) -> Iterable[tuple[int, Seat]]:
    """The seats of people, with their numbers."""
    return [(number, seat) for number, seat in enumerate(table.seats) if seat.is_person]
