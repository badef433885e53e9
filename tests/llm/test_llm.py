"""A scripted model plays whole games; what it says wrong is counted, told, and in the end decided for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rich.console import Console

from tests.helpers.scripted import Planning, last_legal
from tests.helpers.without import run_without
from ttr_env import Batch, Game, agents, arena, llm
from ttr_env.arena.showing import print_results
from ttr_env.errors import UnreadableReply, install_command


@pytest.mark.parametrize("map", ["nederland", "nordic", "usa"])
def test_a_model_plays_whole_games_as_an_agent(map: str) -> None:
    model = llm.TextAgent(last_legal)
    assert agents.play(Game(map, players=2, seed=3), [model, "random"]).over
    assert model.tally.replies > 10 and model.tally.rate == 0


@pytest.mark.parametrize("scope", ["decision", "turn"])
def test_a_model_plays_a_whole_episode(scope: str) -> None:
    episode = llm.Episode(seed=3, opponents="random", seat=1, task=llm.Task(scope=scope))
    while not episode.done:
        heard = episode.say(last_legal(episode.text))
    assert heard.done and -1 <= heard.reward <= 1 and "Final scores" in heard.text
    assert episode.tally.unreadable == 0


def test_retries_then_a_random_move_then_the_rate() -> None:
    episode = llm.Episode(seed=3, opponents="random", task=llm.Task(retries=1))
    before = len(episode.game.actions)
    assert "Try again (last try)" in episode.say("what?").text
    assert len(episode.game.actions) == before
    assert "A random move was made for you" in episode.say("what?").text
    assert len(episode.game.actions) > before
    assert episode.tally.as_dict()["unreadable_rate"] == 1 and episode.tally.fallbacks == 1


def test_forfeit() -> None:
    episode = llm.Episode(seed=3, opponents="random", task=llm.Task(retries=0, fallback="forfeit"))
    heard = episode.say("what?")
    assert heard.done and heard.reward == -1 and "You gave the game up." in heard.text
    agent = llm.TextAgent(lambda prompt: "what?", llm.Task(retries=0, fallback="forfeit"))
    with pytest.raises(UnreadableReply):
        agent.act(Game(seed=1))


def test_trl_plays_a_whole_game_through_its_one_tool() -> None:
    env = llm.TicketToRide()
    text = env.reset(seed=5, opponents="random", prompt=[{"role": "user", "content": "Play."}])
    assert [name for name in dir(env) if not name.startswith("_")] == ["get_reward", "move", "reset"]
    while "Legal moves:" in text:
        assert env.get_reward() == 0
        text = env.move(last_legal(text))
    assert "Final scores" in text and env.get_reward() in (-1.0, 0.0, 1.0)
    assert "over" in env.move("Pass")


def test_an_agent_that_plans_turns_is_asked_once_a_turn_in_many_games_at_once() -> None:
    alone, many = [Planning(1) for _ in range(3)], Planning(1)
    batch = Batch("nederland", games=3, players=2, seed=5)
    rows = np.arange(3)
    for _ in range(40):
        actions = many.act_batch(batch, rows)
        assert actions.tolist() == [alone[row].act(batch.game(row)) for row in rows]
        batch.step(actions)
    assert many.tally == alone[0].tally + alone[1].tally + alone[2].tally
    assert many.tally.replies < 0.6 * 3 * 40 and many.tally.unreadable == 0


def test_the_arena_reports_how_many_replies_could_be_read() -> None:
    names = [f"tests.helpers.scripted:{name}" for name in ("Scripted", "Babbling")]
    results = arena.evaluate(names, games=2)
    read, babble = (results.replies[name] for name in names)
    assert read.rate == 0 and read.replies > 20
    assert babble.rate == 1 and babble.fallbacks * 2 == babble.replies
    assert results.as_dict()["replies"][names[1]]["unreadable_rate"] == 1
    console = Console(record=True, width=160)
    print_results(results, console)
    assert "unreadable" in console.export_text()


def test_moves_that_a_turn_has_no_room_for_are_told() -> None:
    episode = llm.Episode(seed=3, opponents="random", task=llm.Task(scope="turn"))
    episode.say("keep all")
    heard = episode.say("Draw a card from the deck, then draw a card from the deck, then draw tickets")
    assert "Your turn was over before this: draw tickets." in heard.text and episode.tally.cut_short == 1


def test_without_openenv_one_sentence_says_what_to_install() -> None:
    needed = f"which comes with an extra: {install_command('openenv')}"
    done = run_without(["openenv"], "from ttr_env.llm import openenv; openenv.TicketClient")
    assert f"ModuleNotFoundError: ttr_env.llm.openenv needs openenv, {needed}" in done.stderr
    done = run_without(["openenv", "uvicorn"], "from ttr_env.llm.openenv.__main__ import main; sys.exit(main([]))")
    assert done.returncode == 2 and done.stderr.strip() == f"the server needs uvicorn, {needed}"


@pytest.mark.parametrize("seat", [1.5, "1", True, 2, -1])
def test_the_model_sits_in_a_seat_that_is_there(seat: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^seat: "):
        llm.Episode(seed=1, seat=seat)
