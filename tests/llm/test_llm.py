"""A scripted model plays whole games; what it says wrong is counted, told, and in the end decided for it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from tests.helpers.scripted import Planning, last_legal
from tests.helpers.without import run_without
from ttr_env import Batch, Game, agents, arena, llm
from ttr_env.arena.showing import print_results
from ttr_env.errors import SnapshotError, UnreadableReply, install_command


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


@pytest.mark.parametrize("scope", ["decision", "turn"])
def test_a_model_that_says_nothing_at_all_is_unreadable(scope: str) -> None:
    """Chat interfaces give None in place of a text where a model refuses."""
    task = llm.Task(scope=scope, retries=0)
    episode = llm.Episode(seed=3, opponents="random", task=task)
    assert "Your answer could not be used: it is empty." in episode.say(None).text
    agent = llm.TextAgent(lambda prompt: None, task)
    game = Game(seed=3)
    assert agent.act(game) in game.legal_actions()
    assert episode.tally == agent.tally == llm.Tally(replies=1, unreadable=1, fallbacks=1)


@pytest.mark.parametrize("scope", ["decision", "turn"])
def test_a_reply_with_two_answers_is_asked_for_again(scope: str) -> None:
    episode = llm.Episode(seed=7, opponents="random", task=llm.Task(scope=scope))
    episode.say("keep all")
    before = episode.game.copy()
    heard = episode.say('{"action": 0, "move": "Draw tickets"}').text
    assert "it names several actions: 'Draw a card from the deck', 'Draw tickets'; name one" in heard
    assert episode.game == before


def test_an_agent_is_told_why_its_turn_could_not_be_taken_apart() -> None:
    asked = []
    replies = iter(['{"moves": ["Pass", "Pass"], "turn": ["Pass", "Draw tickets"]}', "Keep all"])

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return next(replies)

    llm.TextAgent(ask, llm.Task(scope="turn")).act(Game(seed=7))
    assert "could not be used: it describes several turns: 'Pass; Pass' and 'Pass; Draw tickets'" in asked[1]


def later(decisions: int, **options: Any) -> Game:
    game, rng = Game(seed=5, **options), np.random.default_rng(0)
    while len(game.actions) < decisions or game.player != 1:
        game.step(game.sample(rng))
    return game


def test_an_episode_begins_in_a_position() -> None:
    position = later(40)
    asked = llm.Episode(seed=1, seat=1, snapshot=position.snapshot())
    assert asked.game == position and "Since you were asked" not in asked.text
    others_first = llm.Episode(seed=1, seat=0, snapshot=position.snapshot(), opponents="random")
    assert others_first.game.player == 0 and "Since you were asked" in others_first.text
    again = llm.Episode(seed=1, seat=0, snapshot=position.snapshot(), opponents="random")
    assert again.game == others_first.game


def test_trl_begins_in_a_position_which_may_be_json() -> None:
    env, position = llm.TicketToRide(), later(40)
    texts = [
        env.reset(seed=1, seat=1, snapshot=each) for each in (position.snapshot(), json.dumps(position.snapshot()))
    ]
    assert texts[0] == texts[1] != env.reset(seed=1, seat=1, snapshot=None)


def over() -> dict[str, Any]:
    game, rng = Game(seed=5), np.random.default_rng(0)
    while not game.over:
        game.step(game.sample(rng))
    return dict(game.snapshot())


@pytest.mark.parametrize(
    ("row", "error", "message"),
    [
        ({"snapshot": later(9, players=3).snapshot()}, SnapshotError, "players: 2 is needed here, not 3"),
        ({"snapshot": later(9).snapshot(), "map": "usa"}, SnapshotError, "map: usa is needed here, not nederland"),
        ({"snapshot": over()}, SnapshotError, "phase: the game is over"),
        ({"snapshot": {"map": "nederland"}}, SnapshotError, "snapshot"),
        ({"snapshot": 3}, SnapshotError, "snapshot"),
        ({"snapshot": "{"}, SnapshotError, "snapshot: a dictionary or its JSON is needed; Expecting"),
        ({"snapshots": later(9).snapshot()}, ValueError, "no option 'snapshots' .did you mean 'snapshot'"),
        ({"player": 3}, ValueError, "no option 'player' .did you mean 'players'.*rename the column"),
    ],
)
def test_what_trl_cannot_begin_with_leaves_the_game_as_it_was(row: Any, error: type[Exception], message: str) -> None:
    env = llm.TicketToRide()
    env.reset(seed=7, opponents="random")
    with pytest.raises(error, match=message):
        env.reset(**row)
    assert "Your tickets:" in env.move("keep all")


def test_other_columns_of_a_data_set_are_left_alone() -> None:
    row = {"prompt": "Play.", "label": 1, "score": 0.5, "format": "chat", "answer": "", "text": ""}
    assert llm.TicketToRide().reset(seed=7, **row) == llm.TicketToRide().reset(seed=7)
