"""The benchmarks run; how fast they are is not tested."""

from __future__ import annotations

import doctest
import json
from pathlib import Path

import pytest

from benchmarks import maps, run
from ttr_env.engine import layout


def test_a_quick_run_measures_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    report = run.main(["--quick", "--repeats", "1", "--json", str(file)])
    assert json.loads(file.read_text()) == report
    printed = capsys.readouterr().out
    for timing in report["timings"]:
        assert timing["name"] in printed
        assert timing["seconds"] > 0
        assert timing["per_second"] == pytest.approx(1 / timing["seconds"])
        assert timing["cost"] > 0
    names = [timing["name"] for timing in report["timings"]]
    assert len(set(names)) == len(names)
    for name in ("playouts, 4 players", "Batch, base, 64 games, 1 thread", "Game.step", "Game.determinize"):
        assert name in names
    assert report["facts"]["bytes of a game"] == layout.GAME.itemsize
    lengths = [report["facts"][f"mean decisions in a random game of {players}"] for players in (2, 3, 4, 5)]
    assert lengths == sorted(lengths)


@pytest.mark.parametrize("arguments", [["--json", "nowhere/x.json"], ["--json", "."], ["--repeats", "0"]])
def test_bad_options_are_refused_before_anything_is_measured(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run.main(["--quick", *arguments])
    assert "needed" in capsys.readouterr().err


def test_the_table_of_maps() -> None:
    lines = maps.main(["--games", "20", "--repeats", "1"]).splitlines()
    assert len(lines) == 2 + 4 + 2 + 4
    assert [line.split(" | ")[-1] for line in lines[2:6]] == ["1.00 |"] * 4  # Nederland against itself


def test_the_examples_in_docstrings() -> None:
    assert doctest.testmod(run) == (0, 2)
