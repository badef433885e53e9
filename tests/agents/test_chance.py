"""What agents are told of chance: a seed of their own, from which nobody gets back to the deal."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ttr_env import Game, agents, arena, data, llm
from ttr_env.agents.chance import own_seed
from ttr_env.engine import calls

SEED = 1_234_567_890_123  # too far to be tried out
told: list[int] = []


class Listening:
    """Keeps the seed that it is told, and takes the first legal action."""

    def __init__(self, seed: int) -> None:
        told.append(seed)

    def act(self, game: Game) -> int:
        return int(game.legal_actions()[0])


LISTENING = f"{__name__}:Listening"


def deals_within_reach(seed: int) -> set[int]:
    """The seeds of deals that somebody would try who was told this one."""
    near = {seed + step for step in range(-8, 9)} | {seed - 2**32}
    derived = {int(calls.derive(np.uint64(each % 2**64), row, 0)) for each in near for row in range(16)}
    return near | derived


def of_play(folder: Path) -> set[int]:
    agents.play(Game("mini", players=2, seed=SEED), [LISTENING, LISTENING])
    return {SEED}


def of_an_arena(folder: Path) -> set[int]:
    arena.evaluate([LISTENING], against=["random"], map="mini", games=2, seed=SEED, blind=True)
    return {int(calls.derive(np.uint64(SEED), row, 0)) for row in range(4)} | {SEED}


def of_a_model(folder: Path) -> set[int]:
    llm.Episode("mini", players=2, seed=SEED, opponents=LISTENING)
    return {SEED}


def of_a_data_set(folder: Path) -> set[int]:
    manifest = data.write(folder, [LISTENING, "random"], 4, "mini")
    return {manifest.deal_seed(game) for game in range(4)}


@pytest.mark.parametrize("playing", [of_play, of_an_arena, of_a_model, of_a_data_set])
def test_an_agents_seed_does_not_lead_to_the_deal(playing: object, tmp_path: Path) -> None:
    assert callable(playing)
    told.clear()
    deals = playing(tmp_path / "data")
    assert told
    assert not deals & set().union(*map(deals_within_reach, told))


def test_each_place_has_its_own() -> None:
    seeds = [own_seed(seed, *place) for seed in range(50) for place in [(), (0,), (1,), (0, 1), (10,)]]
    assert len(set(seeds)) == len(seeds)
    assert max(seeds) < 2**53  # exact in everybody's JSON
