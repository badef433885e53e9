"""Other people's pipelines, plugged in."""

import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

import ttr_env
from training.examples import ppo_over_batch
from training.examples.rollout_agent import RolloutAgent
from ttr_env import Game, agents, arena

PROGRAMS = Path(ppo_over_batch.__file__).parent / "programs"


@pytest.mark.slow
def test_ppo_over_batch_learns() -> None:
    curve = ppo_over_batch.train(updates=22, games=128, steps=64)
    assert np.mean(curve[-3:]) > np.mean(curve[:3]) + 40


def test_returns_by_seat() -> None:
    seats = np.array([[0], [1], [0], [1]])
    rewards = np.zeros((4, 1, 2), np.float32)
    rewards[3, 0] = [-1, 1]
    done = np.array([[False], [False], [False], [True]])
    returns, known = ppo_over_batch.returns_by_seat(rewards, done, seats, np.zeros((4, 1), np.float32))
    gamma = ppo_over_batch.GAMMA
    assert known.all()
    assert returns[:, 0] == pytest.approx([-gamma, gamma, -1, 1])


def test_the_agent_that_plays_out_is_honest_and_beats_random_play() -> None:
    game, rng = Game(seed=3), np.random.default_rng(0)
    for _ in range(30):
        game.step(game.sample(rng))
    hidden = game.determinize(game.player, rng)
    assert RolloutAgent(seed=1).act(game) == RolloutAgent(seed=1).act(hidden)
    played = agents.play(Game(seed=4), [RolloutAgent(worlds=2, candidates=4), "random"])
    assert played.result()["winners"] == [0]


@pytest.mark.parametrize(
    ("program", "interpreter"), [("last_move.sh", "sh"), ("longest_claim.py", sys.executable)], ids=str
)
def test_programs_in_any_language_play_whole_games(program: str, interpreter: str) -> None:
    spec = f"exec:{shlex.join([interpreter, str(PROGRAMS / program)])}"
    for name in ("nederland", "nordic"):
        played = agents.play(Game(name, players=2, seed=2), [spec, "random"])
        assert played.over


@pytest.mark.slow
@pytest.mark.parametrize("name", ttr_env.maps.names())
def test_ticket_greedy_plays_for_its_tickets_on_every_map(name: str) -> None:
    results = arena.evaluate(["training.examples.ticket_greedy:TicketGreedy"], against=["greedy"], map=name, games=6)
    means = {standing.name: standing.means for standing in results.standings}
    mine, greedy = means["training.examples.ticket_greedy:TicketGreedy"], means["greedy"]
    assert mine["completed"] > greedy["completed"] and mine["total"] > greedy["total"]
