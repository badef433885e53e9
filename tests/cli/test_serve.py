"""`ttr serve` from the command line: what it says before it serves, and that it does."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from ttr_env.cli import main
from ttr_env.cli.commands.serve import Address

pytestmark = pytest.mark.needs("starlette", "uvicorn", "websockets")

# A browser in the terminal: it says what it was answered, and stays until somebody leaves it.
BROWSER = """
import sys, urllib.request
try:
    print(urllib.request.urlopen(sys.argv[1], timeout=30).status, flush=True)
except OSError as error:
    print(error, flush=True)
sys.stdin.read()
"""


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line with which the command is refused."""
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--no-open", *arguments])
    assert ended.value.code == 2
    [line] = capsys.readouterr().err.splitlines()
    return line


def test_a_port_in_use(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port} is in use" in refusal(capsys, "--port", str(port))


def test_a_host_that_is_not_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--host 192.0.2.1" in refusal(capsys, "--host", "192.0.2.1", "--port", "0")


def test_a_file_is_no_folder_for_records(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "name a folder" in refusal(capsys, "--save", str(tmp_path / "file"))


def test_agents_stand_behind_their_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert "named after --agents" in refusal(capsys, "planner")


def test_an_agent_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert "did you mean 'planner'" in refusal(capsys, "--port", "0", "--agents", "champion", "planer")


def test_a_map_that_there_is_not(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "is no map and no folder" in refusal(capsys, "--port", "0", "--map", str(tmp_path / "none"))
    assert "cities.csv" in refusal(capsys, "--port", "0", "--map", str(tmp_path))
    assert "two maps are called 'usa'" in refusal(capsys, "--port", "0", "--map", "usa")


def test_without_its_extra_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert re.search(r"`ttr serve` needs uvicorn, which comes with an extra: pip install .*\[web\]", refusal(capsys))


def test_on_all_addresses_the_machine_is_called_by_its_own() -> None:
    everywhere, here = Address("0.0.0.0", 0, False), Address("192.168.1.7", 0, False)
    assert everywhere.number is None or everywhere.number not in ("0.0.0.0", "127.0.0.1")  # None without a network
    assert everywhere.name == Address("::", 0, False).name == socket.gethostname()
    assert here.number is None and here.name == "192.168.1.7"


@pytest.mark.slow
def test_on_all_addresses_a_link_with_the_number_is_printed_too() -> None:
    command = [sys.executable, "-m", "ttr_env.cli", "serve", "--no-open", "--port", "0", "--host", "0.0.0.0"]
    number = Address("0.0.0.0", 0, False).number  # None where the machine is in no network
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(1 if number is None else 2)]
        process.terminate()
    assert number is None or f"not known, it is at http://{number}:" in lines[1]
    assert len({re.findall(r"token=(\S+)", line)[0] for line in lines}) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("host", "printed"), [("127.0.0.1", r"http://127\.0\.0\.1:\d+/ "), ("0.0.0.0", r"\?token=")])
def test_it_prints_where_the_game_is_and_serves_it(host: str, printed: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ttr_env.cli", "serve", "--no-open", "--port", "0", "--host", host]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert re.search(printed, line)
        address = re.sub(r"//[^:]+:", "//127.0.0.1:", re.findall(r"http://\S+", line)[0])
        visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())  # the token becomes a cookie
        with visitor.open(address, timeout=60) as answer:
            assert b"lobby.js" in answer.read()
        process.terminate()
        assert process.wait(30) in (0, -15)


@pytest.mark.slow
def test_a_browser_in_the_terminal_is_answered_while_it_is_open(tmp_path: Path) -> None:
    browser = tmp_path / "browser.py"
    browser.write_text(BROWSER)
    command = [sys.executable, "-m", "ttr_env.cli", "serve", "--port", "0"]
    environment = {**os.environ, "BROWSER": f"{sys.executable} {browser} %s"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment) as process:
        assert process.stdout is not None
        process.stdout.readline()
        answer = process.stdout.readline()
        process.terminate()
    assert answer == "200\n" and process.returncode in (0, -15)
