"""Thousands of games stepped together: the fast path."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NoReturn, Self, Unpack

import numpy as np

from ttr_env.batch import stepping
from ttr_env.batch.checking import check_rows, check_whole
from ttr_env.batch.keeping import check_state
from ttr_env.batch.looking import Looks
from ttr_env.batch.pool import HasWeights
from ttr_env.batch.replacing import replace_illegal
from ttr_env.batch.roster import Bots, Roster
from ttr_env.batch.settings import settings_of
from ttr_env.batch.threads import Workers
from ttr_env.bots.built_in import player_name
from ttr_env.engine import rows, scoring
from ttr_env.engine.scratch import aligned
from ttr_env.errors import IllegalAction
from ttr_env.game import Game
from ttr_env.game.positions import Positions
from ttr_env.game.turnstile import Turnstile
from ttr_env.options import (
    MapLike,
    Table,
    TableOptions,
    ViewOptions,
    check_seed,
    positive,
    refuse_unknown,
    whole_number,
)

_FAR_APART = 2**32  # streams of chance that no other row's seeds come from
_NO_HISTORY = np.zeros((0, 0), np.int16)  # not None, for which everything would be compiled once more


class Batch(Positions):
    """Many games of one kind, stepped together; finished games restart at once.

    The buffers below are allocated once and written in place by `step`: copy what you keep. With `n` games,
    `p` players, `d` observation entries and `a` actions they are

    - `observations` float32 [n, d], `masks` int8 [n, a], `movers` int8 [n]: of the player to move in each game,
    - `rewards` float32 [n, p], `terminated`, `truncated` and `done` (either of them) bool [n]: of the last step,
    - `totals` int32 [n, p], `scores` int32 [n, p, 12] (the columns are `ttr_env.SCORES`), `lengths` int32 [n]
      (decisions) and `final_observations` float32 [n, d]: of each row's last finished game. The final observation is
      that of the player to move; where the game is over, of the player who moved last.

    With `features="actions"`, `observations` and `final_observations` are an `ActionFeatures` of three arrays each, in
    which nothing is seen of a game that is over, and `dropped` counts candidates for which there was no room.

    Row `i` plays its game `k` from a seed that depends on `(seed, i, k)` alone.

    >>> batch = Batch("nederland", games=64, players=4, seed=0)
    >>> for _ in range(100):
    ...     batch.step(batch.sample())
    >>> batch.observations.shape == (64, batch.observation_size)
    True

    Bots can take seats. They answer inside `step`, so that only players who are not bots are ever to move. Rewards are
    then summed over all decisions of a step, and a final observation is that of the first of these players.

    >>> batch = Batch("nederland", games=8, players=3, bots=[None, "planner", "greedy"])
    >>> batch.step(batch.sample())
    >>> set(batch.movers.tolist())
    {0}

    A network that scores candidates can be a bot too: an agent with `weights`, or these alone (`bots.scorer.WEIGHTS`).

    A batch belongs to one thread at a time; a second one that steps it, deals or samples meanwhile is refused
    (`SharedByThreads`).
    """

    def __init__(
        self,
        map: MapLike = "nederland",
        games: int = 1024,
        *,
        seed: int = 0,
        bots: Bots | None = None,
        seat: int | None = 0,
        autoreset: bool = True,
        views: bool = True,
        threads: int = 1,
        **options: Unpack[TableOptions],
    ) -> None:
        """Deal `games` games.

        Args:
            map: the name of a built-in map, the folder of your own, or a `Map`.
            games: how many rows.
            seed: what every game's own seed is derived from.
            bots: for each place, counted from `seat` in turn order, the name of a bot (`ttr_env.bots.BOTS`), a network,
                or None for a player whose actions `step` takes. An empty list seats no bots yet, but lets `line_up` be
                changed.
            seat: the seat of place 0; None draws one for every game.
            autoreset: whether a finished game is followed by the next in the same step; otherwise it waits for `deal`.
            views: whether observations and masks are written; without them, games between bots are quicker.
            threads: how many processor threads share the rows.
            options: those of every table (`ttr_env.options.TableOptions`).
        """
        self.table = Table.of(map, **options)
        super().__init__(self.table.variant, positive(games, "games"))
        self._turnstile = Turnstile("a Batch")
        self.autoreset = bool(autoreset)
        self._settings = settings_of(self.table, seat, self.autoreset, bool(views))
        self._roster = Roster()
        self.line_up: np.ndarray | None = None  # [rows, players]: the bots' numbers by place, in the next games
        self.history: np.ndarray | None = None  # see `keep_history`
        self._starts: dict[int, tuple[int, bytes]] = {}  # by row: the episode that began in a position, and this
        if bots is not None:
            self.line_up = self._roster.line_up(bots, self.table, len(self), self.autoreset)
        self._allocate()
        self._workers = Workers(positive(threads, "threads"), len(self))
        self._allocate_work()
        self.reset(seed)

    @classmethod
    def from_games(
        cls,
        games: Sequence[Game],
        *,
        seed: int = 0,
        bots: Bots | None = None,
        seat: int | None = 0,
        autoreset: bool = True,
        views: bool = True,
        threads: int = 1,
        keep_history: bool = False,
        **options: Unpack[ViewOptions],
    ) -> Self:
        """A batch that goes on from these games, one in each row, which stay as they are; the arguments are a batch's.

        All games are of one variant. One that is over is `done` at once. Bots answer until somebody else is to move, so
        with bots in all seats, and `autoreset=False`, every game is played to its end. `keep_history` is the method.

        >>> games = [Game("nederland", players=2, seed=seed) for seed in range(8)]
        >>> batch = Batch.from_games(games, bots=["planner", "racer"], autoreset=False, views=False)
        >>> bool(batch.done.all()), games[0].over
        (True, False)
        """
        refuse_unknown(options, ViewOptions.__annotations__)
        if not games:
            raise ValueError("games: at least one is needed")
        variant, nobody = games[0].variant, None if bots is None else ()  # who sits down when the games are there
        rows: Any = {**variant.as_dict(), **options, "map": variant.map, "autoreset": autoreset, "views": views}
        batch = cls(games=len(games), seed=seed, bots=nobody, seat=seat, threads=threads, **rows)
        if bots is not None:
            batch.line_up = batch._roster.line_up(bots, batch.table, len(batch), batch.autoreset)
            batch._name_networks()
        if keep_history:
            batch.keep_history()
        batch.restart(batch._all_rows, [None] * len(games), games)
        return batch

    def _allocate(self) -> None:
        games, num_actions = len(self), self.num_actions
        self._rows = np.zeros(games, stepping.ROW)
        self._looks = Looks(games, self.autoreset) if self.table.sight.with_actions else None
        self._vectors = np.zeros((games, 0 if self._looks else self.observation_size), np.float32)
        self._final_vectors = np.zeros_like(self._vectors)
        self.masks = np.zeros((games, num_actions), np.int8)
        self._outcome_bytes = np.zeros(games * stepping.OUTCOME.itemsize, np.int8)
        self._sample = np.zeros(games, np.int64)
        self._all_rows = np.arange(games)
        self._name_outcomes()

    def _name_outcomes(self) -> None:
        """What steps write, as columns with a name."""
        players = self.variant.players
        self.outcomes = self._outcome_bytes.view(stepping.OUTCOME)
        self.movers, self.lengths = self.outcomes["mover"], self.outcomes["length"]
        self.terminated, self.truncated = self.outcomes["terminated"], self.outcomes["truncated"]
        self.done = self.outcomes["done"]
        self.rewards, self.scores = self.outcomes["rewards"][:, :players], self.outcomes["scores"][:, :players]
        self._name_tables()

    def _name_tables(self) -> None:
        """What steps work on."""
        ends = self._looks.ends if self._looks else self.records[:0]
        history = _NO_HISTORY if self.history is None else self.history
        self._tables = stepping.Tables(self.records, self.board, self._rows, self.outcomes, ends, history)

    def _allocate_work(self) -> None:
        self._work = aligned(self._workers.count, stepping.WORK)
        self._work["settings"] = self._settings
        if self._looks:
            self._looks.allocate_work(self._workers.count)
        self._name_networks()

    def _name_networks(self) -> None:
        """The networks as steps take them."""
        self._pool = self._roster.networks(self._workers.count)

    # What is seen.

    @property
    def observation_size(self) -> int:
        """The length of an observation vector."""
        return self.variant.observation_size(self.table.sight)

    @property
    def observations(self) -> Any:
        """What the player to move in each game sees: float32 [rows, entries], or an `ActionFeatures`."""
        return self._looks.shown if self._looks else self._vectors

    @property
    def final_observations(self) -> Any:
        """What was seen at the end of each row's last finished game, in the same form."""
        return self._looks.final if self._looks else self._final_vectors

    @property
    def dropped(self) -> int:
        """How many candidates `features="actions"` had no room for, in all decisions since `reset`."""
        return self._looks.dropped if self._looks else 0

    @property
    def ends(self) -> np.ndarray:
        """The record of each row's last finished game (`layout.GAME`), kept with `features="actions"` alone.

        Where the player whose view is kept was not to move, nobody is: `player` is -1 there.
        """
        return self._tables.ends

    # What the rows play.

    @property
    def players(self) -> np.ndarray:
        """The former name of `movers`."""
        warnings.warn("Batch.players is now Batch.movers", DeprecationWarning, stacklevel=2)
        return self.movers

    @property
    def totals(self) -> np.ndarray:
        """The final scores of each row's last finished game."""
        return self.scores[:, :, scoring.TOTAL]

    @property
    def seeds(self) -> np.ndarray:
        """The seed of each row's current game: `Game(seed=...)` with the same options deals it too."""
        return self._rows["seed"].copy()

    @property
    def episodes(self) -> np.ndarray:
        """How many games each row has finished."""
        return self._rows["episode"].copy()

    @property
    def decisions(self) -> np.ndarray:
        """How many decisions were made in each row's current game."""
        return self._rows["decisions"].copy()

    @property
    def seats(self) -> np.ndarray:
        """Where the first of the bots, or who sits in its place, sits in each row's current game."""
        return self._rows["seat"].copy()

    @property
    def seated(self) -> np.ndarray:
        """The bots' numbers in each row's current game, by place [rows, players]; below 0: not a bot."""
        return self._rows["bots"][:, : self.variant.players].copy()

    def game(self, row: int) -> Game:
        """A copy of a row's game."""
        index = whole_number(row, "row")
        if not 0 <= index < len(self):
            raise IndexError(f"row: the rows are 0 to {len(self) - 1}, not {index}")
        if self.history is None:
            return Game.from_positions(self, index)
        taken = self.history[index, : int(self._rows[index]["decisions"])]
        episode, start = self._starts.get(index, (None, None))
        if start is not None and episode == self._rows[index]["episode"]:
            return Game.from_positions(self, index, None, taken, start)
        return Game.from_positions(self, index, int(self._rows[index]["seed"]), taken)

    def copy_outcomes(self) -> np.ndarray:
        """What the last step told of each row (`stepping.OUTCOME`), to keep."""
        copied = self._outcome_bytes.copy()  # at once; NumPy copies fields one by one
        return np.ndarray(len(self), stepping.OUTCOME, copied)

    def renew_views(self, keep: bool = False) -> None:
        """Write observations and masks to new arrays from now on; those handed out before stay as they are.

        What the new ones hold is not defined before all rows are stepped, unless they `keep` what the old ones held.
        """
        if keep:
            self._vectors, self.masks = self._vectors.copy(), self.masks.copy()
        else:
            self._vectors, self.masks = np.empty_like(self._vectors), np.empty_like(self.masks)
        if self._looks:
            self._looks.renew(keep)

    def keep_history(self) -> None:
        """Keep the actions of each row's current game from its deal on, so that `game` has a record and a past."""
        self.history = np.zeros((len(self), self.table.episode.max_decisions), np.int16)
        self._name_tables()

    # Dealing.

    def reset(self, seed: int) -> None:
        """Deal every row anew, from its first game."""
        number = np.uint64(check_seed(seed))
        with self._turnstile:
            self.outcomes[:] = 0
            self._final_vectors[:] = 0
            if self._looks:
                self._looks.forget()
            self._rows["source"], self._rows["stream"], self._rows["stride"] = number, self._all_rows, _FAR_APART
            self._rows["episode"] = 0
            stepping.seed_samples(self._rows, number)
            self._deal_prepared(self._all_rows)

    def restart(self, row_numbers: Any, seeds: Any, games: Sequence[Game] | None = None, seats: Any = None) -> None:
        """Deal these rows anew, each from a seed of its own, on which all its games depend; None: its next game.

        A row that is seeded alone plays the games that any other row with this seed would play. With `games`, one for
        each of the rows, nothing is dealt: the rows go on from where these stand, with place 0 in these `seats`, if
        they are given, and so many decisions as if they began there.
        """
        chosen = check_rows(row_numbers, len(self))
        if games is not None:
            self._check_games(games, chosen)
        known = np.array([seed is not None for seed in seeds], np.bool_)
        seeded = chosen[known]
        given = np.array([check_seed(seed) for seed in seeds if seed is not None], np.uint64)
        with self._turnstile:
            self._rows["episode"][chosen[~known]] += 1
            self._rows["episode"][seeded] = self._rows["stream"][seeded] = 0
            self._rows["source"][seeded], self._rows["stride"][seeded] = given, 1
            for row in chosen.tolist() if self._starts else ():
                self._starts.pop(row, None)
            if games is None:
                self._deal_prepared(chosen)
            else:
                self._go_on(chosen, games, seats)

    def _check_games(self, games: Sequence[Game], chosen: np.ndarray) -> None:
        if len(games) != len(chosen):
            raise ValueError(f"games: {len(chosen)} are needed, one for each of the rows, not {len(games)}")
        for place, game in enumerate(games):
            difference = self.variant.difference(game.variant)
            if difference:
                raise ValueError(f"games[{place}]: {difference}")

    def _go_on(self, chosen: np.ndarray, games: Sequence[Game], seats: Any) -> None:
        """Put positions into these rows, whose seeds are known."""
        stepping.prepare_rows(self._settings, self._rows, chosen)
        if seats is not None:
            self._rows["seat"][chosen] = seats
        self.records[chosen] = np.concatenate([game.records for game in games])
        if self.history is not None:
            for row in chosen.tolist():
                self._starts[row] = int(self._rows["episode"][row]), self.records[row].tobytes()
        self._take(self._everywhere(chosen, stepping.GO_ON))

    def _deal_prepared(self, chosen: np.ndarray) -> None:
        stepping.prepare_rows(self._settings, self._rows, chosen)
        self._take(self._everywhere(chosen, stepping.DEAL))

    def deal(self, row_numbers: Any, seeds: Any, seats: Any = None) -> None:
        """Deal the games of these seeds in these rows, in place of what they are playing.

        With bots, `seats` says where the first of them sits in each of the rows.
        """
        chosen = check_rows(row_numbers, len(self))
        given = np.array([check_seed(seed) for seed in seeds], np.uint64)
        if given.shape != chosen.shape:
            raise ValueError(f"seeds: {len(chosen)} are needed for these rows, not {len(given)}")
        places = np.zeros(len(chosen), np.int64) if seats is None else np.asarray(seats, np.int64)
        with self._turnstile:
            for row in chosen.tolist() if self._starts else ():
                self._starts.pop(row, None)
            stepping.prepare_deals(self._rows, chosen, given, places)
            self._take(self._everywhere(chosen, stepping.DEAL))

    # Playing.

    def sample(self) -> np.ndarray:
        """A random legal action for every row; the same array each time."""
        with self._turnstile:
            stepping.sample_rows(self.records, self.board, self._rows, self._sample)
        return self._sample

    def step(self, actions: Any, row_numbers: Any = None) -> None:
        """Take one action in every row, or in these rows while the others wait.

        `IllegalAction` names the first row where an action is illegal, and no row moves.
        """
        chosen = self._all_rows if row_numbers is None else check_rows(row_numbers, len(self))
        with self._turnstile:
            given = self._check_actions(actions, chosen)
            self._take(given if row_numbers is None else self._everywhere(chosen, given))

    def forgive(self) -> None:
        """Let an illegal action in `take` end its game, with a loss, instead of being refused beforehand."""
        self._settings["forgiving"] = True
        self._work["settings"] = self._settings

    def replace_illegal(self, actions: np.ndarray) -> np.ndarray:
        """Put a random legal action in place of each that is not, for `take`; returns in which rows (bool).

        What it is depends on the seed of the row's game and the number of the decision alone.
        """
        replaced = np.zeros(len(self), np.bool_)
        replace_illegal(self.records, self.board, self._rows, actions, np.zeros(1, np.uint64), replaced)
        return replaced

    def take(self, actions: np.ndarray) -> None:
        """Step all rows by actions int64 [rows] that are known to be legal, or by any after `forgive`.

        In place of an action, `stepping.SKIP` leaves a row alone.
        """
        turnstile = self._turnstile  # as `with` does, but quicker
        if not turnstile.lock.acquire(False):
            turnstile.check()
        try:
            self._take(actions)
        finally:
            turnstile.lock.release()

    def _take(self, actions: np.ndarray) -> None:
        views = stepping.Views(self._vectors, self.masks, self._final_vectors)
        arguments = (self._tables, views, self._work, self.line_up, self._pool, actions)
        dropped: list[int] = []  # a thread may append while another does

        def step(worker: int, first: int, end: int) -> None:
            wrong = stepping.step_rows(*arguments, worker, first, end)
            if wrong >= 0:
                self._blame_bot(wrong, worker)
            if self._looks and self._settings["with_views"]:
                dropped.append(self._look(actions, worker, first, end))

        self._workers.share(step)
        if self._looks:
            self._looks.dropped += sum(dropped)

    def _blame_bot(self, row: int, worker: int) -> NoReturn:
        number, action = int(self._work[worker]["wrong_bot"]), int(self._work[worker]["wrong_action"])
        why = self._why(row, action)
        name = player_name(number)
        message = f"row {row}: {name} chose an illegal action, and the row stays there until it is dealt anew: {why}"
        raise IllegalAction(message, row=row, action=action, reason=why.reason, bot=name)

    def _look(self, actions: np.ndarray, worker: int, first: int, end: int) -> int:
        """Write the action features of the rows that were stepped; returns how many candidates had no room."""
        assert self._looks
        chosen, waits = self._all_rows[first:end], actions[first:end] == stepping.SKIP
        return self._looks.look(self, self.done, chosen[~waits] if waits.any() else chosen, worker)

    def _everywhere(self, chosen: np.ndarray, actions: Any) -> np.ndarray:
        """These actions in the chosen rows; the others wait."""
        every = np.full(len(self), stepping.SKIP)
        every[chosen] = actions
        return every

    def _check_actions(self, actions: Any, chosen: np.ndarray) -> np.ndarray:
        """The actions as the engine takes them, if all are legal in the chosen rows."""
        whole = check_whole(actions, len(chosen))
        place = rows.first_illegal(self.records, self.board, chosen, whole)
        if place >= 0:
            row = int(chosen[place])
            why = self._why(row, int(np.asarray(actions)[place]))
            raise IllegalAction(f"row {row}: {why}", row=row, action=why.action, reason=why.reason)
        if not self.autoreset and self.truncated[chosen].any():
            row = int(chosen[self.truncated[chosen]][0])
            raise IllegalAction(f"row {row}: the game was cut off after its last decision; deal() another", row=row)
        return whole

    def _why(self, row: int, action: int) -> IllegalAction:
        try:
            self.game(row).step(action)
        except IllegalAction as error:
            return error
        raise AssertionError("the row's action is legal after all")

    # Networks among the bots.

    def enlist(self, network: HasWeights | np.ndarray, number: int | None = None) -> int:
        """The number of a network for `line_up`: of an agent with `weights`, or of these alone; they are copied.

        With the `number` of one that was enlisted before, the network takes its place, in running games too.
        """
        if self.line_up is None:
            raise ValueError("bots: a batch that was made without bots has no seat for a network; bots=() makes some")
        if number is None:
            number = self._roster.add(network)
        else:
            self._roster.replace(number, network)
        self._name_networks()
        return number

    def check_numbers(self, numbers: np.ndarray) -> None:
        """Refuse numbers for `line_up` that no bot and no network has; below 0 is somebody who is asked."""
        self._roster.check(numbers)

    # Keeping.

    def state(self) -> dict[str, np.ndarray]:
        """All running games and what is seen of them, to go on from later; networks among the bots are not part."""
        return {name: array.copy() for name, array in self._kept().items()}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from the `state` of a batch with the same options; its networks have to be enlisted before.

        What is no such state is a `ValueError`, and nothing changes.
        """
        check_state(state, self._kept(), self.variant, self.table.episode.max_decisions)
        if self.line_up is not None:
            self.check_numbers(state["line_up"])
            self.check_numbers(state["rows"]["bots"])
        with self._turnstile:
            for name, array in self._kept().items():
                array[...] = state[name]
            if self._looks:
                self._looks.look_again(self, self.done)

    def _kept(self) -> dict[str, np.ndarray]:
        kept = {"games": self.records, "rows": self._rows, "outcomes": self.outcomes, "masks": self.masks}
        if self.line_up is not None:
            kept["line_up"] = self.line_up
        if self._looks:  # features are large, and written anew
            return {**kept, "ends": self._looks.ends}
        return {**kept, "observations": self._vectors, "final_observations": self._final_vectors}

    def __getstate__(self) -> Any:
        views = {"outcomes", "movers", "lengths", "terminated", "truncated", "done", "rewards", "scores"}
        left_out = {"_work", "_tables", "_pool"} | views
        return super().__getstate__(), {name: kept for name, kept in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: Any) -> None:
        positions, attributes = state
        super().__setstate__(positions)
        self.__dict__.update(attributes)
        self._name_outcomes()
        self._allocate_work()
