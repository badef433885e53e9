"""Tuning the planner: games are judged as the arena would, and a search goes on where it was left."""

from pathlib import Path

import numpy as np
import pytest

from ttr_env.arena.tables import Table
from ttr_env.bots.beliefs import FIRST
from ttr_env.learning import tune
from ttr_env.learning.tuning import DRAWER, START, Judge, Search, beliefs_of, numbers
from ttr_env.options import Variant

TABLE = Variant.of("nederland", players=2)
DEALS = np.arange(100, 130, dtype=np.uint64)


def test_version_1_is_as_good_as_itself() -> None:
    [match] = Judge(TABLE).play([FIRST], "planner:version=1", DEALS)
    [same] = Judge(TABLE).play([FIRST], FIRST, DEALS)
    assert match == same
    assert match.wins == pytest.approx(0.5, abs=0.02)  # both win where they are level
    assert match.value == pytest.approx(0.5)


@pytest.mark.parametrize("players", [2, 4])
def test_candidates_are_judged_each_by_itself_on_any_number_of_threads(players: int) -> None:
    table = Variant.of("nederland", players=players)
    together = Judge(table, threads=2).play([FIRST, DRAWER], "racer", DEALS)
    apart = [Judge(table).play([each], "racer", DEALS)[0] for each in (FIRST, DRAWER)]
    assert together == apart and together[0] != together[1]


def test_wins_are_those_of_the_arena(tmp_path: Path) -> None:
    arena = Table(("planner:version=1", "racer"), TABLE, seed=3, folder=tmp_path)
    for _ in arena.play(400):
        pass
    [match] = Judge(TABLE).play([FIRST], "racer", np.arange(200, dtype=np.uint64))
    assert match.wins == pytest.approx(arena.played().shares()[:, 0].mean(), abs=0.06)


def test_numbers_stand_for_beliefs() -> None:
    assert beliefs_of(numbers(START)) == pytest.approx(START, abs=0.01)
    extreme = beliefs_of(numbers(START) + 3)
    assert min(extreme) > 0 and extreme.confidence <= 1


def test_a_search_goes_on_where_it_was_left(tmp_path: Path) -> None:
    whole = Search(TABLE, 2, seed=1, file=tmp_path / "whole.json")
    assert [generation.number for generation in whole.generations(3)] == [1, 2, 3]
    file = tmp_path / "parts.json"
    for last in (1, 3):
        parts = Search(TABLE, 2, seed=1, file=file)
        list(parts.generations(last))
    assert parts.best == whole.best
    assert file.read_text() == (tmp_path / "whole.json").read_text()
    with pytest.raises(ValueError, match=r"made with other settings: .*choose another --out"):
        Search(TABLE, 3, seed=1, file=file)


def test_the_program_prints_what_was_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tune, "TEST_DEALS", 5)
    arguments = ["--players", "3", "--generations", "1", "--deals", "1", "--out", str(tmp_path)]
    assert tune.main(arguments) == 0
    printed = capsys.readouterr().out
    assert "generation 1: its candidates are worth 0." in printed
    assert "of 15 games against racer" in printed and "Beliefs(spare_train=" in printed
    for wrong, message in ((["--players", "9"], "2 to 5 players"), (["--deals", "0"], "--deals")):
        assert tune.main([*arguments, *wrong]) == 2
        assert message in capsys.readouterr().err
