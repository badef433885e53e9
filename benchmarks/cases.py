"""What is timed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import ttr_env
from ttr_env.agents.scorer import Scorer
from ttr_env.engine import calls, layout

from .environments import environment_cases
from .measure import Case, timed
from .networks import network_cases

PLAYERS = 4
SEED = 1

FIRST_STEP = {
    "Game": """
game = ttr_env.Game("nederland", players=4, seed=0)
game.step(int(game.legal_actions()[0]))
""",
    "Batch": """
batch = ttr_env.Batch("nederland", players=4, games=64)
batch.step(batch.sample())
""",
}


def cases(quick: bool, network: Scorer) -> Iterator[Case]:
    """All cases, some with this trained network; if `quick` less work, and not what takes long by nature."""
    effort = 1 if quick else 10
    yield playouts(games=100 * effort)
    for name in ("nederland", "nordic", "usa"):
        yield playouts(100 * effort, name, players=2)
    for features in ("base", "planning", "actions"):
        for games, threads in [(64, 1)] if quick else [(1, 1), (64, 1), (64, 2), (1024, 1), (1024, 2)]:
            yield batch(games, features, threads, decisions=6000 * effort)
    yield planner_playouts(games=20 * effort)
    yield steps(games=4 * effort)
    yield copies(1000 * effort)
    yield determinizations(1000 * effort)
    yield from network_cases(network, effort, with_loops=not quick)
    if not quick:
        yield from environment_cases(effort)
        for what in FIRST_STEP:
            yield from starts(what)


def playouts(games: int, name: str = "nederland", players: int = PLAYERS) -> Case:
    """Whole random games in one call, without masks and observations."""

    def run() -> tuple[float, float]:
        played: list[ttr_env.Playouts] = []
        seconds = timed(lambda: played.append(ttr_env.playouts(name, players=players, games=games, seed=SEED)))
        return played[0].decisions, seconds

    ttr_env.playouts(name, players=players, games=1)
    title = "" if name == "nederland" else f", {ttr_env.maps.load(name).title}"
    return Case(f"playouts{title}, {players} players", "decisions", run)


def planner_playouts(games: int) -> Case:
    """Games of two planners from a position in the middle of one, on one core."""
    game = ttr_env.Game("nederland", players=2, seed=SEED)
    whole = game.playout("planner", np.random.default_rng(SEED))
    start = ttr_env.Game.replay({**whole.record(), "actions": whole.actions[: len(whole.actions) // 2]})

    def run() -> tuple[float, float]:
        return games, timed(lambda: ttr_env.playouts(start=start, policy="planner", games=games, seed=SEED))

    run()
    return Case("playouts of planners from a position", "games", run)


def batch(games: int, features: str, threads: int, decisions: int) -> Case:
    """Random play of many games, with the mask and the observation of every decision."""
    rows = ttr_env.Batch("nederland", players=PLAYERS, games=games, features=features, threads=threads, seed=SEED)
    steps = max(1, decisions // games)

    def play() -> None:
        for _ in range(steps):
            rows.step(rows.sample())

    play()  # so that the games are at all stages
    name = f"Batch, {features}, {_count(games, 'game')}, {_count(threads, 'thread')}"
    return Case(name, "decisions", lambda: (steps * games, timed(play)))


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def random_actions(game: ttr_env.Game) -> list[int]:
    """Random legal actions from here to the end, which the game has reached then."""
    source = np.full(1, SEED, np.uint64)
    played = []
    while game.player >= 0:
        played.append(int(calls.pick(game.records, 0, game.board, source)))
        game.step(played[-1])
    return played


def steps(games: int) -> Case:
    """One game after the other, step by step from Python."""
    starts = [ttr_env.Game("nederland", players=PLAYERS, seed=seed) for seed in range(games)]
    actions = [random_actions(game.copy()) for game in starts]

    def run() -> tuple[float, float]:
        fresh = [game.copy() for game in starts]

        def play() -> None:
            for game, chosen in zip(fresh, actions, strict=True):
                for action in chosen:
                    game.step(action)

        return sum(map(len, actions)), timed(play)

    return Case("Game.step", "decisions", run)


def middle() -> ttr_env.Game:
    """A game half-way."""
    start = ttr_env.Game("nederland", players=PLAYERS, seed=SEED)
    game = start.copy()
    actions = random_actions(start)
    for action in actions[: len(actions) // 2]:
        game.step(action)
    return game


def copies(number: int) -> Case:
    """Copies of a game, its history included."""
    game = middle()
    return Case("Game.copy", "copies", lambda: (number, timed(lambda: [game.copy() for _ in range(number)])))


def determinizations(number: int) -> Case:
    """Copies with all that is hidden dealt anew."""
    game, rng = middle(), np.random.default_rng(SEED)
    game.determinize(0, rng)
    return Case(
        "Game.determinize",
        "copies",
        lambda: (number, timed(lambda: [game.determinize(0, rng) for _ in range(number)])),
    )


def starts(what: str) -> Iterator[Case]:
    """From the import to the first step in a fresh process: once without compiled kernels, then with them."""
    folder = tempfile.TemporaryDirectory(prefix="ttr_env-bench-")
    code = (
        f"import time\nbegin = time.perf_counter()\nimport ttr_env{FIRST_STEP[what]}print(time.perf_counter() - begin)"
    )

    def run() -> tuple[float, float]:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder.name}
        root = Path(ttr_env.__file__).parents[1]
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, cwd=root, check=True, capture_output=True, text=True
        )
        return 1, float(done.stdout)

    yield Case(f"import to first step of {what}, cold", "starts", run, most_repeats=1)
    yield Case(f"import to first step of {what}, cached", "starts", run)


def facts(quick: bool) -> dict[str, float]:
    """What is counted, not timed."""
    games = 200 if quick else 2000
    played = {
        f"mean decisions in a random game of {players}": ttr_env.playouts(
            "nederland", players=players, games=games, seed=SEED
        ).decisions
        / games
        for players in (2, 3, 4, 5)
    }
    return {**played, "bytes of a game": layout.GAME.itemsize}
