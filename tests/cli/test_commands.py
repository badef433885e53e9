"""The tool's own face: help, lists, programs that are passed on to, and one clear line for every mistake."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ttr_env
from ttr_env import agents
from ttr_env.cli import main, records, seating
from ttr_env.cli.app import app
from ttr_env.errors import install_command

COMMANDS = (
    "watch",
    "play",
    "replay",
    "maps",
    "agents",
    "dataset",
    "compile",
    "bench",
    "evaluate",
    "verify",
    "leaderboard",
    "train",
)


def run(*arguments: str, status: int = 0) -> str:
    """What a command prints; on failure its one line of complaint."""
    done = CliRunner().invoke(app, arguments, prog_name="ttr")
    assert done.exit_code == status, done.output
    if status == 2:
        assert done.stderr.startswith("ttr: ") and done.stderr.count("\n") == 1
        return done.stderr
    return done.stdout


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_help_lists_the_commands(arguments: tuple[str, ...]) -> None:
    text = run(*arguments)
    assert all(f"\n  {command} " in text for command in COMMANDS)


def test_maps_makes_boards(tmp_path: Path) -> None:
    folder = tmp_path / "board"
    shown = run("maps", "--generate", "seed=3,cities=12,ferries=2", "--out", str(folder))
    assert "12      21      26       18  ferries" in shown and f"--map {folder}" in shown
    assert ttr_env.maps.load(folder).digest == ttr_env.maps.generate(3, 12, ferries=2).digest
    assert "--map generate:seed=7" in run("maps", "--generate", "7")
    assert "cities: a whole number from 4 to 64" in run("maps", "--generate", "seed=7,cities=99", status=2)
    assert "give both" in run("maps", "--out", str(folder), status=2)


def test_signs_that_a_terminal_lacks_have_others() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ttr_env.cli", "watch", "random", "random", "--map", "nordic", "--seed", "1"],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert b"Tromso" in done.stdout and b"?" not in done.stdout.replace(b"[?]", b"").replace(b"? offered", b"")


@pytest.mark.parametrize("command", ["watch", "play", "replay", "maps", "agents", "dataset"])
def test_every_command_explains_itself(command: str) -> None:
    text = run(command, "--help")
    assert text.startswith(f"Usage: ttr {command}") and "--help" in text


@pytest.mark.parametrize("command", ["watch", "play"])
def test_help_names_every_agent(command: str) -> None:
    words = run(command, "--help").replace(",", " ").split()
    assert set(ttr_env.agents.names()) <= set(words)


def test_version_is_the_package_s(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", sys.path.copy())
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"ttr-env {ttr_env.__version__}\n"


IMPATIENT = "import os, signal, time; os.kill(os.getpid(), signal.SIGINT); time.sleep(5)"


@pytest.mark.parametrize(
    ("command", "quiet"),
    [
        (["-m", "ttr_env.cli", "maps"], True),
        ([str(Path(sys.executable).with_name("ttr")), "maps"], True),
        (["-c", "import ttr_env", "ttr"], False),  # another program, which may want to be told
    ],
)
def test_ctrl_c_before_there_is_anything_to_stop(command: list[str], quiet: bool, tmp_path: Path) -> None:
    """Sent while the package is imported, and then by itself Gymnasium, which takes long."""
    (tmp_path / "gymnasium.py").write_text(IMPATIENT)
    path = f"{tmp_path}{os.pathsep}{Path(ttr_env.__file__).parents[1]}"
    heeded = signal.signal(signal.SIGINT, signal.default_int_handler)  # processes inherit what is ignored
    done = subprocess.run(
        [sys.executable, *command], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    signal.signal(signal.SIGINT, heeded)
    assert done.returncode == -signal.SIGINT
    assert (done.stderr == "") is quiet and ("KeyboardInterrupt" in done.stderr) is not quiet


def test_maps_lists_every_map() -> None:
    lines = run("maps").splitlines()[1:]
    assert [line.split()[0] for line in lines] == ttr_env.maps.names()
    assert "30      53      97       44  tolls, neutral player" in run("maps", "nederland")


def test_agents_lists_every_agent_with_its_options() -> None:
    lines = {line.split()[0]: line for line in run("agents").splitlines() if not line.startswith(" ")}
    assert {*ttr_env.agents.names(), "exec:PROGRAM", "policy:FILE", "sb3:FILE.zip", "module:Class"} == set(lines)
    whole = " ".join(run("agents").split())
    assert "ignores its tickets planner" in whole and whole.count("(options: iterations=N, seconds=N") == 2


def test_asking_for_help_does_not_load_the_engine() -> None:
    program = "import sys, ttr_env.cli.app; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_map_of_one_s_own_is_listed_and_checked(tiny_board: Path) -> None:
    assert "2 to 2        4       5       6        5" in run("maps", str(tiny_board))
    (tiny_board / "tickets.csv").unlink()
    assert "tickets.csv: is missing" in run("maps", str(tiny_board), status=2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["wach"], "Did you mean 'watch'?"),
        (["watch"], "Missing argument 'AGENT'"),
        (["watch", "planer", "racer"], "did you mean 'planner'?"),
        (["watch", "planner"], "Nederland is for 2 to 5 players, not 1"),
        (["watch", *["random"] * 6], "2 to 5 players, not 6"),
        (["watch", "random", "random", "--seed", "x"], "--seed"),
        (["watch", "random", "random", "--seed", "-1"], "seed: a whole number from 0"),
        (["watch", "random", "random", "--speed", "0"], "--speed"),
        (["watch", "random", "random", "--map", "atlantis"], "the built-in maps are"),
        (["watch", "random", "random", "--map", "USA"], "did you mean 'usa'?"),
        (["watch", "champion:version=1", "random", "--map", "usa"], "was trained on 'nederland' and cannot play 'usa'"),
        (
            ["play", "--against", "champion:version=1", "--map", "usa"],
            "was trained on 'nederland' and cannot play 'usa'",
        ),
        (["watch", "ismcts:iteration=4", "random"], "did you mean 'iterations'?"),
        (["watch", "random", "random", "--gif", "."], "it is a folder"),
        (["watch", "random", "random", "--save", "."], "it is a folder"),
        (["watch", "random", "random", "--mp4", "film"], "must end in .mp4"),
        (["watch", "random", "random", "random", "--neutral-player"], "the neutral player joins 2 players"),
        (["watch", "random", "random", "--gif", "nowhere/x.gif"], "there is no folder"),
        (["watch", "random", "random", "--save", "nowhere/x.json"], "there is no folder"),
        (["watch", "nowhere:Agent", "random"], "'nowhere:Agent' cannot be found"),
        (["play", "--against", "planer"], "did you mean 'planner'?"),
        (["play", "--seat", "2"], "the seats are 0 to 1"),
        (["play", "--resume", "nothing.json"], "nothing.json cannot be read"),
        (["replay", "nothing.json"], "nothing.json cannot be read: No such file"),
        (["maps", "atlantis"], "'atlantis' is no map and no folder"),
    ],
)
def test_mistakes_are_answered_in_one_line(arguments: list[str], message: str) -> None:
    assert message in run(*arguments, status=2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "it is not JSON"),
        ('{"format": 1', "it is not JSON"),
        ("[1, 2]", "a record is a dictionary"),
        ("[" * 100_000, "nested too deeply"),
        ('{"format": 1}', "'map' is missing"),
    ],
)
def test_damaged_records(content: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(content)
    assert message in run("replay", str(file), status=2)


def test_records_of_an_illegal_game_and_of_nobody(tmp_path: Path) -> None:
    game = ttr_env.Game(seed=7)
    game.step(int(game.legal_actions()[0]))
    file = tmp_path / "record.json"
    file.write_text(json.dumps({**game.record(), "actions": [0]}))
    assert "step 0:" in run("replay", str(file), status=2)
    file.write_text(json.dumps(game.record()))
    assert "nobody in it is called 'you'" in run("play", "--resume", str(file), status=2)
    assert "the game has 1 decisions" in run("replay", str(file), "--to", "2", status=2)
    assert "has 1 games" in run("replay", str(file), "--game", "2", status=2)
    file.write_bytes(b"\xff\xfe\xff")
    assert "it is not text" in run("replay", str(file), status=2)
    file.write_text("[" + "{}," * 200_000 + "{}]")
    assert "more than 100,000 lists and dictionaries" in run("replay", str(file), status=2)


def test_a_record_may_be_written_on_many_lines(tmp_path: Path) -> None:
    game = agents.play(ttr_env.Game("mini", players=2, seed=7), ["racer", "racer"])
    file = tmp_path / "record.json"
    file.write_text(json.dumps(game.record(), indent=2))
    assert "Player 0 wins." in run("replay", str(file), "--to", str(len(game.actions)))


@pytest.mark.parametrize("name", ["game.json", "game.json.gz"])
def test_a_record_without_end_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_BYTES", 1000)
    content = json.dumps(ttr_env.Game(seed=7).record()).encode()
    for times, status in ((1, 0), (20, 2)):
        whole = content + b" " * (times - 1) * 100
        (tmp_path / name).write_bytes(gzip.compress(whole) if name.endswith(".gz") else whole)
        told = run("replay", str(tmp_path / name), status=status)
    assert "has more than 1000 bytes" in told


def test_help_about_evaluating_names_tasks() -> None:
    assert "--task TASK" in run("evaluate", "--help").partition("options:")[2]
    assert "--deals N" in run("evaluate", "--task", "mini-2p", "--help")


def test_programs_get_their_own_arguments() -> None:
    assert run("evaluate", "--help").startswith("usage: ttr evaluate")
    assert run("bench", "--help").startswith("usage: ttr bench")


@pytest.mark.parametrize(
    ("module", "command", "extra"),
    [
        ("matplotlib", "evaluate", "arena"),
        ("choix", "evaluate", "arena"),
        ("choix", "train", "train"),
        pytest.param("torch", "train", "train", marks=pytest.mark.needs("sb3_contrib")),
        pytest.param("yaml", "train", "train", marks=pytest.mark.needs("sb3_contrib")),
    ],
)
def test_a_missing_extra_is_named(module: str, command: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    text = run(command, "--agents", "random", status=2)
    assert f"needs {module}" in text and install_command(extra) in text
    assert run(command, "--help").startswith(f"usage: ttr {command}")


def test_what_is_typed_in_vain_is_refused(tmp_path: Path) -> None:
    digits = "1" * 5000
    assert "USA has no tolls" in run("watch", "random", "random", "--map", "usa", "--no-tolls", status=2)
    assert "exceeded maximum size" in run("watch", "random", "random", "--seed", digits, status=2)
    (tmp_path / "game.json").write_text(f'{{"seed": {digits}}}')
    assert "is no record: it has a number of thousands of digits" in run(
        "replay", str(tmp_path / "game.json"), status=2
    )


def test_a_library_that_only_some_runs_need_is_named_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def main(arguments: list[str]) -> None:
        raise ModuleNotFoundError(name="ray.tune")

    monkeypatch.setattr("ttr_env.arena.program.main", main)
    assert install_command("rllib") in run("evaluate", status=2)


@pytest.mark.needs("sb3_contrib")
def test_an_installation_without_a_program_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ttr_env.learning.train", None)
    assert "there is no module ttr_env.learning.train" in run("train", status=2)


def test_a_missing_video_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    text = run("watch", "random", "random", "--mp4", str(tmp_path / "x.mp4"), status=2)
    assert install_command("video") in text


def test_a_file_that_may_not_be_written_is_refused_before_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # as root one may write anywhere
    text = run("watch", "random", "random", "--save", str(tmp_path / "x.json"), status=2)
    assert "x.json cannot be written" in text


@pytest.mark.parametrize("option", ["--save", "--html", "--gif"])
def test_a_name_that_no_file_can_have_is_a_mistake(option: str) -> None:
    name = f"{300 * 'x'}.gif"
    assert f"{name} cannot be used: File name too long" in run("watch", "random", "random", option, name, status=2)
    assert f"{name} cannot be written (File name too long)" in run("maps", "--generate", "7", "--out", name, status=2)


def test_an_agent_s_illegal_action_is_blamed_on_it() -> None:
    assert "chose an illegal action" in run("watch", f"{__name__}:Cheat", "random", status=2)


class Cheat:
    """An agent that breaks the rules."""

    def __init__(self, seed: int) -> None:
        pass

    def act(self, game: ttr_env.Game) -> int:
        return 0 if game.phase == "keep_tickets" else int(game.legal_actions()[0])


def test_a_machine_without_a_place_for_compiled_code_is_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = ttr_env.Game(seed=7)
    seating.warm_up(game, ["random"])
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(seating, "has_cache", lambda: False)
    seating.warm_up(game, ["random"])
    assert "NUMBA_CACHE_DIR" in capsys.readouterr().err


def test_as_a_process_in_another_folder_with_an_agent_of_one_s_own(tmp_path: Path) -> None:
    agent = "import ttr_env\nclass Mine(ttr_env.agents.Agent):\n    def act(self, game):\n"
    (tmp_path / "mine.py").write_text(agent + "        return int(game.legal_actions()[-1])\n")
    command = [sys.executable, "-P", "-m", "ttr_env.cli", "watch", "mine:Mine", "random", "--seed", "1"]
    settings = os.environ | {"PYTHONIOENCODING": "ascii"}  # which lacks a letter of Liège
    done = subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Liege" in done.stdout
    assert "<0> mine:Mine" in done.stdout and "Seed 1 repeats" in done.stderr
    assert "\x1b" not in done.stdout
