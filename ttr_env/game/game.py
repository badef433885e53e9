"""One game, with a friendly face."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, NoReturn, Self, Unpack, cast

import numpy as np

from ttr_env.bots.features.rows import ActionFeatures
from ttr_env.engine import calls, layout, legal, planning, scoring
from ttr_env.engine.board import board
from ttr_env.engine.layout import REWARDS
from ttr_env.engine.scratch import aligned
from ttr_env.errors import IllegalAction, SnapshotError
from ttr_env.game import actions, records, restoring, words
from ttr_env.game import snapshot as snapshots
from ttr_env.game.actions import Action, Claim, KeepTickets, NeutralClaim, SetCard, TunnelPay
from ttr_env.game.positions import Positions
from ttr_env.game.types import InformationState, Record, Result, SeatResult, Snapshot
from ttr_env.maps.faults import shortened
from ttr_env.options import (
    GameOptions,
    MapLike,
    Sight,
    Variant,
    check_choice,
    check_generator,
    check_seed,
    whole_number,
)

_PLAYER = layout.offset("player")  # reading a byte of the record is quicker than one of its fields
_PHASE = layout.offset("phase")
# Looking these up in their modules would be a tenth of a step.
_KEEP, _CLAIM, _step = layout.KEEP, layout.CLAIM, calls.step
_NO_ACTION = 1 << 15  # more than any map has


class Move(NamedTuple):
    """A decision that was taken."""

    player: int
    action: Action  # as it was meant when it was taken
    track: int | None  # that it put trains on


class Game(Positions):
    """A game of Ticket to Ride: whose decision it is, what it may be, and what comes of it.

    Seats are numbered from 0 in turn order. Actions are indices of a flat space that is fixed for the map.

    >>> game = Game("nederland", players=2, seed=7)
    >>> while not game.over:
    ...     game.step(game.legal_actions()[0])
    >>> game.result()["winners"]
    [1]
    """

    __slots__ = ("_actions", "_bytes", "_claims_end", "_last", "_seed", "_start")

    def __init__(self, map: MapLike = "nederland", *, seed: int | None = None, **options: Unpack[GameOptions]) -> None:
        """Deal a new game.

        Args:
            map: the name of a built-in map, the folder of your own, or a `Map`.
            seed: a whole number from 0 to 2**64 - 1; None takes one from the system.
            options: `players`, `tolls` and `neutral_player` (`ttr_env.options.GameOptions`).
        """
        number = secrets.randbits(63) if seed is None else check_seed(seed)
        self._deal(Variant.of(map, **options), number)

    @classmethod
    def deal(cls, variant: Variant, seed: int) -> Self:
        """A new game of a variant."""
        game: Self = cls.__new__(cls)
        game._deal(variant, check_seed(seed))
        return game

    @classmethod
    def from_positions(
        cls, positions: Positions, row: int, seed: int | None = None, taken: Any = (), start: bytes | None = None
    ) -> Self:
        """A copy of one of many positions, to play on independently.

        How it came about, where that is known: by the deal of a `seed`, or from the record's bytes at the `start`, and
        by the actions that were `taken` since.
        """
        memory = positions.memory(row)
        if seed is None and start is None:
            return cls._from_memory(positions.variant, memory)
        return cls._from_memory(positions.variant, memory, seed, start, [int(action) for action in taken])

    def _deal(self, variant: Variant, seed: int) -> None:
        self._adopt(variant, np.zeros(layout.GAME.itemsize, np.int8))
        self._begin(seed, None, [])
        calls.start(
            self.records,
            0,
            self.board,
            np.uint64(seed),
            variant.players,
            int(variant.tolls),
            int(variant.neutral_player),
        )

    def _adopt(self, variant: Variant, memory: np.ndarray) -> None:
        """Make `memory`, the bytes of a game's record, this game's own."""
        self.variant, self.records, self.board = variant, memory.view(layout.GAME), board(variant.map)
        self._bytes, self._claims_end = memory, variant.claims_end

    def _begin(self, seed: int | None, start: bytes | None, taken: list[int]) -> None:
        """Remember how the game came about: from a seed or a record's bytes, and by these actions."""
        self._seed, self._start, self._actions = seed, start, taken
        # The last decision; until somebody asks, what it can be told from: who made it, or the record before it.
        self._last: Move | int | bytes | None = None

    @classmethod
    def _from_memory(
        cls,
        variant: Variant,
        memory: np.ndarray,
        seed: int | None = None,
        start: bytes | None = None,
        taken: list[int] | None = None,
    ) -> Self:
        """A game that goes on from a record's bytes, which it takes over; by default it begins there."""
        game: Self = cls.__new__(cls)
        game._adopt(variant, memory)
        game._begin(seed, memory.tobytes() if seed is None and start is None else start, taken or [])
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
    def over(self) -> bool:
        """Whether the game has come to its end."""
        return bool(self._bytes[_PLAYER] < 0)

    @property
    def players(self) -> int:
        """How many seats."""
        return self.variant.players

    @property
    def seed(self) -> int | None:
        """The seed that the game was dealt from; None where it began in the middle."""
        return self._seed

    @property
    def actions(self) -> list[int]:
        """The actions taken so far, since the deal or the position that the game began with."""
        return self._actions.copy()

    @property
    def last(self) -> Move | None:
        """The last decision, None if there was none yet."""
        if not self._actions:
            return None
        if self._last is None:  # a copy from many games, which has its actions but not their meaning
            self._last = Game.replay(self.record()).last
        elif isinstance(self._last, bytes):
            before: Game = Game._from_memory(self.variant, np.frombuffer(self._last, np.int8).copy())
            self._last = before._meant(self._actions[-1])
        elif not isinstance(self._last, Move):
            action = actions.table(self.map).meanings[self._actions[-1]]
            self._last = Move(self._last, action, action.track if isinstance(action, Claim) else None)
        move = cast(Move, self._last)
        waits = isinstance(move.action, SetCard) and self.phase == "set"  # for more cards
        return move._replace(track=None) if waits else move

    # What may be done, and doing it.

    def action_mask(self) -> np.ndarray:
        """An int8 array with a 1 for every legal action of the player to move."""
        mask = np.empty(self.variant.num_actions, np.int8)
        calls.mask(self.records, 0, self.board, mask)
        return mask

    def legal_actions(self) -> np.ndarray:
        """The legal actions, ascending; empty only when the game is over."""
        return self.action_mask().view(np.bool_).nonzero()[0]  # NumPy finds bools in a fraction of the time

    def sample(self, rng: np.random.Generator) -> int:
        """A random legal action; quicker than drawing one of `legal_actions`."""
        return int(calls.pick(self.records, 0, self.board, rng.integers(2**64, size=1, dtype=np.uint64)))

    def step(self, action: int) -> None:
        """Take an action for the player to move; `IllegalAction` if that is not legal, and nothing changes."""
        index = action if type(action) is int else actions.as_index(action)
        if _CLAIM <= index < self._claims_end or 0 <= index < _KEEP:  # these mean the same in every position
            last = mover = _step(self.records, 0, self.board, index)
        elif 0 <= index < _NO_ACTION:
            last = self._bytes.tobytes()
            mover = _step(self.records, 0, self.board, index)
        else:
            mover = -legal.OUT_OF_RANGE
        if mover < 0:
            self._refuse(index, mover)
        self._actions.append(index)
        self._last = last

    def _remember(self, index: int, mover: int, before: bytes) -> None:
        """What `step` does once the engine has answered, for a subclass that asks it in another way."""
        if mover < 0:
            self._refuse(index, mover)
        self._actions.append(index)
        self._last = before

    def _refuse(self, index: int, judged: int) -> NoReturn:
        """Say why an action was not taken, by what the engine answered."""
        verdict = -judged
        raise IllegalAction(self._why(verdict, index), action=index, reason=words.reason(verdict, self.phase))

    def _meant(self, index: int) -> Move:
        """The move that an action of the player to move would be here."""
        action = self.describe(index)
        pending = int(self.records[0]["pending_claim"])
        track = action.track if isinstance(action, Claim | NeutralClaim) else None
        if isinstance(action, SetCard | TunnelPay) and pending >= 0:
            track = int(self.board[0]["claim_track"][pending - layout.CLAIM])
        return Move(self.player, action, track)

    def _why(self, verdict: int, action: int) -> str:
        try:
            meaning = str(self.describe(action).as_dict())
        except IllegalAction:
            keeps = action in actions.table(self.map).keeps
            meaning = "a choice of tickets" if keeps else "the neutral player's choice"
        return words.explain(verdict, action, self.num_actions, self.player, self.phase, meaning)

    def describe(self, action: int) -> Action:
        """What an action means here, legal or not."""
        index = actions.as_index(action)
        table = actions.table(self.map)
        if index in table.meanings:
            return table.meanings[index]
        if not 0 <= index < table.size:
            message = words.explain(legal.OUT_OF_RANGE, index, table.size, self.player, self.phase, "")
            raise IllegalAction(message, action=index, reason=words.reason(legal.OUT_OF_RANGE, self.phase))
        if index in table.keeps:
            return KeepTickets(self._slots_to_tickets(table.keeps.meaning(index)))
        return NeutralClaim(self._neutral_tracks()[index - table.neutral])

    def text(self, action: int | Action) -> str:
        """An action in a sentence, which no other action has here: `game.text(game.last.action)`.

        >>> Game("nederland", seed=7).text(100)
        'Claim Aarschot - Liège with 2 red and 3 locomotives'
        """
        meant = action if isinstance(action, Action) else self.describe(action)
        actions.check(self.map, meant)
        return words.sentence(self.map, meant, snapshots.pending(self.map, self.records[0]))

    def index(self, action: Action | Mapping[str, Any]) -> int:
        """The index of an action, given as `describe` returns it or as its dictionary."""
        wanted = action if isinstance(action, Action) else actions.from_dict(action)
        table = actions.table(self.map)
        if isinstance(wanted, KeepTickets):
            return table.keeps.action(self._tickets_to_slots(wanted.tickets))
        if isinstance(wanted, NeutralClaim):
            tracks = self._neutral_tracks()
            if wanted.track not in tracks:
                message = f"track {shortened(wanted.track)} is not offered to the neutral player; {tracks} are"
                raise IllegalAction(message, action=wanted)
            return table.neutral + tracks.index(wanted.track)
        if wanted not in table.indices:
            raise IllegalAction(f"{shortened(wanted.as_dict(), 300)} is no action on {self.map.title}", action=wanted)
        return table.indices[wanted]

    def _offered(self) -> list[int]:
        return snapshots.members(self.records[0]["offered"][self.player]) if self.player >= 0 else []

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
        ticket = int(self.records[0]["neutral_ticket"])
        if self.phase != "neutral":
            raise IllegalAction(f"the neutral player is moved in phase neutral; the phase is {self.phase}")
        lower = int(self.board[0]["ticket_neutral"][ticket])
        return [lower, int(self.board[0]["track_partner"][lower])]

    # What came of it.

    def result(self) -> Result:
        """Once the game is over: each seat's score in its parts, its rank, and the winners."""
        if not self.over:
            raise ValueError(f"the game is not over; player {self.player} is to move")
        sheet = self._sheet()
        seats = [cast(SeatResult, dict(zip(scoring.SCORES, row.tolist(), strict=True))) for row in sheet]
        return {"seats": seats, "winners": [seat for seat, row in enumerate(seats) if row["rank"] == 1]}

    def returns(self, reward: str = "win") -> np.ndarray:
        """What each seat gets for the whole game, float32; nothing before it is over. "dense" sums up to "score"."""
        kind = REWARDS.index(check_choice(reward, REWARDS, "reward"))
        returns = np.zeros(self.players, np.float32)
        if self.over:
            sheet = np.zeros(scoring.SHEET_SHAPE, scoring.SHEET_TYPE)
            calls.final_rewards(self.records, 0, self.board, kind, returns, sheet)
        return returns

    def _sheet(self) -> np.ndarray:
        """The score sheet of the position as it is, a row for each seat."""
        sheet = np.zeros(scoring.SHEET_SHAPE, scoring.SHEET_TYPE)
        calls.score_sheet(self.records, 0, self.board, sheet)
        return sheet[: self.players]

    # What a player sees.

    def observe(self, player: int, features: str = "base", tolls_visible: bool = False) -> np.ndarray:
        """A player's observation vector: float32, each entry from 0 to 1 (`ttr_env.observation`)."""
        seat, sight = self._seat(player), Sight(features, bool(tolls_visible))
        vector = np.zeros(self.variant.observation_size(sight), np.float32)
        scratch = aligned(1, planning.PLAN)
        calls.observe(self.records, 0, self.board, seat, sight.with_planning, sight.tolls_visible, scratch, vector)
        return vector

    def action_features(self) -> ActionFeatures:
        """What the player to move sees of its decision, action by action (`ttr_env.observation.ActionFeatures`).

        There are action features of the player to move alone; when the game is over, every place is empty.

        >>> game = Game("nederland", players=2, seed=7)
        >>> seen = game.action_features()
        >>> candidates = seen.index[seen.index >= 0]
        >>> len(candidates) == len(game.legal_actions()) == 16  # ways to keep at least 3 of 5 tickets
        True
        """
        return self.look_at_actions(np.zeros(1, np.int64)).at(0)

    def information_state(self, player: int) -> InformationState:
        """What a player knows: a snapshot whose hidden parts are counts."""
        return snapshots.information_state(self.map, self.records, self._seat(player))

    def determinize(self, player: int, rng: np.random.Generator) -> Game:
        """A game that the player cannot tell from this one: what it cannot see is dealt anew, uniformly."""
        seat = self._seat(player)
        check_generator(rng)
        memory = self._bytes.copy()
        calls.redeal_hidden(memory.view(layout.GAME), 0, seat, rng.integers(2**64, dtype=np.uint64))
        return Game._from_memory(self.variant, memory)

    def branch(self, seed: int) -> Game:
        """The same position, from where chance goes its own way: a seed decides which cards and tickets are drawn.

        >>> game = Game("nederland", players=2, seed=7)
        >>> game.branch(1).snapshot()["seats"] == game.snapshot()["seats"], game.branch(1) == game.branch(2)
        (True, False)
        """
        memory = self._bytes.copy()
        calls.seed_source(memory.view(layout.GAME)["rng"][0], np.uint64(check_seed(seed)))
        return Game._from_memory(self.variant, memory)

    def playout(self, policy: Any, rng: np.random.Generator) -> Game:
        """A copy that is played to its end, by compiled code wherever the players can; this game stays as it is.

        It goes on from the true hidden cards, so a player that must not know them uses `determinize` first; what is
        drawn from here on is decided by `rng`, as in `branch`. The copy begins here: its `actions` are those of the
        playout. `ttr_env.playouts(start=...)` plays many.

        Args:
            policy: who plays, by name (`ttr_env.agents`) or as an agent: one for all seats, or a list by seat.
            rng: what the cards to come and the players' chance depend on.

        >>> game = Game("nederland", players=2, seed=7)
        >>> played = game.playout("planner", np.random.default_rng(0))
        >>> played.over, len(game.actions)
        (True, 0)
        """
        from ttr_env.agents.rollouts import play_out

        return play_out(self, policy, rng)

    def _seat(self, player: int) -> int:
        seat = whole_number(player, "player")
        if not 0 <= seat < self.players:
            raise ValueError(f"player: the seats are 0 to {self.players - 1}, not {seat}")
        return seat

    # Copies, snapshots, records.

    def copy(self) -> Self:
        """The same game, to play on independently; it draws the same cards."""
        game: Self = self._from_memory(self.variant, self._bytes.copy(), self._seed, self._start, self._actions.copy())
        game._last = self._last
        return game

    def __eq__(self, other: object) -> bool:
        """Whether two games stand alike, hidden cards and chance to come included."""
        if not isinstance(other, Game):
            return NotImplemented
        if self.map.digest != other.map.digest:
            return False
        return bool((self._bytes == other._bytes).all()) or self.snapshot() == other.snapshot()

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return Game.from_bytes, (self.variant, self._bytes.tobytes(), self._seed, self._start, self._actions)

    @classmethod
    def from_bytes(
        cls, variant: Variant, record: bytes, seed: int | None, start: bytes | None, taken: list[int]
    ) -> Self:
        """A game that was pickled."""
        return cls._from_memory(variant, _memory(record), seed, start, taken)

    def snapshot(self) -> Snapshot:
        """The whole position as plain JSON types."""
        return snapshots.snapshot(self.map, self.records[0])

    @classmethod
    def from_snapshot(cls, snapshot: Mapping[str, Any]) -> Game:
        """The game in the position of a snapshot, which plays on just as the original would."""
        map, record = restoring.read(snapshot)
        memory = np.frombuffer(record.tobytes(), np.int8).copy()
        calls.restore(memory.view(layout.GAME), 0, board(map))
        variant = Variant(map, int(record["players"]), bool(record["with_tolls"]), bool(record["with_neutral"]))
        game = cls._from_memory(variant, memory)
        if not game.over and not game.action_mask().any():
            raise SnapshotError(f"phase: in {game.phase} the player must have a legal action, and has none here")
        return game

    def record(self) -> Record:
        """How the game came about, as plain JSON types: map, options, seed and actions."""
        start = None if self._start is None else Game._from_memory(self.variant, _memory(self._start)).snapshot()
        return records.write(self.variant, self._seed, start, self._actions)

    def history(self) -> Iterator[Game]:
        """The game in its first position and after each action, one `Game` that plays on: copy what you keep.

        >>> game = Game("nederland", players=2, seed=7)
        >>> game.step(game.legal_actions()[0])
        >>> [(each.player, each.phase) for each in game.history()]
        [(0, 'keep_tickets'), (1, 'keep_tickets')]
        """
        if self._start is not None:
            game = Game._from_memory(self.variant, _memory(self._start))
        else:
            assert self._seed is not None  # a game has a seed or a start
            game = Game.deal(self.variant, self._seed)
        yield game
        for action in self._actions:
            game.step(action)
            yield game

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

    def _repr_html_(self) -> str:
        from ttr_env import render

        return render.page(self)._repr_html_()

    def __repr__(self) -> str:
        what = f"round {self.records[0]['round']}, player {self.player} in {self.phase}"
        return f"<Game of {self.map.title}, {self.players} players: {'over' if self.player < 0 else what}>"


def _memory(record: bytes) -> np.ndarray:
    return np.frombuffer(record, np.int8).copy()
