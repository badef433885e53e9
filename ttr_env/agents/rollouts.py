"""Games played to their end from any position, for searches and statistics: compiled wherever the players can be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from ttr_env.agents.base import Actor, act_in_rows
from ttr_env.agents.inside import inside
from ttr_env.agents.playing import make_all
from ttr_env.batch import Batch
from ttr_env.batch.playout import Playouts, random_playouts
from ttr_env.engine import calls
from ttr_env.game import Game
from ttr_env.options import GameOptions, MapLike, Variant, check_generator, check_seed, positive

Policy = str | Actor | Sequence[str | Actor]

_CARDS, _PLAYERS = 0, 1  # what seeds are derived for


def playouts(
    map: MapLike | None = None,
    *,
    games: int = 1000,
    seed: int = 0,
    start: Game | None = None,
    policy: Policy = "random",
    threads: int = 1,
    **options: Unpack[GameOptions],
) -> Playouts:
    """Play games to their end, from the deal or from a position.

    Args:
        map: the name of a built-in map, the folder of your own, or a `Map`; by default Nederland.
        games: how many.
        seed: what the deals, or the cards to come, and the players' chance depend on.
        start: a game to go on from, each time with other cards to come. It stays as it is, and its hidden cards are
            used: a player that must not know them gives a `determinize`d one.
        policy: who plays, by name (`ttr_env.agents`) or as an agent: one for all seats, or a list by seat. Bots and
            networks that score candidates play in compiled code, others are asked.
        threads: how many processor threads share the games; those at random from the deal take one.
        options: `players`, `tolls` and `neutral_player`, as for a `Game`.

    >>> playouts("nederland", players=4, games=10, seed=0).totals.shape
    (10, 4)
    >>> game = Game("nederland", players=2, seed=7)
    >>> playouts(start=game, games=10, policy=["planner", "racer"]).totals.shape
    (10, 2)
    """
    if start is not None and (map is not None or options):
        raise ValueError(f"start: the game brings its map and options; leave out {', '.join(['map', *options])}")
    if start is None and policy == "random":
        return random_playouts(map or "nederland", games=games, seed=seed, **options)
    count, number = positive(games, "games"), np.uint64(check_seed(seed))
    if start is None:
        variant = Variant.of(map or "nederland", **options)
        begun = [Game.deal(variant, calls.derive(number, row, _CARDS)) for row in range(count)]
    else:
        begun = [start.branch(calls.derive(number, row, _CARDS)) for row in range(count)]
    batch = _finish(begun, policy, int(number), threads)
    return Playouts(int(batch.lengths.sum()), batch.totals.copy())


def play_out(game: Game, policy: Policy, rng: np.random.Generator) -> Game:
    """A copy of a game that is played to its end: `Game.playout`."""
    cards, players = check_generator(rng).integers(2**63, size=2).tolist()
    return _finish([game.branch(cards)], policy, players, keep_history=True).game(0)


def _finish(games: Sequence[Game], policy: Policy, seed: int, threads: int = 1, keep_history: bool = False) -> Batch:
    """A batch in which these games have been played to their end."""
    variant = games[0].variant
    actors = make_all(_by_seat(policy, variant.players), seed, variant.map)
    bots = [inside(actor, variant.map) for actor in actors]
    batch = Batch.from_games(
        games, seed=seed, bots=bots, autoreset=False, views=False, threads=threads, keep_history=keep_history
    )
    asked = [seat for seat, bot in enumerate(bots) if bot is None]
    while not batch.done.all():
        for seat in asked:
            rows = np.flatnonzero((batch.movers == seat) & ~batch.done)
            if len(rows):
                batch.step(act_in_rows(actors[seat], batch, rows), rows)
    return batch


def _by_seat(policy: Policy, players: int) -> list[str | Actor]:
    if isinstance(policy, str | Actor):
        return [policy] * players
    if len(policy) != players:
        raise ValueError(f"policy: one agent, or a list of {players} by seat, is needed, not {policy!r}")
    return list(policy)
