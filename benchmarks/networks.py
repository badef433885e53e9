"""Networks that score candidates: one decision, whole games that they play, and the two ways of training them.

A trained network is needed. One with random weights plays games in which there are far fewer candidates.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import ttr_env
from ttr_env.agents import policy_file
from ttr_env.agents.champion import network_for
from ttr_env.agents.scorer import Scorer
from ttr_env.agents.scoring import ScoringAgent

from .measure import Case, timed

PLAYERS = 2
SEED = 1

ONE_THREAD, TWO_THREADS = (f"self-play, recorded, {threads}" for threads in ("1 thread", "2 threads"))
STEPPING, WHOLE_GAMES = "whole loop, MaskablePPO, stepping", "whole loop, SelfPlayPPO, whole games"

# What is compared within a run: how many times as fast the first is as the second.
COMPARED = {
    "self-play with 2 threads, to 1": (TWO_THREADS, ONE_THREAD),
    "learning from whole games, to stepping": (WHOLE_GAMES, STEPPING),
}


def trained(path: Path | None = None) -> Scorer:
    """The network that is measured: that of a policy file, or else the champion's."""
    return network_for("nederland") if path is None else policy_file.load_scorer(path)


def network_cases(network: Scorer, effort: int, with_loops: bool) -> Iterator[Case]:
    """What a network does; if `with_loops` also how it learns, where the libraries for that are there."""
    yield decisions(network, games=effort)
    if find_spec("sb3_contrib"):
        yield self_play(network, ONE_THREAD, 1, games=20 * effort)
        yield self_play(network, TWO_THREADS, 2, games=20 * effort)
    if find_spec("sb3_contrib") and with_loops:
        from .loops import stepping, whole_games

        yield stepping(STEPPING, network, games=26 * effort)
        yield whole_games(WHOLE_GAMES, network, games=26 * effort)


def decisions(network: Scorer, games: int) -> Case:
    """One decision after the other, asked for from Python, at positions throughout games of the network itself."""
    agent = ScoringAgent(network)
    positions = []
    for seed in range(games):
        game = ttr_env.Game(players=PLAYERS, seed=seed)
        while game.player >= 0:
            positions.append(game.copy())
            game.step(agent.act(game))

    def decide() -> None:
        for position in positions:
            agent.act(position)

    return Case("policy file, one decision from Python", "decisions", lambda: (len(positions), timed(decide)))


def self_play(network: Scorer, name: str, threads: int, games: int) -> Case:
    """Whole games with the network in all seats, in compiled code; every decision is recorded to be learned from."""
    from ttr_env.learning.selfplay import Played, Player, make_jobs, seat_learner
    from ttr_env.options import Variant

    table = Variant.of(players=PLAYERS)
    player = Player(table, threads)
    player.pool[0] = network.weights(temperature=1.0)[0]
    jobs = make_jobs(games, [table], np.random.default_rng(SEED))
    seat_learner(jobs)

    def run() -> tuple[float, float]:
        player.play(jobs)  # so that there is memory for all of it, which other cases may have taken
        played: list[Played] = []
        seconds = timed(lambda: played.append(player.play(jobs)))
        return len(played[0]), seconds

    return Case(name, "decisions", run)
