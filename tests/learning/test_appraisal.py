"""What positions are worth, learned from how games end."""

import numpy as np
import pytest

from tests.helpers.networks import random_scorer
from ttr_env.agents.champion import network_for
from ttr_env.bots.features.columns import STATE
from ttr_env.learning.appraisal import with_value
from ttr_env.learning.selfplay import Player, Reward, make_jobs, seat_learner
from ttr_env.options import Variant

TABLES = [Variant.of("nederland", players=2), Variant.of("nederland", players=3)]


def test_the_player_stays_the_same_and_the_seed_decides() -> None:
    scorer, told = random_scorer(), []
    first, again, other = (with_value(scorer, TABLES, 24, seed=seed, threads=2) for seed in (1, 1, 2))
    assert first.weights().tobytes() == scorer.weights().tobytes() and first.games == scorer.games
    states = np.random.default_rng(0).random((5, len(STATE)), np.float32)
    assert first.values(states).tolist() == again.values(states).tolist() != other.values(states).tolist()
    with_value(scorer, TABLES, 600, progress=lambda finished, total: told.append((finished, total)))
    assert told == [(512, 600), (600, 600)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nederland", "usa", "nordic"])
def test_the_champions_know_what_positions_are_worth(name: str) -> None:
    """They tell better than the mean who wins, most of all late in a game, and are right on the average."""
    champion, variant = network_for(name), Variant.of(name, players=2)
    player = Player(variant, threads=2)
    player.pool[0] = champion.weights(temperature=0.5)[0]
    jobs = make_jobs(200, [variant], np.random.default_rng(8))
    seat_learner(jobs)
    played = player.play(jobs)
    ends = (0.5 + 0.5 * Reward(margin=1.0).of(jobs))[played.games, played.seats]
    told = champion.values(played.states)
    assert told.mean() == pytest.approx(ends.mean(), abs=0.03)
    assert ((told - ends) ** 2).mean() < 0.95 * ends.var()
    late = np.ones(len(played), bool)
    for game, seat in np.argwhere(jobs["learns"] != 0):
        mine = np.flatnonzero((played.games == game) & (played.seats == seat))
        late[mine[: 3 * len(mine) // 4]] = False
    assert ((told - ends)[late] ** 2).mean() < 0.8 * ends[late].var()
