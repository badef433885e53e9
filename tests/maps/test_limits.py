"""Boards at the limits: whatever the loader takes is played to its end, drawn, saved and scored."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ttr_env import Batch, Game, maps, playouts, render
from ttr_env.bots.built_in import BOTS
from ttr_env.errors import MapError
from ttr_env.maps import Map
from ttr_env.maps.model import COLOURS, GREY, NeutralRules, PathRules

BOARDS = int(os.environ.get("TTR_BOARDS", "12"))  # 2000 for the whole run
REFUSED = "row_reset|train cards|trains: is|tokens: is"  # what a board at the limits may be


def rule_changes(rng: np.random.Generator, board: Map) -> dict[str, Any]:
    """Numbers of `map.toml` from one end of what they can be to the other."""
    cards = dataclasses.replace(
        board.rules.cards,
        per_colour=int(rng.choice([1, 4, 12, 14])),
        locomotives=int(rng.choice([0, 1, 14])),
        hand=int(rng.choice([0, 1, 4])),
        row=int(rng.choice([0, 1, 5, 9])),
        row_reset=int(rng.choice([0, 2, 3, 9])),
        locomotive_ends_draw=bool(rng.integers(2)),
        plain_locomotives=bool(rng.integers(2)),
    )
    points = {length: int(rng.choice([0, 1, 127])) for length in board.rules.route_points}
    changes: dict[str, Any] = {"cards": cards, "route_points": points, "most_tickets": int(rng.choice([0, 10]))}
    if board.rules.tolls is None:
        changes["longest_path"] = PathRules(bonus=int(rng.choice([0, 10])))
    elif all(partner is None for partner in board.partners):
        changes["neutral"] = NeutralRules(trains=int(rng.choice([1, 40])), first_round=1)
    return changes


def board(seed: int) -> Map:
    """A made board, with rules and tracks changed."""
    rng = np.random.default_rng(seed)
    cities = int(rng.integers(4, 65))
    trains = int(rng.choice([1, 5, 20, 45, 127]))
    made = maps.generate(seed, cities, trains=trains, tolls=bool(rng.integers(2)), tunnels=int(rng.integers(3)))
    tracks = [
        dataclasses.replace(
            track,
            length=1 if rng.integers(3) else track.length,
            colour=str(rng.choice([*COLOURS, GREY])),
        )
        for track in made.tracks
    ]
    rules = dataclasses.replace(made.rules, **rule_changes(rng, made))
    return dataclasses.replace(made, name=f"limits {seed}", tracks=tuple(tracks), rules=rules)


def check(made: Map, seed: int, folder: Path) -> bool:
    """Save, load, play, draw and score a board; false if the loader refuses it."""
    made.save(folder)
    try:
        loaded = maps.load(folder)
    except MapError as error:
        assert any(word in str(error) for word in REFUSED.split("|")), error
        return False
    assert loaded.digest == made.digest
    players = 2 + seed % (loaded.rules.players[1] - 1)
    assert playouts(loaded, players=players, games=4, seed=seed).totals.shape == (4, players)
    batch = Batch(loaded, 4, players=players, bots=(), autoreset=False, features="planning")
    assert batch.line_up is not None
    batch.line_up[:] = np.random.default_rng(seed).integers(len(BOTS), size=batch.line_up.shape)
    batch.deal(np.arange(4), range(4))
    assert batch.done.all() and np.isfinite(batch.final_observations).all()
    for row in range(4):
        game = batch.game(row)
        if batch.truncated[row]:  # bots that try the same tunnel for ever: the rules allow it, and chance ends it
            game = game.playout("random", np.random.default_rng(seed))
        assert sorted(seat["rank"] for seat in game.result()["seats"])[0] == 1
        assert Game.from_snapshot(game.snapshot()).result() == game.result()
    halfway = Game(loaded, players=players, seed=seed)
    while not halfway.over and len(halfway.actions) < 20 * players:
        halfway.step(int(halfway.legal_actions()[-1]))
    assert np.isfinite(halfway.action_features().state).all() and np.isfinite(halfway.observe(0, "planning")).all()
    assert Game.replay(halfway.record()).snapshot() == halfway.snapshot()
    assert render.to_svg(halfway).startswith("<svg") and render.to_text(halfway)
    return True


@pytest.mark.slow
def test_boards_at_the_limits_are_played_drawn_saved_and_scored(tmp_path: Path) -> None:
    sound = seed = 0
    while sound < BOARDS:
        sound += check(board(seed), seed, tmp_path / str(seed))
        seed += 1
    print(f"{sound} of {seed} boards were sound, the others were refused")
    assert seed < 4 * BOARDS
