"""`exec:PROGRAM`: other people's programs play, are told what their seat knows, and are ended when they fail."""

from __future__ import annotations

import json
import pickle
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

from ttr_env import Game, agents
from ttr_env.errors import IllegalAction, ProgramError

HELLO = """import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        print('{"protocol": 1}', flush=True)
    elif asked["type"] == "act":
        """
LAST = 'print(json.dumps({"id": asked["id"], "action": asked["legal"][-1]["action"]}), flush=True)\n'


def program(folder: Path, act: str) -> str:
    file = folder / "player.py"
    file.write_text(HELLO + act)
    return f"exec:{shlex.quote(sys.executable)} {shlex.quote(str(file))}"


def test_a_program_plays_a_whole_game(tmp_path: Path) -> None:
    agent = agents.make(program(tmp_path, LAST))
    assert agents.play(Game("nordic", players=2, seed=1), [agent, "random"]).over
    copy = pickle.loads(pickle.dumps(agent))
    game = Game(seed=1)
    assert copy.act(game) == agent.act(game) == game.legal_actions()[-1]
    copy.close()
    agent.close()


def test_it_is_told_what_its_seat_knows(tmp_path: Path) -> None:
    log = tmp_path / "log"
    agent = agents.make(program(tmp_path, f"open({str(log)!r}, 'a').write(line)\n        {LAST}"))
    game = Game(players=3, seed=2)
    for each in (game, game.determinize(0, np.random.default_rng(1))):
        agent.act(each)
    one, other = (json.loads(line) for line in log.read_text().splitlines())
    assert one["state"] == other["state"] and one["legal"] == other["legal"]
    assert one["state"]["seats"][1]["hand"] == 4
    agent.close()


@pytest.mark.parametrize(
    ("act", "message"),
    [
        ("time.sleep(60)", "did not answer within 1 seconds"),
        ("sys.exit('no idea')", "it ended with status 1; it complained: no idea"),
        ("print('hm', flush=True)", "'hm', which is no JSON object"),
        ("print('{}', flush=True)", 'no number under "action"'),
        ('print(\'{"id": 0, "action": 1}\', flush=True)', "answered question 0 when 1 was asked"),
        ("print('x' * 2000000, flush=True)", "longer than 1,000,000 characters"),
    ],
)
def test_it_is_ended_when_it_fails(tmp_path: Path, act: str, message: str) -> None:
    agent = agents.make(f"{program(tmp_path, act)},seconds=1")
    with pytest.raises(ProgramError, match=message):
        agent.act(Game(seed=1))
    assert not agent.running


def test_an_illegal_action_is_refused_by_the_game(tmp_path: Path) -> None:
    agent = agents.make(program(tmp_path, "print('{\"action\": 0}', flush=True)"))
    with pytest.raises(IllegalAction, match="the phase is keep_tickets"):
        agents.play(Game(seed=1), [agent, "random"])
    assert not agent.running


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("exec:", "names no program"),
        ("exec:'half", "quotation marks"),
        ("exec:x,seconds=0", "seconds must be a number above 0"),
        ("exec:x,seconds=soon", "could not convert"),
    ],
)
def test_bad_specifications(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        agents.make(spec)


def test_no_shell_and_no_such_program() -> None:
    with pytest.raises(ProgramError, match="cannot be started"):
        agents.make("exec:no-such-program; echo").act(Game(seed=1))
