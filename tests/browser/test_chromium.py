"""Which browser the tests take, and what happens where there is none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers import chromium

ROOT = Path(__file__).parents[2]


def test_the_environment_names_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TTR_CHROMIUM", sys.executable)
    assert chromium.find() == sys.executable
    monkeypatch.setenv("TTR_CHROMIUM", "/nowhere/chromium")
    assert chromium.find() is None


@pytest.mark.slow
def test_without_one_its_tests_are_left_out_and_one_line_says_so() -> None:
    settings = os.environ | {"TTR_CHROMIUM": "/nowhere/chromium"}
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", "tests/browser"]
    done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "test_replay_page" not in done.stdout and "test_the_environment_names_one" in done.stdout
    assert done.stdout.count(chromium.HOW_TO_GET_ONE) == 1
