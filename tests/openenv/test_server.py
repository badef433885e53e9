"""The OpenEnv server as its own client, validator and many sessions at once see it."""

from __future__ import annotations

import asyncio
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from openenv.core import GenericEnvClient
from openenv.core.client_types import StepResult

import ttr_env
from tests.helpers.scripted import last_legal
from ttr_env.llm.openenv import Offer, TicketAction, TicketClient, TicketEnvironment

FOLDER = Path(ttr_env.__file__).parent / "llm" / "openenv"


def openenv(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "openenv.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_package_is_valid() -> None:
    done = openenv("validate", str(FOLDER), "--level", "static")
    assert done.returncode == 0 and "Verdict: PASS" in done.stdout, done.stdout + done.stderr
    assert re.search(rf"^version: {re.escape(ttr_env.__version__)}$", (FOLDER / "openenv.yaml").read_text(), re.M)


def test_the_running_server_is_valid(url: str) -> None:
    done = openenv("validate", "--url", url)
    assert done.returncode == 0 and "Verdict: PASS" in done.stdout, done.stdout + done.stderr


def test_its_own_client_plays_a_whole_game(url: str) -> None:
    with TicketClient(base_url=url).sync() as env:
        result = env.reset(seed=3, opponents="random", seat=1)
        assert result.observation.text.startswith("TICKET TO RIDE: Nederland") and result.observation.seat == 1
        while not result.done:
            assert result.reward == 0
            result = env.step(TicketAction(move=last_legal(result.observation.text)))
        assert -1 <= result.reward <= 1 and "Final scores" in result.observation.text
        state = env.state()
        assert state.step_count > 20 and state.unreadable_rate == 0 and state.legal_moves == []


def test_any_client_plays_with_options(url: str) -> None:
    with GenericEnvClient(base_url=url).sync() as env:
        asked = {"map": "usa", "players": 3, "opponents": "greedy", "legal": "none", "scope": "turn", "retries": 1}
        result = env.reset(seed=1, **asked)
        assert "Legal moves" not in result.observation["text"]
        state = env.state()
        assert (state["map"], state["players"], state["task"]) == ("usa", 3, "turn-none-text")
        assert "could not be used" in env.step({"move": "fly to the moon"}).observation["text"]
        result = env.step({"move": state["legal_moves"][0]})
        assert not result.done and env.state()["unreadable_rate"] == 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponents": "exec:touch owned"}, "'exec:touch owned' is not offered here; there are: random, greedy"),
        ({"opponents": "os:system"}, "not offered"),
        ({"map": "/etc"}, "'/etc' is not offered here; there are: mini, nederland"),
        ({"map": ["usa"]}, "not offered"),
        ({"player": 3}, "did you mean 'players'"),
        ({"players": 9}, "players"),
        ({"seat": 2}, "the seats are 0 to 1"),
        ({"legal": "some"}, "legal"),
        ({"snapshot": {**ttr_env.Game(seed=1).snapshot(), "map": "/etc"}}, "'/etc' is not offered here"),
        ({"snapshot": ttr_env.Game(seed=1, players=3).snapshot()}, "players: 2 is needed here, not 3"),
        ({"snapshot": {"map": "nederland"}}, "snapshot"),
        ({"snapshot": [1]}, "snapshot"),
        ({"snapshots": {}}, "did you mean 'snapshot'"),
    ],
)
def test_bad_wishes_are_refused_and_the_game_goes_on(options: dict, message: str) -> None:
    env = TicketEnvironment()
    env.reset(seed=1)
    before = env.state
    with pytest.raises(ValueError, match=message):
        env.reset(**options)
    assert env.state == before


def test_what_the_server_was_started_with_is_offered(tmp_path: Path) -> None:
    lakes = str(Path(ttr_env.__file__).parents[1] / "docs" / "lakes")
    env = TicketEnvironment(Offer(maps=(lakes,), opponents=("planner:version=1",)))
    assert "TICKET TO RIDE" in env.reset(seed=1, map=lakes, opponents="planner:version=1", tolls=False).text
    lake = ttr_env.Game(lakes, seed=1, tolls=False).snapshot()
    assert "TICKET TO RIDE" in env.reset(seed=1, map=lakes, snapshot=lake, opponents="random", tolls=False).text
    env.close()


def test_a_session_begins_in_a_position(url: str) -> None:
    game = ttr_env.Game(seed=5)
    for _ in range(4):
        game.step(game.legal_actions()[0])
    with TicketClient(base_url=url).sync() as env:
        result = env.reset(seed=1, seat=game.player, snapshot=game.snapshot())
        assert ttr_env.text.prompt(game) in result.observation.text
        assert env.state().legal_moves == [game.text(action) for action in game.legal_actions().tolist()]


def test_a_step_needs_a_game_that_goes_on(url: str) -> None:
    with TicketClient(base_url=url).sync() as env:
        with pytest.raises(RuntimeError, match="call reset first"):
            env.step(TicketAction(move="Draw tickets"))
        env.reset(seed=1, retries=0, fallback="forfeit")
        assert env.step(TicketAction(move="what?")).reward == -1
        with pytest.raises(RuntimeError, match="the game is over"):
            env.step(TicketAction(move="Draw tickets"))


def test_64_sessions_at_once_each_play_a_game_of_their_own(url: str) -> None:
    async def session(seed: int, everybody: asyncio.Barrier) -> tuple[str, float]:
        chance = random.Random(seed)
        async with TicketClient(base_url=url) as env:
            result: StepResult = await env.reset(seed=seed, opponents="random")
            first = result.observation.text
            await everybody.wait()
            while not result.done:
                moves = (await env.state()).legal_moves
                result = await env.step(TicketAction(move=chance.choice(moves)))
            assert (await env.state()).unreadable == 0
        return first, result.reward

    async def play() -> list[tuple[str, float]]:
        everybody = asyncio.Barrier(64)
        return await asyncio.gather(*(session(seed % 32, everybody) for seed in range(64)))

    ended = asyncio.run(play())
    assert ended[:32] == ended[32:]  # the same seeds and moves, the same games
    assert len({text for text, _ in ended}) == 32


def test_nothing_hidden_is_in_what_is_sent() -> None:
    """The true game and one that its seat cannot tell from it are told alike."""
    for form in ("text", "json"):
        env = TicketEnvironment()
        env.reset(seed=5, players=3, opponents="random", form=form)
        episode = vars(env)["_episode"]
        for number in range(20):
            true, shown = episode.game, (env.state, episode.text)
            episode.game = true.determinize(episode.seat, np.random.default_rng(number))
            assert (env.state, episode.text) == shown
            episode.game = true
            env.step(TicketAction(move=env.state.legal_moves[-1]))
