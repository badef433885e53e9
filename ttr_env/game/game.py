"""One game, with a friendly face."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np

from ttr_env import options
from ttr_env.engine import calls, layout, legal, scoring
from ttr_env.engine.board import board
from ttr_env.errors import IllegalAction, IllegalActionType, SnapshotError
from ttr_env.game import actions, observation, records, restoring
from ttr_env.game import snapshot as snapshots
from ttr_env.game.actions import Action, KeepTickets, NeutralClaim
from ttr_env.game.verdicts import explain, reason
from ttr_env.maps import Map, load

_PLAYER = layout.offset("player")  # reading a byte of the record is quicker than one of its fields
_PHASE = layout.offset("phase")


class Game:
    """A game of Ticket to Ride: whose decision it is, what it may be, and what comes of it.

    Seats are numbered from 0 in turn order. Actions are indices of a flat space that is fixed for the map.

    >>> game = Game("nederland", players=2, seed=7)
    >>> while game.player >= 0:
    ...     game.step(game.legal_actions()[0])
    >>> game.result()["winners"]
    [1]
    """

    __slots__ = ("_actions", "_boards", "_bytes", "_games", "_seed", "_start", "map")

    def __init__(
        self,
        map: str | os.PathLike[str] | Map = "nederland",
        players: int = 2,
        seed: int | None = None,
        tolls: bool | None = None,
        neutral_player: bool = False,
    ) -> None:
        """Deal a new game.

        Args:
            map: a built-in map's name, the folder of one's own, or a `Map`.
            players: how many seats.
            seed: a whole number from 0 to 2**64 - 1; None takes one from the system.
            tolls: whether bridge tolls are paid; None is as the map has it.
            neutral_player: whether the neutral player joins 2 players.
        """
        board_map = load(map)
        chosen = options.choose(board_map, players, tolls, neutral_player)
        number = secrets.randbits(63) if seed is None else check_seed(seed)
        self._adopt(board_map, np.zeros(layout.GAME.itemsize, np.int8))
        self._seed: int | None = number
        self._start: bytes | None = None  # the record that play began with, where it was not dealt from a seed
        self._actions: list[int] = []
        calls.start(
            self._games,
            0,
            self._boards,
            np.uint64(number),
            chosen.players,
            int(chosen.tolls),
            int(chosen.neutral_player),
        )

    def _adopt(self, map: Map, memory: np.ndarray) -> None:
        """Make `memory`, the bytes of a game's record, this game's own."""
        self.map = map
        self._boards = board(map)
        self._bytes = memory
        self._games = memory.view(layout.GAME)

    @classmethod
    def _from_record(cls, map: Map, memory: np.ndarray) -> Game:
        """A game that goes on from a record's bytes, which it takes over."""
        game = cls.__new__(cls)
        game._adopt(map, memory)
        game._seed = None
        game._start = memory.tobytes()
        game._actions = []
        return game

    # Where the game stands.

    @property
    def player(self) -> int:
        """Whose decision it is, -1 when the game is over."""
        return int(self._bytes[_PLAYER])

    @property
    def phase(self) -> str:
        """What is being decided: one of `ttr_env.engine.layout.PHASES`, such as "turn", "tunnel" or "over"."""
        return layout.PHASES[self._bytes[_PHASE]]

    @property
    def players(self) -> int:
        """How many seats."""
        return int(self._games[0]["players"])

    @property
    def num_actions(self) -> int:
        """The size of the action space, the same in every game on this map."""
        return int(self._boards[0]["actions"])

    # What may be done, and doing it.

    def action_mask(self) -> np.ndarray:
        """An int8 array with a 1 for every legal action of the player to move."""
        mask = np.empty(actions.table(self.map).size, np.int8)
        calls.mask(self._games, 0, self._boards, mask)
        return mask

    def legal_actions(self) -> np.ndarray:
        """The legal actions, ascending; empty only when the game is over."""
        return np.flatnonzero(self.action_mask())

    def step(self, action: int) -> None:
        """Take an action for the player to move; `IllegalAction` if that is not legal, and nothing changes."""
        index = action if type(action) is int else self._whole(action)
        verdict = legal.OUT_OF_RANGE
        if 0 <= index < 32768:
            verdict = calls.step(self._games, 0, self._boards, index)
        self._settle(verdict, index)

    def step_with_rewards(self, action: int, kind: int, rewards: np.ndarray, sheet: np.ndarray) -> None:
        """`step`, which also writes each player's reward of a kind (`engine.rewards`); for environments."""
        index = action if type(action) is int else self._whole(action)
        verdict = legal.OUT_OF_RANGE
        if 0 <= index < 32768:
            verdict = calls.step_with_rewards(self._games, 0, self._boards, index, kind, rewards, sheet)
        self._settle(verdict, index)

    def _settle(self, verdict: int, action: int) -> None:
        """Remember an action that was taken, or refuse one that was not."""
        if verdict != legal.LEGAL:
            raise IllegalAction(self._why(verdict, action), action=action, reason=reason(verdict, self.phase))
        self._actions.append(action)

    def _whole(self, action: Any) -> int:
        try:
            return options.whole_number(action, "action")
        except TypeError as error:
            message = f"{error}; game.index() gives the number of a described action"
            raise IllegalActionType(message, action=action) from None

    def _why(self, verdict: int, action: int) -> str:
        try:
            meaning = str(self.describe(action).as_dict())
        except IllegalAction:
            meaning = "a choice of tickets" if layout.KEEP <= action < layout.CLAIM else "the neutral player's choice"
        return explain(verdict, action, self.num_actions, self.player, self.phase, meaning)

    def describe(self, action: int) -> Action:
        """What an action means here, legal or not."""
        index = self._whole(action)
        table = actions.table(self.map)
        if index in table.meanings:
            return table.meanings[index]
        if not 0 <= index < table.size:
            message = explain(legal.OUT_OF_RANGE, index, table.size, self.player, self.phase, "")
            raise IllegalAction(message, action=index, reason=reason(legal.OUT_OF_RANGE, self.phase))
        if index < layout.CLAIM:
            return KeepTickets(self._slots_to_tickets(index - layout.KEEP + 1))
        return NeutralClaim(self._neutral_tracks()[index - table.neutral])

    def index(self, action: Action | Mapping[str, Any]) -> int:
        """The index of an action, given as `describe` returns it or as its dictionary."""
        wanted = action if isinstance(action, Action) else actions.from_dict(action)
        table = actions.table(self.map)
        if isinstance(wanted, KeepTickets):
            return layout.KEEP - 1 + self._tickets_to_slots(wanted.tickets)
        if isinstance(wanted, NeutralClaim):
            tracks = self._neutral_tracks()
            if wanted.track not in tracks:
                message = f"track {wanted.track} is not offered to the neutral player; {tracks} are"
                raise IllegalAction(message, action=wanted)
            return table.neutral + tracks.index(wanted.track)
        if wanted not in table.indices:
            raise IllegalAction(f"{wanted.as_dict()} is no action on {self.map.title}", action=wanted)
        return table.indices[wanted]

    def _offered(self) -> list[int]:
        return snapshots.members(self._games[0]["offered"][self.player]) if self.player >= 0 else []

    def _slots_to_tickets(self, slots: int) -> tuple[int, ...]:
        offered = self._offered()
        if slots >= 1 << len(offered):
            raise IllegalAction(f"{len(offered)} tickets are on offer; this action keeps the one in a later slot")
        return tuple(offered[slot] for slot in snapshots.members(slots))

    def _tickets_to_slots(self, tickets: tuple[int, ...]) -> int:
        offered = self._offered()
        for ticket in tickets:
            if ticket not in offered:
                raise IllegalAction(f"ticket {ticket} is not on offer; {offered} are")
        if not tickets or len(set(tickets)) != len(tickets):
            raise IllegalAction(f"{list(tickets)} is no choice of tickets; name one or more of {offered}, each once")
        return sum(1 << offered.index(ticket) for ticket in tickets)

    def _neutral_tracks(self) -> list[int]:
        """The two tracks that the marker's holder chooses from."""
        ticket = int(self._games[0]["neutral_ticket"])
        if self.phase != "neutral":
            raise IllegalAction(f"the neutral player is moved in phase neutral; the phase is {self.phase}")
        lower = int(self._boards[0]["ticket_neutral"][ticket])
        return [lower, int(self._boards[0]["track_partner"][lower])]

    # What came of it.

    def result(self) -> dict[str, Any]:
        """Once the game is over: each seat's score in its parts, its rank, and the winners."""
        if self.player >= 0:
            raise ValueError(f"the game is not over; player {self.player} is to move")
        sheet = self._sheet()
        seats = [{name: int(value) for name, value in zip(scoring.SCORES, row, strict=True)} for row in sheet]
        return {"seats": seats, "winners": [seat for seat, row in enumerate(seats) if row["rank"] == 1]}

    def _sheet(self) -> np.ndarray:
        """The score sheet of the position as it is, a row for each seat."""
        sheet = np.zeros(scoring.SHEET_SHAPE, scoring.SHEET_TYPE)
        calls.score_sheet(self._games, 0, self._boards, sheet)
        return sheet[: self.players]

    # What a player sees.

    def observe(self, player: int, features: str = "base", tolls_visible: bool = False) -> np.ndarray:
        """A player's observation vector: float32, each entry from 0 to 1 (`ttr_env.observation`)."""
        seat = self._seat(player)
        return observation.observe(self.map, self._games, seat, features, tolls_visible)

    def information_state(self, player: int) -> dict[str, Any]:
        """What a player knows: a snapshot whose hidden parts are counts."""
        return snapshots.information_state(self.map, self._games[0], self._seat(player))

    def determinize(self, player: int, rng: np.random.Generator) -> Game:
        """A game that the player cannot tell from this one: what it cannot see is dealt anew, uniformly."""
        seat = self._seat(player)
        if not isinstance(rng, np.random.Generator):
            raise TypeError(f"rng: a numpy Generator is needed, such as np.random.default_rng(0), not {rng!r}")
        memory = self._bytes.copy()
        calls.redeal_hidden(memory.view(layout.GAME), 0, seat, rng.integers(2**64, dtype=np.uint64))
        return Game._from_record(self.map, memory)

    def _seat(self, player: int) -> int:
        seat = options.whole_number(player, "player")
        if not 0 <= seat < self.players:
            raise ValueError(f"player: the seats are 0 to {self.players - 1}, not {seat}")
        return seat

    # Copies, snapshots, records.

    def copy(self) -> Game:
        """The same game, to play on independently; it draws the same cards."""
        game = Game.__new__(Game)
        game._adopt(self.map, self._bytes.copy())
        game._seed, game._start, game._actions = self._seed, self._start, self._actions.copy()
        return game

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self.map, self._bytes.tobytes(), self._seed, self._start, self._actions)

    def snapshot(self) -> dict[str, Any]:
        """The whole position as plain JSON types."""
        return snapshots.snapshot(self.map, self._games[0])

    @classmethod
    def from_snapshot(cls, snapshot: Mapping[str, Any]) -> Game:
        """The game in the position of a snapshot, which plays on just as the original would."""
        map, record = restoring.read(snapshot)
        memory = np.frombuffer(record.tobytes(), np.int8).copy()
        calls.restore(memory.view(layout.GAME), 0, board(map))
        game = cls._from_record(map, memory)
        if game.player >= 0 and not game.action_mask().any():
            raise SnapshotError(f"phase: in {game.phase} the player must have a legal action, and has none here")
        return game

    def record(self) -> dict[str, Any]:
        """How the game came about, as plain JSON types: map, options, seed and actions."""
        start = None if self._start is None else Game._from_record(self.map, _memory(self._start)).snapshot()
        record = self._games[0]
        options = (self.players, bool(record["with_tolls"]), bool(record["with_neutral"]))
        return records.write(self.map, options, self._seed, start, self._actions)

    @classmethod
    def replay(cls, record: Mapping[str, Any]) -> Game:
        """The game at the end of a record; `RecordError` names the step at which a record does not fit."""
        return records.replay(record, cls)

    # Pictures.

    def to_svg(self, perspective: int | None = None, width: int = 1200) -> str:
        """A picture of the position: what one seat knows, or everything."""
        from ttr_env import render

        return render.to_svg(self, perspective, width)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def __repr__(self) -> str:
        what = f"round {self._games[0]['round']}, player {self.player} in {self.phase}"
        return f"<Game of {self.map.title}, {self.players} players: {'over' if self.player < 0 else what}>"


def check_seed(seed: Any) -> int:
    """`seed`, if it is one: a whole number of 64 bits."""
    number = options.whole_number(seed, "seed")
    if not 0 <= number < 2**64:
        raise ValueError(f"seed: a whole number from 0 to 2**64 - 1 is needed, not {number}")
    return number


def _memory(record: bytes) -> np.ndarray:
    return np.frombuffer(record, np.int8).copy()


def _unpickle(map: Map, record: bytes, seed: int | None, start: bytes | None, played: list[int]) -> Game:
    game = Game._from_record(map, _memory(record))
    game._seed, game._start, game._actions = seed, start, played
    return game
