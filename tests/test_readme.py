"""What the README shows works: every code block is run, and every command that it names exists."""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

NO_TOKEN = os.environ | {"RAY_AUTH_MODE": "disabled"}  # which a machine may have or not
ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
BLOCKS = [(match[1], match[2]) for match in BLOCK.finditer(README)]
PYTHON = [text for language, text in BLOCKS if language == "python"]
COMMANDS = [line for language, text in BLOCKS if language == "sh" for line in text.splitlines()]
SMALL = ("workers.env_runners=1", "run.steps=256", "run.evaluation_games=2", "ppo.games=8", "ppo.batch_size=64")


def command(beginning: str) -> list[str]:
    """The README's command that begins like this, as words."""
    [found] = [line for line in COMMANDS if line.startswith(beginning)]
    return shlex.split(found)


def test_there_is_no_other_kind_of_block() -> None:
    assert {language for language, _ in BLOCKS} == {"python", "sh"}
    assert [line.split()[0] for line in COMMANDS] == ["ttr", "ray", "python"]
    assert len(PYTHON) == 4


@pytest.mark.parametrize("number", range(len(PYTHON)))
def test_python_blocks_run(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(PYTHON[number], f"README.md, block {number}", "exec"), {})


@pytest.mark.slow
def test_one_s_own_policy_is_evaluated(tmp_path: Path) -> None:
    [source] = [text for text in PYTHON if "class Mine" in text]
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    _, *arguments = command("ttr evaluate")
    run = [sys.executable, "-m", "ttr_env.cli", *arguments]
    settings = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(run, cwd=tmp_path, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "mine:Mine" in done.stdout and "planner" in done.stdout


@pytest.fixture
def head_node() -> Iterator[str]:
    """A Ray cluster of one node, started as the README says, but for the port; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    ray, *arguments = command("ray start")
    start = [str(Path(sys.executable).with_name(ray)), *arguments, f"--port={port}", "--block", "--num-cpus=2"]
    node = subprocess.Popen(start, env=NO_TOKEN, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        _wait_until_open(port, node)
        yield f"127.0.0.1:{port}"
    finally:
        node.terminate()
        node.communicate(timeout=60)


def _wait_until_open(port: int, node: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        assert node.poll() is None, node.communicate()[0]
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.5)
    raise TimeoutError(f"no Ray at port {port}")


@pytest.mark.slow
def test_a_cluster_is_joined(head_node: str, tmp_path: Path) -> None:
    _, *arguments = command("python -m training.rllib")
    arguments[arguments.index("auto")] = head_node
    smaller = [part for change in SMALL for part in ("--set", change)]
    run = [sys.executable, *arguments, *smaller, "--out", str(tmp_path / "run")]
    done = subprocess.run(run, cwd=ROOT, env=NO_TOKEN, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "run" / "policy.npz").exists() and "Wins against each opponent" in done.stdout


def test_every_target_and_page_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`make (\w+)`", README):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for link in re.findall(r"\]\(([^)]+)\)", README):
        assert link.startswith("https://") or (ROOT / link).exists(), link
