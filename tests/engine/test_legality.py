"""Counting claims, and finding the n-th of them, agrees with the mask; `engine/legal.py` says why there are both."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import maps
from ttr_env.engine import calls, layout
from ttr_env.engine.board import board
from ttr_env.engine.choices import count_claims, nth_claim
from ttr_env.engine.jit import entry as compiled
from ttr_env.engine.legal import has_claim
from ttr_env.engine.special import count_special, nth_special

LAKES = {
    "map": str(Path(__file__).parents[2] / "docs" / "lakes"),
    "players": 2,
    "tolls": False,
    "neutral_player": False,
}


@compiled
def count_one_by_one(games, boards, found):  # type: ignore[no-untyped-def]
    """Count in `found`, by action, the claims that counting finds; returns whether there should be any."""
    g, b = games[0], boards[0]
    player = g["player"]
    found[:] = 0
    for n in range(count_claims(g, b, player)):
        found[nth_claim(g, b, player, n)] += 1
    if b["special"] > 0:
        for n in range(count_special(g, b, player)):
            found[nth_special(g, b, player, n)] += 1
    return has_claim(g, b, player)


@pytest.mark.parametrize("options", [*EVERYWHERE, LAKES], ids=lambda options: Path(variant_name(options)).name)
def test_counting_finds_every_claim_of_the_mask_once(options: dict[str, Any]) -> None:
    boards = board(maps.load(options.get("map", "nederland")))
    games, source = np.zeros(1, layout.GAME), np.full(1, 5, np.uint64)
    mask, found = (np.zeros(boards[0]["actions"], np.int8) for _ in range(2))
    claims = slice(layout.CLAIM, layout.CLAIM + int(boards[0]["claims"]))
    compared = 0
    for seed in range(3):
        calls.start(games, 0, boards, np.uint64(seed), *(int(options[key]) for key in list(LAKES)[1:]))
        while games[0]["phase"] != layout.OVER:
            if games[0]["phase"] == layout.TURN:
                calls.mask(games, 0, boards, mask)
                assert count_one_by_one(games, boards, found) == mask[claims].any()
                assert (found[claims] == mask[claims]).all()
                compared += int(mask[claims].sum())
            calls.step(games, 0, boards, calls.pick(games, 0, boards, source))
    assert compared > 100
