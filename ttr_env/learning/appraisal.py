"""What positions are worth to a network that scores actions, by how games against itself end.

A critic in training may know what is hidden, and its units are those of the rewards; this knows what the player to move
sees, and its numbers are those of every search: 0 is a clear loss, 1 a clear win.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import nn

from ttr_env.agents.scorer import Layer, Scorer
from ttr_env.bots.features.columns import STATE
from ttr_env.learning.selfplay import Player, Reward, make_jobs, seat_learner
from ttr_env.learning.torch_parts import linear_layers, stack
from ttr_env.options import Variant

UNITS = [128, 64]
TEMPERATURE = 0.5  # at which it plays: nearly its best, and yet into many kinds of positions
KEPT = 0.25  # part of the decisions: those of one game end alike, so that a few of each tell nearly as much
GAMES_AT_ONCE = 512
EPOCHS = 4
BATCH = 1024
LEARNING_RATE = 3e-3

Progress = Callable[[int, int], None]


def with_value(
    scorer: Scorer,
    tables: Sequence[Variant],
    games: int,
    *,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
) -> Scorer:
    """The same player, who now also knows what positions are worth, from so many games against itself.

    `progress` is told again and again how many games are finished, and how many there are.

    >>> scorer = with_value(Scorer.random(np.random.default_rng(0)), [Variant.of("nederland")], games=8)
    >>> bool(0 < scorer.values(np.zeros((1, len(STATE))))[0] < 1)
    True
    """
    rng = np.random.default_rng([seed, games])
    states, ends = zip(*_positions(scorer, tables, games, rng, threads, progress), strict=True)
    return replace(scorer, value=_fitted(np.concatenate(states), np.concatenate(ends), seed))


def _positions(
    scorer: Scorer,
    tables: Sequence[Variant],
    games: int,
    rng: np.random.Generator,
    threads: int,
    progress: Progress | None,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """States of games against itself, in half precision, and how these games ended for who was to move."""
    player = Player(tables, threads)
    player.pool[0] = scorer.weights(TEMPERATURE)[0]
    for first in range(0, games, GAMES_AT_ONCE):
        jobs = make_jobs(min(GAMES_AT_ONCE, games - first), tables, rng)
        seat_learner(jobs)
        played = player.play(jobs)
        kept = rng.random(len(played)) < KEPT
        ends = 0.5 + 0.5 * Reward(margin=1.0).of(jobs)[played.games[kept], played.seats[kept]]
        yield played.states[kept].astype(np.float16), ends.astype(np.float32)
        if progress:
            progress(first + len(jobs), games)


def _fitted(states: np.ndarray, ends: np.ndarray, seed: int) -> tuple[Layer, ...]:
    """Layers that tell from a state how the game is likely to end."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = nn.Sequential(stack(len(STATE), UNITS, "relu"), nn.Linear(UNITS[-1], 1))
        seen, target = torch.from_numpy(states), torch.from_numpy(ends)
        steps = EPOCHS * -(-len(seen) // BATCH)
        optimizer = torch.optim.Adam(network.parameters())
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=steps)
        for _ in range(EPOCHS):
            for chosen in torch.randperm(len(seen)).split(BATCH):
                told = network(seen[chosen].float()).squeeze(1)
                loss = nn.functional.binary_cross_entropy_with_logits(told, target[chosen])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                schedule.step()
    return tuple(linear_layers(network))
