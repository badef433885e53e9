"""`exec:PROGRAM`: other people's programs play, are told what their seat knows, and are ended when they fail."""

from __future__ import annotations

import json
import os
import pickle
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.helpers.busy import TABLES, some_decisions, table_name
from ttr_env import Game, agents, arena
from ttr_env.cli.app import app
from ttr_env.errors import IllegalAction, ProgramError

ROOT = Path(__file__).parents[2]

HELLO = """import json, os, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        print('{"protocol": 1}', flush=True)
    elif asked["type"] == "act":
        """
LISTEN = "    asked = json.loads(line)\n"
LAST = 'print(json.dumps({"id": asked["id"], "action": asked["legal"][-1]["action"]}), flush=True)\n'


def program(folder: Path, act: str, on_every_line: str = "pass") -> str:
    file = folder / "player.py"
    file.write_text(HELLO.replace(LISTEN, f"{LISTEN}    {on_every_line}\n") + act)
    return f"exec:{shlex.quote(sys.executable)} {shlex.quote(str(file))}"


def test_a_program_plays_a_whole_game(tmp_path: Path) -> None:
    agent = agents.make(program(tmp_path, LAST))
    assert agents.play(Game("nordic", players=2, seed=1), [agent, "random"]).over
    copy = pickle.loads(pickle.dumps(agent))
    game = Game(seed=1)
    assert copy.act(game) == agent.act(game) == game.legal_actions()[-1]
    copy.close()
    agent.close()


@pytest.mark.parametrize("options", [TABLES[2], TABLES[-1]], ids=table_name)
def test_it_is_told_what_its_seat_knows_and_nothing_else(tmp_path: Path, options: dict[str, Any]) -> None:
    """Every byte that a program reads is the same if what its seat does not know is dealt anew."""
    dealer, told = np.random.default_rng(0), []
    for deal_anew in (False, True):
        log = tmp_path / f"log-{deal_anew}"
        agent = agents.make(program(tmp_path, LAST, f"open({str(log)!r}, 'a').write(line)"))
        for game in some_decisions(options, seed=2, every=10):
            agent.act(game.determinize(game.player, dealer) if deal_anew else game)
        agent.close()
        told.append(log.read_text())
    assert told[0] == told[1]
    hello, board, *questions = (json.loads(line) for line in told[0].splitlines())
    assert (hello["type"], board["type"]) == ("hello", "map") and len(questions) > 5
    assert board["map"]["rules"]["trains"] > 0 and questions[0]["state"]["seats"][1]["hand"] == 4


@pytest.mark.parametrize(
    ("act", "message"),
    [
        ("time.sleep(60)", "did not answer within 1 seconds"),
        ("sys.exit('no idea')", "it ended with status 1; it complained: no idea$"),
        ("print('hm', flush=True)", "'hm', which is no JSON object"),
        ("print('{\"id\": 1}', flush=True)", 'no number under "action"'),
        ("print('{\"action\": 18}', flush=True)", "answered question None when 1 was asked"),
        (f"print(1); {LAST}", "'1', which is no JSON object"),
        ("os.close(1); time.sleep(60)", "it ended;?"),
        ("os.close(0); os.close(1); time.sleep(60)", "it ended"),
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
    agent = agents.make(program(tmp_path, 'print(\'{"id": 1, "action": 0}\', flush=True)'))
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
        ("exec:x \0", "cannot hold a zero byte"),
    ],
)
def test_bad_specifications(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        agents.make(spec)


def test_no_shell_and_no_such_program() -> None:
    with pytest.raises(ProgramError, match="cannot be started"):
        agents.make("exec:no-such-program; echo").act(Game(seed=1))


def still_there(pid: int) -> bool:
    """Whether a process runs, or has not been waited for."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def ends_soon(pid: int) -> bool:
    for _ in range(100):
        if not still_there(pid):
            return True
        time.sleep(0.05)
    return False


def noting_pids(folder: Path) -> str:
    """A program that has a child of its own and writes both numbers down; neither listens to the end of its input."""
    child = "import subprocess; child = subprocess.Popen(['sleep', '600'])"
    note = f"open({str(folder / 'pids')!r}, 'a').write(f'{{os.getpid()}}\\n{{child.pid}}\\n')"
    return program(folder, f"{child}; {note}; {LAST}        ")


def pids(folder: Path) -> list[int]:
    return sorted({int(line) for line in (folder / "pids").read_text().split()})


def test_nothing_is_left_when_an_agent_is_closed_or_forgotten(tmp_path: Path) -> None:
    agent = agents.make(noting_pids(tmp_path))
    agent.act(Game(seed=1))
    agent.close()
    agent.act(Game(seed=1))  # it is started anew
    del agent
    assert len(pids(tmp_path)) == 4 and all(ends_soon(pid) for pid in pids(tmp_path))


def test_it_ends_with_the_games_that_it_was_named_for(tmp_path: Path) -> None:
    spec = noting_pids(tmp_path)
    arena.evaluate([spec, "random"], games=2)
    assert not [pid for pid in pids(tmp_path)[:1] if still_there(pid)]
    with pytest.raises(IllegalAction):
        agents.play(Game(seed=1), [noting_pids(tmp_path), program(tmp_path, 'print(\'{"id": 1, "action": 0}\')')])
    assert all(ends_soon(pid) for pid in pids(tmp_path))


def test_it_ends_with_python(tmp_path: Path) -> None:
    script = "import sys; from ttr_env import Game, agents; kept = agents.make(sys.argv[1]); kept.act(Game(seed=1))"
    subprocess.run([sys.executable, "-c", script, noting_pids(tmp_path)], check=True, cwd=ROOT)
    assert pids(tmp_path) and all(ends_soon(pid) for pid in pids(tmp_path))


def test_a_fork_leaves_it_alone(tmp_path: Path) -> None:
    agent = agents.make(program(tmp_path, LAST))
    game = Game(seed=1)
    agent.act(game)
    pid = os.fork()
    if pid == 0:
        agent.close()
        os._exit(0)
    os.waitpid(pid, 0)
    assert agent.act(game) == game.legal_actions()[-1]
    agent.close()


def test_what_it_writes_to_standard_error_does_not_stop_it(tmp_path: Path) -> None:
    agent = agents.make(program(tmp_path, f"print('x' * 1_000_000, file=sys.stderr); {LAST}"))
    game = Game(seed=1)
    assert agent.act(game) == agent.act(game) == game.legal_actions()[-1]
    agent.close()


def test_a_line_too_many_is_not_taken_for_the_next_answer(tmp_path: Path) -> None:
    agent = agents.make(program(tmp_path, """print('{"id": 1, "action": 18}\\nmore', flush=True)"""))
    agent.act(Game(seed=1))
    with pytest.raises(ProgramError, match="'more' without being asked"):
        agent.act(Game(seed=1))
    assert not agent.running


def test_the_command_line_says_in_one_line_what_was_wrong(tmp_path: Path) -> None:
    spec = program(tmp_path, "sys.exit('no idea')")
    shown = CliRunner().invoke(app, ["watch", spec, "random", "--save", str(tmp_path / "game.json"), "--seed", "1"])
    assert shown.exit_code == 2 and "it complained: no idea" in shown.stderr
