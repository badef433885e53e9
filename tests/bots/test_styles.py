"""Styles that are made to trouble others: each does what its name says."""

from pathlib import Path

import numpy as np
import pytest

from ttr_env import Game, agents
from ttr_env.arena.tables import Table
from ttr_env.bots.beliefs import FIRST, PLAYERS, STYLES, TUNED
from ttr_env.bots.built_in import BOTS, HELD_OUT
from ttr_env.bots.likeness import map_like
from ttr_env.engine.scoring import PARTS
from ttr_env.maps import load
from ttr_env.maps.model import Track
from ttr_env.options import Variant


def means(tmp_path: Path, first: str, second: str, games: int = 200) -> dict[str, float]:
    """What the first of two agents scores, part by part."""
    table = Table((first, second), Variant.of("nederland", players=2), seed=3, folder=tmp_path)
    for _ in table.play(games):
        pass
    return dict(zip(PARTS, table.played().scores[:, 0, : len(PARTS)].mean(axis=0), strict=True))


def test_the_ticket_hoarder_completes_more_tickets(tmp_path: Path) -> None:
    assert (
        means(tmp_path, "ticket_hoarder", "racer")["completed"] > 1.4 * means(tmp_path, "planner", "racer")["completed"]
    )


def test_the_toll_hoarder_has_the_toll_bonus(tmp_path: Path) -> None:
    first = means(tmp_path, "planner:version=1", "ticket_hoarder")["toll_bonus"]
    assert means(tmp_path, "toll_hoarder", "ticket_hoarder")["toll_bonus"] > max(20, first)


def test_the_blocker_claims_what_joins_two_parts_of_another() -> None:
    """In games of planners, where it would claim something else than they do, that track joins two of their parts."""
    blocker, planner = agents.make("blocker"), agents.make("planner")
    blocked = 0
    for seed in range(30):
        game = Game("nederland", players=2, seed=seed)
        while not game.over:
            action, plain = blocker.act(game), planner.act(game)
            if action != plain:
                track = game.map.tracks[game.describe(action).track]
                assert joins(game, track, 1 - game.player)
                blocked += 1
            game.step(plain)
    assert blocked > 20


def joins(game: Game, track: Track, seat: int) -> bool:
    """Whether a track lies between two parts of a seat's network that nothing joins yet."""
    label = np.arange(len(game.map.cities))
    owners = game.information_state(seat)["owners"]
    touched = set()
    for owned, owner in zip(game.map.tracks, owners, strict=True):
        if owner == seat:
            label[label == label[owned.b]] = label[owned.a]
            touched |= {owned.a, owned.b}
    return {track.a, track.b} <= touched and label[track.a] != label[track.b]


def test_they_are_bots_and_held_out() -> None:
    assert set(HELD_OUT) == set(STYLES) - {"planner", "planner:version=1"}
    assert set(HELD_OUT) < set(BOTS)


@pytest.mark.parametrize("name", TUNED)
def test_every_large_map_has_beliefs_of_its_own(name: str) -> None:
    assert map_like(load(name)) == name
    assert set(TUNED[name]) == set(PLAYERS)
    assert TUNED[name][2] != FIRST
