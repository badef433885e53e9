"""The same seeds and actions give the same games: in another process, and without the compiler."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.fingerprint import all_fingerprints

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize(("compiler", "setting"), [("on", "0"), ("off", "1")])
def test_another_process_plays_the_same_games(compiler: str, setting: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.engine.fingerprint"],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": setting, "PYTHONHASHSEED": "77"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == all_fingerprints()
