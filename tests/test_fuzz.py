"""The fuzzer itself: a short run finds nothing, and what breaks, crashes or hangs is found and can be repeated."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import __main__ as program
from tests.fuzz import kinds, watching
from tests.fuzz.kinds.base import Kind
from tests.fuzz.mutating import damage_archive, damage_bytes, damage_json, damage_text
from tests.fuzz.worker import Task


@pytest.mark.slow
def test_a_short_run_finds_nothing(tmp_path: Path) -> None:
    """In a process of its own, since workers are forked from it."""
    command = [sys.executable, "-m", "tests.fuzz", "--inputs", "12", "--seconds", "600", "--seed", "1"]
    done = subprocess.run([*command, "--out", str(tmp_path)], capture_output=True, text=True, check=False)
    told = "\n".join(file.read_text() for file in tmp_path.glob("*.txt"))
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}\n{told}"
    figures = {each["kind"]: each for each in json.loads((tmp_path / "figures.json").read_text())}
    assert figures.keys() >= kinds.PLACES.keys() - {"openspiel", "checkpoint", "http", "websocket"}
    assert all(each["inputs"] >= 12 for each in figures.values())
    assert sum(each["refused"] for each in figures.values()) > 40


class Fragile(Kind):
    """Takes numbers, and comes to harm with some of them."""

    def prepare(self) -> None:
        signal.signal(signal.SIGABRT, signal.SIG_DFL)  # as some libraries take signals over when they are loaded

    def seeds(self) -> list[bytes]:
        return [b"0", b"1", b"2", b"3"]

    def damage(self, data: bytes, rng: Random) -> bytes:
        return data

    def give(self, data: bytes) -> None:
        if data == b"1":
            raise KeyError("no refusal")
        if data == b"2":
            os.kill(os.getpid(), signal.SIGSEGV)
        if data == b"3":
            while True:
                pass


@pytest.mark.slow
def test_harm_is_seen_kept_and_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "PLACES", {"fragile": ("", 1.0)})
    monkeypatch.setattr(kinds, "make", lambda name, scratch: Fragile(scratch))
    monkeypatch.setattr(watching, "HANGING", 0.2)
    out, scratch = tmp_path / "out", tmp_path / "scratch"
    scratch.mkdir()
    worker = watching.Watched(Task("fragile", seed=1, seconds=600, inputs=40, out=out), scratch)
    while worker.look() and not (worker.crashes and worker.hangs and worker.tally.faults):
        time.sleep(0.01)
    worker.end()
    assert worker.crashes and worker.hangs and worker.tally.faults
    kept = {file.read_bytes(): file for file in out.glob("*.input")}
    assert kept.keys() == {b"1", b"2", b"3"}
    told = kept[b"1"].with_suffix(".txt").read_text()
    assert f"--repeat fragile {kept[b'1']}" in told and "KeyError: 'no refusal'" in told
    assert "SIGSEGV" in kept[b"2"].with_suffix(".txt").read_text()
    assert "in give" in kept[b"3"].with_suffix(".txt").read_text()  # where it hangs
    with pytest.raises(KeyError, match="no refusal"):
        program.repeat("fragile", str(kept[b"1"]))


@pytest.mark.parametrize("damage", [damage_bytes, damage_text, damage_json, damage_archive])
def test_damage_depends_on_the_seed_alone(damage: object) -> None:
    assert callable(damage)
    data = b'{"a": [1, 2.5, {"b": "text"}], "c": null}\nd = 7\n'
    once = [damage(data, Random(seed)) for seed in range(200)]
    assert once == [damage(data, Random(seed)) for seed in range(200)]
    assert sum(each != data for each in once) > 150
