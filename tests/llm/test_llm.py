"""A scripted model plays whole games; what it says wrong is counted, told, and in the end decided for it."""

from __future__ import annotations

import pytest

from ttr_env import Game, agents, llm
from ttr_env.errors import UnreadableReply


def scripted(prompt: str) -> str:
    """A "model" that takes the last legal move that it is shown."""
    moves = [line for line in prompt.split("Legal moves:")[-1].splitlines() if line.startswith("- ")]
    return f"That looks good.\nMove: {moves[-1][2:]}"


@pytest.mark.parametrize("map", ["nederland", "nordic", "usa"])
def test_a_model_plays_whole_games_as_an_agent(map: str) -> None:
    model = llm.TextAgent(scripted)
    assert agents.play(Game(map, players=2, seed=3), [model, "random"]).over
    assert model.tally.replies > 10 and model.tally.rate == 0


@pytest.mark.parametrize("scope", ["decision", "turn"])
def test_a_model_plays_a_whole_episode(scope: str) -> None:
    episode = llm.Episode(seed=3, opponents="random", seat=1, task=llm.Task(scope=scope))
    while not episode.done:
        heard = episode.say(scripted(episode.text))
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
        text = env.move(scripted(text))
    assert "Final scores" in text and env.get_reward() in (-1.0, 0.0, 1.0)
    assert "over" in env.move("Pass")
