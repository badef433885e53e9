"""Curves of runs are drawn into one picture, and what cannot be drawn is said."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from ttr_env.learning import curves

METRICS = """update,steps,seconds,total,routes,tickets,tickets_failed,toll_bonus,against_racer
1,128,0.5,10,20,5,-20,5,
2,256,0.5,30,30,5,-10,5,0.25
"""


def a_run(folder: Path, metrics: str = METRICS) -> Path:
    folder.mkdir()
    (folder / "metrics.csv").write_text(metrics)
    return folder


def test_runs_share_a_picture_whose_lines_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [a_run(tmp_path / name) for name in ("seed-0", "seed-1")]
    picture = tmp_path / "both.svg"
    with plt.rc_context({"svg.fonttype": "none"}):  # so that words are words in the file
        assert curves.main([*map(str, runs), "--out", str(picture)]) == 0
    assert str(picture) in capsys.readouterr().out.replace("\n", "")
    drawn = picture.read_text()
    assert all(f">{words}<" in drawn for words in ("racer", "toll bonus", "seed-0", "seed-1", "mean points a game"))


def test_where_all_seats_learn_there_is_one_panel(tmp_path: Path) -> None:
    run = a_run(tmp_path / "run", METRICS.replace("against_racer", "episodes"))
    with plt.rc_context({"svg.fonttype": "none"}):
        curves.draw_runs([run], tmp_path / "run.svg")
    drawn = (tmp_path / "run.svg").read_text()
    assert ">mean points a game<" in drawn
    assert "win rate" not in drawn


def test_what_cannot_be_drawn_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert curves.main([str(tmp_path), "--out", str(tmp_path / "none.png")]) == 2
    assert "has no metrics to draw" in capsys.readouterr().err
    assert curves.main(["run"] * 5) == 2
    assert "5 runs are too many" in capsys.readouterr().err
    run = str(a_run(tmp_path / "run"))
    assert curves.main([run, "--out", str(tmp_path / "curves.sheet")]) == 2
    assert "sheet" in capsys.readouterr().err
    assert not (tmp_path / "curves.sheet").exists()
