"""A run's folder belongs to one process at a time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ttr_env.errors import SettingsError
from ttr_env.learning import run_lock
from ttr_env.learning.finishing import Interruption
from ttr_env.learning.run_lock import RunLock

HOLD = """
import sys, time
from pathlib import Path
from ttr_env.learning.run_lock import RunLock
lock = RunLock(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(600)
"""


def hold_elsewhere(folder: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def test_another_process_is_named_and_taken_over_from_when_it_is_dead(tmp_path: Path) -> None:
    process = hold_elsewhere(tmp_path)
    with pytest.raises(SettingsError, match=f"is going on: process {process.pid} .* on .*, since "):
        RunLock(tmp_path)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert json.loads((tmp_path / run_lock.FILE).read_text())["process"] == process.pid
    with RunLock(tmp_path):
        assert json.loads((tmp_path / run_lock.FILE).read_text())["process"] == os.getpid()


def test_a_refusal_changes_nothing(tmp_path: Path) -> None:
    with RunLock(tmp_path):
        before = (tmp_path / run_lock.FILE).read_text()
        for _ in range(2):  # to look at the lock must not release it
            with pytest.raises(SettingsError, match=f"process {os.getpid()} "):
                RunLock(tmp_path)
        done = subprocess.run([sys.executable, "-c", HOLD, str(tmp_path)], capture_output=True, text=True, check=False)
        assert "is going on" in done.stderr
    RunLock(tmp_path).release()
    assert before and (tmp_path / run_lock.FILE).read_text() == ""


def test_a_forked_process_does_not_keep_the_lock_of_a_dead_run(tmp_path: Path) -> None:
    fork = "import os\nheard, told = os.pipe()\nif os.fork() == 0: os.write(told, b'.'); time.sleep(60); sys.exit()\n"
    script = HOLD.replace("print(", f"{fork}os.read(heard, 1)\nprint(")
    process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    process.send_signal(signal.SIGKILL)
    process.wait()
    RunLock(tmp_path).release()


@pytest.mark.parametrize(("silent", "refused"), [(1, True), (run_lock.SILENT_SECONDS + 60, False)])
def test_a_process_on_another_machine_is_alive_while_it_stirs(tmp_path: Path, silent: float, refused: bool) -> None:
    file = tmp_path / run_lock.FILE
    file.write_text(json.dumps({"process": 7, "program": "train", "host": "elsewhere", "since": "today"}))
    os.utime(file, (time.time() - silent,) * 2)
    if refused:
        with pytest.raises(SettingsError, match=r"process 7 \(train\) on elsewhere, since today"):
            RunLock(tmp_path)
    else:
        RunLock(tmp_path).release()


@pytest.mark.parametrize("content", ["", "no JSON", "[1]", '{"process": '])
def test_a_damaged_lock_file_is_nobody_s(tmp_path: Path, content: str) -> None:
    (tmp_path / run_lock.FILE).write_text(content)
    RunLock(tmp_path).release()


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / run_lock.FILE).symlink_to(tmp_path / "mine.txt")
    with pytest.raises(SettingsError, match="cannot be written"):
        RunLock(tmp_path)
    assert (tmp_path / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_is_a_wish_to_stop(kind: signal.Signals) -> None:
    before = signal.signal(kind, signal.default_int_handler)  # who started the tests may have it ignored
    try:
        with Interruption() as interruption:
            assert not interruption.wanted
            signal.raise_signal(kind)
            assert interruption.wanted
        assert signal.getsignal(kind) == signal.default_int_handler
    finally:
        signal.signal(kind, before)


def test_what_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Interruption() as interruption:
            signal.raise_signal(signal.SIGHUP)
            assert not interruption.wanted
    finally:
        signal.signal(signal.SIGHUP, before)
