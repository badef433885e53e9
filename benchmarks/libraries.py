"""The game through other people's libraries, in one run: `python -m benchmarks.libraries`.

What is measured depends on which of them are installed (`benchmarks/adapters.py`). OpenSpiel and TorchRL are measured
beside what they offer themselves.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

import ttr_env

from .adapters import adapter_cases
from .measure import Case, Timing, measure, timed

SEED = 1
OURS, GIN_RUMMY = "OpenSpiel: ttr, 2 players", "OpenSpiel: gin_rummy"
BATCHED, WRAPPED = "TorchRL: BatchEnv of 1,024 in a collector", "TorchRL: PettingZooWrapper"

# What is compared within a run: how many times as fast the first is as the second.
COMPARED = ((OURS, GIN_RUMMY), (BATCHED, WRAPPED))


def main(arguments: Sequence[str] | None = None) -> dict[str, float]:
    """Measure, print a table, and return the ratios by the name of the quicker case."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.libraries", description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=7, metavar="N", help="how often each measurement is made")
    parser.add_argument("--effort", type=int, default=10, metavar="N", help="how much is done in each")
    parser.add_argument("--only", default="", metavar="TEXT", help="measure what has this in its name")
    options = parser.parse_args(arguments)
    timings, _ = measure(list(cases(options.effort, options.only)), options.repeats)
    for timing in timings:  # the best of all rounds: what else the machine does makes the others slower
        print(f"{timing.case.name:<44}{1 / min(timing.seconds):>14,.0f} {timing.case.unit} a second")
    found = ratios(timings)
    for name, ratio in found.items():
        print(f"{name}: {ratio:.2f}x {dict(COMPARED)[name]}")
    return found


def ratios(timings: Sequence[Timing]) -> dict[str, float]:
    """The median ratio of repeats that were made side by side."""
    seconds = {timing.case.name: timing.seconds for timing in timings}
    return {
        one: statistics.median(slow / fast for fast, slow in zip(seconds[one], seconds[other], strict=True))
        for one, other in COMPARED
        if one in seconds
    }


def cases(effort: int, only: str = "") -> Iterator[Case]:
    """The cases of the libraries that are installed, of those with `only` in their names."""
    yield from adapter_cases(effort, only)
    if find_spec("pyspiel") and only.lower() in "openspiel":
        yield openspiel(OURS, "ttr", 200 * effort)
        yield openspiel(GIN_RUMMY, "gin_rummy", 200 * effort)
    if find_spec("torchrl") and only.lower() in "torchrl":
        yield collector(steps=2 * effort)
        yield wrapper(steps=20 * effort)


def openspiel(name: str, game: str, steps: int) -> Case:
    """Random play by OpenSpiel's usual calls, with the mask and the tensor of the player to move."""
    import pyspiel
    from open_spiel.python.observation import make_observation

    import ttr_env.openspiel  # noqa: F401 - registers the game

    loaded, chance = pyspiel.load_game(game), random.Random(SEED)
    observation = make_observation(loaded)

    def play() -> None:
        state, taken = loaded.new_initial_state(), 0
        while taken < steps:
            if state.is_terminal():
                state = loaded.new_initial_state()
            elif state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, chances)[0])
            else:
                observation.set_from(state, state.current_player())
                state.legal_actions_mask()
                state.apply_action(chance.choice(state.legal_actions()))
                taken += 1

    play()
    return Case(name, "steps", lambda: (steps, timed(play)))


def collector(steps: int, games: int = 1024) -> Case:
    """TorchRL's collector with a random policy over a batch of games; batches of steps are as large as a PPO step's."""
    from torchrl.collectors import Collector

    from ttr_env.torchrl import BatchEnv

    env = BatchEnv("nederland", games=games, players=2, seed=SEED)
    batches: Any = iter(Collector(env, env.sample, frames_per_batch=steps * games, total_frames=-1))
    next(batches)
    return Case(BATCHED, "decisions", lambda: (steps * games, timed(lambda: next(batches))))


def wrapper(steps: int) -> Case:
    """TorchRL's own wrapper around the PettingZoo environment, with a random policy."""
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper

    env = PettingZooWrapper(ttr_env.env(players=2), use_mask=True)
    env.set_seed(SEED)
    env.rollout(2)
    return Case(WRAPPED, "decisions", lambda: (steps, timed(lambda: env.rollout(steps, break_when_any_done=False))))


if __name__ == "__main__":
    main()
