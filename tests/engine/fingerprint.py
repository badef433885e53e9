"""What some games look like from beginning to end, as digests: `python -m tests.engine.fingerprint` prints them."""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any

import numpy as np

from tests.variants import variant_name
from ttr_env import Batch, Game, playouts

OPTIONS = [
    {"players": 2, "tolls": True, "neutral_player": True},
    {"players": 3, "tolls": False, "neutral_player": False},
    {"players": 5, "tolls": True, "neutral_player": False},
    {"map": "nordic", "players": 2, "tolls": False, "neutral_player": False},
    {"map": "usa", "players": 3, "tolls": False, "neutral_player": False},
]


def digest(*parts: Any) -> str:
    text = json.dumps([part.tolist() if isinstance(part, np.ndarray) else part for part in parts])
    return hashlib.sha256(text.encode()).hexdigest()


def of_a_game(options: dict[str, Any]) -> str:
    """Random choices to the end; now and then every seat looks at the game."""
    game, rng = Game(seed=11, **options), random.Random(5)
    seen = []
    while game.player >= 0:
        actions = game.legal_actions()
        seen.append(digest(actions))
        if len(seen) % 15 == 0:
            for seat in range(game.players):
                seen.append(digest(game.observe(seat), game.observe(seat, "planning", tolls_visible=True)))
                other_deal = game.determinize(seat, np.random.default_rng(len(seen)))
                seen.append(digest(other_deal.snapshot()))
        game.step(rng.choice(actions.tolist()))
    return digest(seen, game.snapshot(), game.result())


def of_playouts(options: dict[str, Any]) -> str:
    played = playouts(games=1, seed=3, **options)
    return digest(played.decisions, played.totals)


def of_a_batch(options: dict[str, Any]) -> str:
    batch = Batch(games=2, seed=4, features="planning", reward="dense", max_decisions=15, **options)
    seen = []
    for _ in range(20):
        batch.step(batch.sample())
        seen.append(digest(batch.observations, batch.masks, batch.rewards, batch.done, batch.totals))
    return digest(seen)


def all_fingerprints() -> dict[str, str]:
    return {
        f"{variant_name(options)} {kind.__name__}": kind(options)
        for options in OPTIONS
        for kind in (of_a_game, of_playouts, of_a_batch)
    }


if __name__ == "__main__":
    print(json.dumps(all_fingerprints()))
