"""The benchmarks run; how fast they are is not tested."""

from __future__ import annotations

import doctest
import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from benchmarks import adapters, datasets, libraries, maps, networks, pairs, paths, run
from ttr_env.agents import policy_file
from ttr_env.agents.scorer import Scorer
from ttr_env.engine import layout


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    policy_file.save(Scorer.random(np.random.default_rng(0)), tmp_path / "policy.npz")
    return tmp_path / "policy.npz"


@pytest.mark.needs("sb3_contrib")
def test_a_quick_run_measures_and_reports(tmp_path: Path, policy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    report = run.main(["--quick", "--repeats", "1", "--json", str(file), "--policy", str(policy)])
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
    one, two = (timing["seconds"] for timing in report["timings"] if timing["name"].startswith("self-play"))
    assert report["ratios"] == {"self-play with 2 threads, to 1": pytest.approx(one / two)}
    assert f"{one / two:.2f}x" in printed
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


def test_a_file_that_is_no_policy_is_refused_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "policy.npz").write_text("nothing")
    with pytest.raises(SystemExit):
        run.main(["--quick", "--policy", str(tmp_path / "policy.npz")])
    assert "is not a policy file" in capsys.readouterr().err


def test_both_ways_of_training_are_measured(policy: Path) -> None:
    pytest.importorskip("sb3_contrib")
    measured = {case.name: case.run() for case in networks.network_cases(networks.trained(policy), 1, with_loops=True)}
    steps, seconds = measured[networks.STEPPING]
    assert steps == 26 * 32 and seconds > 0
    assert 26 * 20 < measured[networks.WHOLE_GAMES][0] < 26 * 200
    assert measured[networks.ONE_THREAD][0] == measured[networks.TWO_THREADS][0] > 20 * 50  # the same games
    assert {name for pair in networks.COMPARED.values() for name in pair} <= set(measured)


def test_the_table_of_maps() -> None:
    lines = maps.main(["--games", "20", "--repeats", "1"]).splitlines()
    assert len(lines) == 2 + len(maps.tables())
    itself = [line.split(" | ")[-1] for line in lines if line.startswith("| Nederland |")]
    assert itself == ["1.00 |"] * 4


def test_the_table_of_paths() -> None:
    lines = paths.main(["--networks", "2"]).splitlines()
    assert len(lines) == 2 + len(paths.KINDS)


def test_data_sets_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    found = datasets.main(["--games", "4", "--repeats", "1"])
    assert set(found) == set(datasets.SIGHTS) and min(found.values()) > 0
    assert "load, planning" in capsys.readouterr().out


@pytest.mark.needs("pyspiel")
def test_openspiel_is_measured_beside_its_own_game(capsys: pytest.CaptureFixture[str]) -> None:
    found = libraries.main(["--repeats", "1", "--effort", "1", "--only", "openspiel"])
    assert found[libraries.OURS] > 0
    assert f"{found[libraries.OURS]:.2f}x {libraries.GIN_RUMMY}" in capsys.readouterr().out


@pytest.mark.slow
def test_every_library_that_is_installed_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    libraries.main(["--repeats", "1", "--effort", "1"])
    shown = capsys.readouterr().out
    for adapter in adapters.ADAPTERS:
        assert bool(find_spec(adapter.library)) == (adapter.name in shown)


def test_the_examples_in_docstrings() -> None:
    assert doctest.testmod(run) == (0, 2)


@pytest.mark.slow  # two processes start
def test_two_checkouts_are_timed_in_turns() -> None:
    """Here one with itself; `checkout` is left out, since a release has no git."""
    sides = pairs.Side(pairs.HERE), pairs.Side(pairs.HERE)
    try:
        assert (pairs.ratio(*sides, "vector environment, against racer", pairs=3) or 0) > 0
        sides[0].process.kill()
        with pytest.raises(SystemExit, match="ended"):
            pairs.ratio(*sides, "Batch, base", pairs=3)
    finally:
        for side in sides:
            side.end()
