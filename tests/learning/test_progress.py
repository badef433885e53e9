"""What a run writes down can be read again, also when the end of it is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from ttr_env.learning.progress import read_metrics

WHOLE = "update,steps,seconds\n1,128,0.5\n2,256,\n"


@pytest.mark.parametrize("end", ["", "3", "3,384", "\n", ",,\n", "x,384,0.5\n", "3,384,0.5,7\n", "\xff\x00"])
def test_lines_that_are_not_whole_are_left_out(tmp_path: Path, end: str) -> None:
    (tmp_path / "metrics.csv").write_bytes((WHOLE + end).encode("latin-1"))
    assert [list(row.values()) for row in read_metrics(tmp_path)] == [["1", "128", "0.5"], ["2", "256", ""]]


def test_a_run_that_has_written_nothing_has_no_lines(tmp_path: Path) -> None:
    assert read_metrics(tmp_path) == []
