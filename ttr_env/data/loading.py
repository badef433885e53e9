"""Loading a data set: batches of arrays, replayed from its records in compiled code."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ttr_env.batch import replaying
from ttr_env.batch.replaying import Moves
from ttr_env.bots.features.rows import ActionFeatures, look_rows, looking_space
from ttr_env.data.manifest import THOUGHTS, Manifest
from ttr_env.data.shards import Games, Reader
from ttr_env.engine import planning
from ttr_env.engine.board import board
from ttr_env.engine.layout import GAME
from ttr_env.engine.rows import view_rows
from ttr_env.engine.scratch import aligned
from ttr_env.errors import RecordError, did_you_mean
from ttr_env.maps.faults import shortened
from ttr_env.options import Episode, Sight, Variant, check_seed, positive

BATCH = 1024  # decisions in a batch


@dataclass(frozen=True)
class Decisions:
    """A batch of decisions, one in each row: what the player to move saw and did, and what came of it.

    The arrays belong to whoever takes the batch. What the data set's teacher did not think of is None, or, where it did
    not think of an action, not a number.
    """

    observations: Any  # float32 [rows, entries], or an `ActionFeatures`
    masks: np.ndarray  # int8 [rows, actions]
    actions: np.ndarray  # int64 [rows]
    movers: np.ndarray  # int8 [rows]: the seat
    deciders: np.ndarray  # int8 [rows]: who sat there, by the number in `Dataset.agents`
    games: np.ndarray  # int64 [rows]: the number of the game in the data set
    steps: np.ndarray  # int32 [rows]: the number of the decision in the game
    returns: np.ndarray  # float32 [rows]: what the game was worth to the mover
    totals: np.ndarray  # int32 [rows, players]: the final scores by seat
    choices: np.ndarray | None = None  # int64 [rows]: what the teacher would do
    values: np.ndarray | None = None  # float32 [rows]: what it thinks the position is worth to the mover
    probabilities: np.ndarray | None = None  # float32 [rows, actions]: of the actions, by the teacher
    means: np.ndarray | None = None  # float32 [rows, actions]: what its search found them to be worth, 0 to 1
    errors: np.ndarray | None = None  # float32 [rows, actions]: the standard errors of that

    def __len__(self) -> int:
        return len(self.actions)


def load(
    folder: str | os.PathLike[str],
    sight: str | Sight = "base",
    *,
    batch_size: int = BATCH,
    reward: str = "win",
    only: Sequence[str] | None = None,
    shuffle: int | None = None,
) -> Dataset:
    """A data set whose decisions can be gone through again and again: `for decisions in load(folder, "planning")`.

    Args:
        folder: where `write` or `ttr dataset` put it.
        sight: "base", "planning" or "actions", or a `Sight` with more wishes.
        batch_size: decisions in each batch; the last one may have fewer.
        reward: what `returns` are: "win", "margin" or "score".
        only: agents whose decisions are shown; None: all.
        shuffle: a seed that shuffles the files and the games in each, anew every time; None: in their order.
    """
    seen = Sight(sight) if isinstance(sight, str) else sight
    if not isinstance(seen, Sight):
        raise TypeError(f"sight: a name or a Sight is needed, not {shortened(sight)}")
    if seen.adviser is not None:
        raise ValueError("sight: a data set has no adviser; ask a teacher for its choices instead")
    return Dataset(Path(folder), seen, Episode(reward), positive(batch_size, "batch_size"), only, shuffle)


class Dataset:
    """The decisions of a data set, in batches. Made by `load`."""

    def __init__(
        self,
        folder: Path,
        sight: Sight,
        episode: Episode,
        batch_size: int,
        only: Sequence[str] | None,
        shuffle: int | None,
    ) -> None:
        self.manifest = Manifest.read(folder)
        self.variant: Variant = self.manifest.variant()
        self.agents = self.manifest.names
        self._folder, self._sight, self._rows = folder, sight, batch_size
        self._rng = None if shuffle is None else np.random.default_rng(check_seed(shuffle))
        self._wanted = np.array([only is None or name in only for name in self.agents])
        for name in only or ():
            if name not in self.agents:
                near = did_you_mean(name[:100], self.agents)
                raise ValueError(f"only: {shortened(name)} did not play{near}; these did: {', '.join(self.agents)}")
        if not self.manifest.shards:
            raise RecordError(f"{folder} has no games yet; go on writing it")
        self._episode = episode

    def __iter__(self) -> Iterator[Decisions]:
        space, look = self._space(), _Look(self.variant, self._sight, self._rows)
        batch, row = _Batch(self, look), 0
        for number, games in self._shards(space):
            moves = games.moves(self._wanted[games.deciders], self._order(len(games.seeds)))
            space["turn"] = space["step"] = 0
            while (end := batch.fill(games, number * self.manifest.shard_size, moves, space, row)) == self._rows:
                yield batch.decisions(end)
                batch, row = _Batch(self, look), 0
            row = end
        if row:
            yield batch.decisions(row)

    def read(self) -> Iterator[Games]:
        """The games of each file, in their order."""
        reader = Reader(self._folder, self.manifest, self.variant, self._space())
        return map(reader.read, range(len(self.manifest.shards)))

    def _space(self) -> np.ndarray:
        space = np.zeros(1, replaying.SPACE)
        space["players"], space["with_tolls"] = self.variant.players, self.variant.tolls
        space["with_neutral"], space["with_masks"] = self.variant.neutral_player, self._sight.with_actions
        space["reward"] = self._episode.reward_kind
        return space

    def _shards(self, space: np.ndarray) -> Iterator[tuple[int, Games]]:
        reader = Reader(self._folder, self.manifest, self.variant, space)
        for number in self._order(len(self.manifest.shards)).tolist():
            yield number, reader.read(number)

    def _order(self, count: int) -> np.ndarray:
        return np.arange(count) if self._rng is None else self._rng.permutation(count)


class _Batch:
    """The arrays of one batch, allocated at once and filled from one file or several."""

    def __init__(self, dataset: Dataset, look: _Look) -> None:
        variant, thoughts, rows = dataset.variant, dataset.manifest.thoughts, len(look.positions)
        actions, taught = variant.num_actions, dataset.manifest.teacher is not None
        self._look, self._thoughts, self._seen = look, thoughts, look.blank()
        self._shown = replaying.Shown(
            look.positions,  # the same for all batches: nobody is given these
            np.empty((rows, actions), np.int8),
            np.empty(rows, np.int64),
            np.empty(rows, np.int8),
            np.empty(rows, np.int64),
            np.empty(rows, np.int32),
            np.empty((len(thoughts), rows, actions), np.float32),
        )
        self._deciders, self._returns = np.empty(rows, np.int8), np.empty(rows, np.float32)
        self._totals = np.empty((rows, variant.players), np.int32)
        self._choices = np.empty(rows, np.int64) if taught else None
        self._values = np.empty(rows, np.float32) if taught else None

    def fill(self, games: Games, number: int, moves: Moves, space: np.ndarray, first: int) -> int:
        """Write decisions of games, which count from `number`, from row `first` on; returns the first empty row."""
        shown = self._shown
        end = int(replaying.show_games(self._look.board, moves, games.opinions, space, shown, first))
        rows = slice(first, end)
        self._look.see(rows, self._seen, shown.masks)
        of, movers = shown.games[rows], shown.movers[rows]
        self._deciders[rows], self._returns[rows] = games.deciders[of, movers], games.returns[of, movers]
        self._totals[rows] = games.totals[of]
        if self._choices is not None and self._values is not None:
            assert games.choices is not None and games.values is not None
            places = games.begins[of] + shown.steps[rows]
            self._choices[rows], self._values[rows] = games.choices[places], games.values[places]
        of += number
        return end

    def decisions(self, end: int) -> Decisions:
        """The rows before `end`."""
        rows, shown = slice(end), self._shown
        thoughts = {THOUGHTS[name]: shown.thoughts[place, rows] for place, name in enumerate(self._thoughts)}
        is_vector = isinstance(self._seen, np.ndarray)
        return Decisions(
            self._seen[rows] if is_vector else ActionFeatures(*(each[rows] for each in self._seen)),
            shown.masks[rows],
            shown.actions[rows],
            shown.movers[rows],
            self._deciders[rows],
            shown.games[rows],
            shown.steps[rows],
            self._returns[rows],
            self._totals[rows],
            None if self._choices is None else self._choices[rows],
            None if self._values is None else self._values[rows],
            **thoughts,
        )


class _Look:
    """What is seen of positions, and space to look at them."""

    def __init__(self, variant: Variant, sight: Sight, rows: int) -> None:
        self.board, self.positions = board(variant.map), np.zeros(rows, GAME)
        self._sight, self._size = sight, 0 if sight.with_actions else variant.observation_size(sight)
        self._plan, self._space = aligned(1, planning.PLAN), looking_space(1)

    def blank(self) -> Any:
        """New arrays for what is seen in all positions."""
        rows = len(self.positions)
        return ActionFeatures.blank(rows) if self._sight.with_actions else np.empty((rows, self._size), np.float32)

    def see(self, rows: slice, seen: Any, masks: np.ndarray) -> None:
        """Write what the players to move see in the positions of these rows and, where that is a vector, the masks."""
        chosen = np.arange(rows.start, rows.stop)
        if self._sight.with_actions:
            look_rows(self.positions, self.board, chosen, chosen, self._space, 0, seen)
            return
        with_planning, with_tolls = int(self._sight.with_planning), int(self._sight.tolls_visible)
        view_rows(self.positions, self.board, chosen, with_planning, with_tolls, self._plan, seen[rows], masks[rows])
