"""The soak itself: a round of it works, and what grows is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak import __main__ as program
from tests.soak.vitals import FEWEST_ROUNDS, Vitals, faults

STEADY = [Vitals(500.0, 8, 3)] * FEWEST_ROUNDS


@pytest.mark.slow
def test_a_round(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["--minutes", "0.01", "--out", str(tmp_path)]) == 0
    header, first = (tmp_path / "rounds.csv").read_text().splitlines()
    assert header.split(",") == list(program.COLUMNS) and first.startswith("1,")
    printed = capsys.readouterr().out
    assert "round 1," in printed and "No invariant was broken" in printed


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        (Vitals(514.0, 8, 3), []),
        (Vitals(520.0, 8, 3), ["memory grew from 500 to 520 MB"]),
        (Vitals(500.0, 9, 3), ["handles grew from 8 to 9"]),
        (Vitals(400.0, 8, 5), ["threads grew from 3 to 5"]),
    ],
)
def test_growth_is_found(last: Vitals, expected: list[str]) -> None:
    assert faults([*STEADY, last, last, last]) == expected


def test_a_single_peak_is_no_growth() -> None:
    assert faults([*STEADY, Vitals(900.0, 20, 9), *STEADY[:4]]) == []


def test_a_few_rounds_tell_nothing() -> None:
    assert faults([Vitals(100.0 * number, number, number) for number in range(FEWEST_ROUNDS - 1)]) == []
