"""Bots choose legal actions, on every board: the compiled loop judges each of them, and names who does not."""

from __future__ import annotations

import dataclasses
import os
import re

import numpy as np
import pytest

from ttr_env import Batch, Game, agents, maps
from ttr_env.agents.scorer import Scorer
from ttr_env.batch.selfplay import JOB
from ttr_env.bots.built_in import BOTS, FIRST_NETWORK
from ttr_env.errors import IllegalAction
from ttr_env.learning.selfplay import check_legal
from ttr_env.maps import Map
from ttr_env.maps.model import COLOURS, GREY

DECISIONS = int(os.environ.get("TTR_DECISIONS", "60_000"))  # 5_000_000 for the whole run
FEW = 6  # trains: a tenth of the decisions are made with fewer


def board(rng: np.random.Generator, trains: int) -> Map:
    """A board whose double routes have tracks of different lengths and colours, which is where few trains matter."""
    seed, cities = int(rng.integers(2**32)), int(rng.integers(5, 40))
    special = {"tunnels": int(rng.integers(3)), "ferries": int(rng.integers(3))}
    plain = maps.generate(seed, cities, trains=trains, doubles=int(rng.integers(cities // 2)), **special)
    lengths = sorted(plain.rules.route_points)
    tracks = [
        track
        if partner is None
        else dataclasses.replace(
            track, length=max(track.ferry, int(rng.choice(lengths))), colour=str(rng.choice([*COLOURS, GREY]))
        )
        for track, partner in zip(plain.tracks, plain.partners, strict=True)
    ]
    return dataclasses.replace(plain, name=f"unequal doubles of {plain.name}", tracks=tuple(tracks))


def play(map: Map, rng: np.random.Generator, network: np.ndarray) -> int:
    """Let bots drawn at random play in all seats; how many decisions were made."""
    players = int(rng.integers(2, map.rules.players[1] + 1))
    batch = Batch(map, 32, players=players, bots=(), autoreset=False, views=False)
    batch.enlist(network)
    assert batch.line_up is not None
    batch.line_up[:] = rng.integers(FIRST_NETWORK + 1, size=batch.line_up.shape)
    batch.deal(np.arange(32), rng.integers(2**63, size=32).tolist())
    assert batch.done.all() and (batch.records["trains"] >= 0).all()
    return int(batch.lengths.sum())


@pytest.mark.slow
def test_bots_are_legal_on_boards_with_few_trains() -> None:
    rng = np.random.default_rng(1)
    network = Scorer.random(rng, 8, 4).weights(temperature=1.0)
    made = few = 0
    while made < DECISIONS or few < DECISIONS // 10:
        with_few = few < DECISIONS // 10
        decisions = play(board(rng, int(rng.integers(1, FEW if with_few else 46))), rng, network)
        made += decisions
        few += decisions if with_few else 0
    print(f"{made:,} decisions of bots were judged, {few:,} of them with fewer than {FEW} trains")


@pytest.mark.parametrize("version", ["planner", "planner:version=1"])
def test_a_planner_does_not_claim_the_longer_track_of_a_route(version: str) -> None:
    """It has the cards for the second track of its route, and trains for the first alone."""
    nordic = maps.load("nordic")
    unequal = [
        (track, partner)
        for track, partner in enumerate(nordic.partners)
        if partner is not None and nordic.tracks[track].length < nordic.tracks[partner].length
    ]
    assert unequal
    rng = np.random.default_rng(0)
    for _ in range(30):
        few = dataclasses.replace(nordic.rules, trains=max(nordic.tracks[track].length for track, _ in unequal))
        play_on = Game(dataclasses.replace(nordic, rules=few), players=2, seed=int(rng.integers(2**32)))
        agents.play(play_on, [version, version])
        assert play_on.over


def test_an_illegal_action_of_a_bot_is_named_by_bot_and_row() -> None:
    batch = Batch("nederland", games=4, bots=[None, "planner"], seed=0)
    batch.records["offered"][2, 1] = 0  # the planner will have nothing to choose from
    actions = batch.sample().copy()
    message = "row 2: the bot planner chose an illegal action, and the row stays there until it is dealt anew"
    with pytest.raises(IllegalAction, match=message) as refused:
        batch.step(actions)
    assert (refused.value.row, refused.value.bot) == (2, "the bot planner")
    assert batch.game(2).player == 1, "the action was not taken"
    batch.restart([2], [7])
    batch.step(batch.sample())


def test_so_it_is_with_threads_and_with_a_network() -> None:
    batch = Batch("nederland", games=512, bots=[None, Scorer.random(np.random.default_rng(0)).weights()], threads=2)
    batch.records["offered"][300, 1] = 0
    with pytest.raises(IllegalAction, match="row 300: network 0 chose an illegal action"):
        batch.step(batch.sample())


def test_self_play_names_who_it_was() -> None:
    jobs = np.zeros(3, JOB)
    jobs["illegal"] = -1
    check_legal(jobs)
    jobs["illegal"][1], jobs["wrong_seat"][1], jobs["seats"][1] = 4, 1, [0, BOTS.index("racer"), 0, 0, 0]
    with pytest.raises(
        IllegalAction, match=re.escape("row 1, the deal of seed 0: the bot racer chose an illegal action, 4")
    ):
        check_legal(jobs)
