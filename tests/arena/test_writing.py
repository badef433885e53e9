"""Files that belong together are all written, or none, and whoever cannot write is told which file it is about."""

import errno
import json
import os
from pathlib import Path

import pytest

from ttr_env.arena import program
from ttr_env.arena.writing import write, write_all


def filling(monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    """A disk that takes so many files whole, and the first byte of the next one."""
    written = 0
    whole = Path.write_bytes

    def until_full(file: Path, content: bytes) -> int:
        nonlocal written
        written += 1
        if written > room:
            whole(file, content[:1])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return whole(file, content)

    monkeypatch.setattr(Path, "write_bytes", until_full)


def test_all_are_written(tmp_path: Path) -> None:
    write_all({tmp_path / "one.txt": "first", tmp_path / "two.bin": b"\0"})
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one.txt", "two.bin"]
    assert (tmp_path / "two.bin").read_bytes() == b"\0"


def test_on_a_full_disk_everything_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "one.txt", "before")
    filling(monkeypatch, room=1)
    with pytest.raises(OSError, match=r"No space left on device: '.*two.txt'"):
        write_all({tmp_path / "one.txt": "after", tmp_path / "two.txt": "new"})
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("one.txt", "before")]


@pytest.mark.parametrize(("room", "missing"), [(0, "all.json"), (3, "pairs")])
def test_the_arena_writes_whole_folders_or_none(
    room: int, missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    filling(monkeypatch, room)
    out = tmp_path / "out"
    wanted = ["--json", str(tmp_path / "all.json")] if missing == "all.json" else []
    assert program.main(["--agents", "greedy", "random", "--games", "4", "--out", str(out), *wanted]) == 2
    shown = capsys.readouterr().err
    assert "cannot be used: No space left on device" in shown and str(tmp_path) in shown and shown.count("\n") == 1
    assert list(out.iterdir()) == [] and [file.name for file in tmp_path.iterdir()] == ["out"]


def test_the_position_that_an_agent_breaks_in_is_written_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["--agents", "tests.arena.test_evaluate:Cheat", "random", "--games", "2", "--out", str(tmp_path)]
    assert program.main(command) == 2
    before = (tmp_path / "illegal-position.json").read_text()
    assert json.loads(before) and "illegal action" in capsys.readouterr().err
    filling(monkeypatch, room=0)
    assert program.main(command) == 2
    assert "illegal-position.json cannot be used: No space left" in capsys.readouterr().err
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("illegal-position.json", before)]
