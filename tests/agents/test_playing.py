"""One loop that plays a game with agents, and lets others look on."""

from __future__ import annotations

import pytest

import ttr_env
from ttr_env import agents
from ttr_env.agents import catalogue
from ttr_env.agents.chance import own_seed
from ttr_env.game.game import Move


def test_a_game_is_played_to_its_end_by_its_own_seed() -> None:
    games = [agents.play(ttr_env.Game(players=3, seed=5), ["planner", "random", "greedy"]) for _ in range(2)]
    assert games[0].over and games[0].record() == games[1].record()
    by_hand = ttr_env.Game(players=3, seed=5)
    actors = [agents.make(name, own_seed(5, seat)) for seat, name in enumerate(["planner", "random", "greedy"])]
    while not by_hand.over:
        by_hand.step(actors[by_hand.player].act(by_hand))
    assert by_hand.record() == games[0].record()


def test_watchers_see_every_move_after_it_was_made() -> None:
    seen: list[tuple[int, Move]] = []

    def watcher(game: ttr_env.Game, move: Move) -> None:
        assert game.last == move
        seen.append((len(game.actions), move))

    game = agents.play(ttr_env.Game("nordic", players=2, seed=3), ["planner", "racer"], watchers=[watcher])
    assert [number for number, _ in seen] == list(range(1, len(game.actions) + 1))
    replayed = ttr_env.Game("nordic", players=2, seed=3)
    for action, (_, move) in zip(game.actions, seen, strict=True):
        assert (replayed.player, replayed.describe(action)) == (move.player, move.action)
        replayed.step(action)


class First:
    """Takes the first legal action."""

    def act(self, game: ttr_env.Game) -> int:
        return int(game.legal_actions()[0])


class Cheat:
    """Breaks the rules."""

    def act(self, game: ttr_env.Game) -> int:
        return 0


def test_agents_may_be_made_already() -> None:
    assert agents.play(ttr_env.Game(seed=1), [First(), "random"]).over


def test_an_illegal_action_names_the_agent() -> None:
    game = ttr_env.Game(seed=1)
    with pytest.raises(ttr_env.IllegalAction, match=r"agent 'Cheat' chose an illegal action: action 0 .*keep_tickets"):
        agents.play(game, [Cheat(), First()])
    assert game.actions == []


def test_every_seat_needs_an_agent_that_can_play_there() -> None:
    with pytest.raises(ValueError, match="agents: 2 are needed, one for each seat, not 1"):
        agents.play(ttr_env.Game(seed=1), ["random"])
    with pytest.raises(ValueError, match="cannot play 'usa'"):
        agents.play(ttr_env.Game("usa", seed=1), ["champion:version=1", "random"])


def test_every_agent_is_described() -> None:
    assert list(catalogue.BY_NAME) == agents.names()
    assert set(agents.describe()) == {*agents.names(), *catalogue.BY_FILE}
    assert agents.describe()["ismcts"].endswith("(options: iterations=N, seconds=N, version=N, policy=FILE)")
    assert "options" not in agents.describe()["racer"]
