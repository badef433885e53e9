"""Snapshots and records."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import numpy as np

from tests.fuzz.kinds.base import Kind, check
from tests.fuzz.mutating import damage_json
from ttr_env import Game, maps, render
from ttr_env.errors import RecordError, SnapshotError
from ttr_env.game import records

TABLES: list[dict[str, Any]] = [
    {"map": "nederland", "players": 3},
    {"map": "nederland", "players": 2, "neutral_player": True},
    {"map": "nederland", "players": 2, "tolls": False},
    {"map": "nordic", "players": 3},
    {"map": "usa", "players": 5},
]


def games(each: int = 4) -> list[Game]:
    """Positions of every map, from the deal to the end."""
    found = []
    for seed, options in enumerate(TABLES):
        rng = np.random.default_rng(seed)
        for stop in (0, 1, *(int(number) for number in rng.integers(5, 150, size=each - 3)), 10_000):
            game = Game(**options, seed=seed)
            while not game.over and len(game.actions) < stop:
                game.step(int(rng.choice(game.legal_actions())))
            found.append(game)
    return found


def check_game(game: Game) -> None:
    """A game that was taken from outside plays on, is seen, drawn and saved like any other."""
    saved = game.snapshot()
    check(Game.from_snapshot(saved).snapshot() == saved, "its snapshot is another one when it is taken anew")
    rng = np.random.default_rng(0)
    for _ in range(12):
        if game.over:
            check(min(seat["rank"] for seat in game.result()["seats"]) == 1, "nobody has won")
            break
        check(np.isfinite(game.observe(game.player, "planning")).all(), "an observation is not finite")
        game.information_state(game.player)
        game.step(int(rng.choice(game.legal_actions())))
    if rng.random() < 0.1:
        render.to_text(game)


class Positions(Kind):
    """Games as JSON."""

    _seeds: list[bytes]

    def seeds(self) -> list[bytes]:
        return self._seeds

    def damage(self, data: bytes, rng: Random) -> bytes:
        return damage_json(data, rng)

    def read(self, data: bytes) -> Any:
        """What an input says; a text, which is no game either, where it is no JSON."""
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            return data.decode("latin-1")


class Snapshots(Positions):
    """Snapshots, to `Game.from_snapshot`."""

    allowed = (SnapshotError,)

    def prepare(self) -> None:
        self._seeds = [json.dumps(game.snapshot()).encode() for game in games()]

    def give(self, data: bytes) -> None:
        check_game(Game.from_snapshot(self.read(data)))


class Records(Positions):
    """Records, to `Game.replay`; names of players, and what begins a game, are part of them."""

    allowed = (RecordError,)

    def prepare(self) -> None:
        self._seeds = []
        for game in games():
            record: dict[str, Any] = {**game.record(), "agents": ["planner"] * game.players}
            later: dict[str, Any] = {**Game.from_snapshot(game.snapshot()).record()}
            self._seeds += [json.dumps(record).encode(), json.dumps(later).encode()]
        self._maps = set(maps.names())

    def give(self, data: bytes) -> None:
        record = self.read(data)
        game = Game.replay(record)
        names = records.names(record)
        check(len(names) == game.players, "there is not a name for every player")
        check(all(name.isprintable() for name in names), "a name steers the terminal")
        check_game(game)
