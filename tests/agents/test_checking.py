"""`agents.check` and `ttr check`: what is wrong with an agent is found, and nothing is found where nothing is."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner

from ttr_env import agents
from ttr_env.cli.app import app

ODD = "tests.helpers.odd_agents"


@pytest.mark.parametrize("name", ["Good", "Historian"])
def test_a_good_agent_passes_at_every_table(name: str) -> None:
    report = agents.check(f"{ODD}:{name}")
    assert report.passed and report.games == 16 and report.decisions > 300, report


@pytest.mark.parametrize(
    ("name", "finding", "what"),
    [
        ("Illegal", "illegal", "pass"),
        ("Nobody", "illegal", "None"),
        ("Broken", "illegal", "it failed: KeyError: 'plan' .map=nordic, players=2"),
        ("Meddler", "illegal", "it played in the game that it was shown"),
        ("Moody", "unrepeatable", "with the same seed and game, once more"),
        ("Peeker", "dishonest", "with what its seat does not know dealt anew"),
        ("Clairvoyant", "dishonest", "it chose 'Draw a card from the deck'|dealt anew 'Draw a card from the deck'"),
        ("Dealer", "dishonest", "with what its seat does not know dealt anew it failed: TypeError"),
        ("BatchPeeker", "dishonest", "dealt anew"),
        ("TwoFaced", "unrepeatable", "asked as for many games at once"),
    ],
)
def test_what_is_wrong_is_found(name: str, finding: str, what: str) -> None:
    report = agents.check(f"{ODD}:{name}", ["nordic", "nederland"])
    assert not report.passed
    found = {each: getattr(report, each) for each in ("illegal", "unrepeatable", "dishonest")}
    assert [each for each, note in found.items() if note] == [finding], found
    assert re.search(what, found[finding]), found


def test_an_agent_may_refuse_a_map() -> None:
    report = agents.check("champion:version=1", ["usa"])
    assert not report.passed and report.games == 0 and "USA" in report.refused[0]


@pytest.mark.parametrize(
    ("arguments", "status", "shown"),
    [
        (["greedy", "--map", "nordic"], 0, ["2 games", "legal", "repeatable", "honest"]),
        ([f"{ODD}:Peeker", "--map", "nordic"], 1, ["NOT honest", "map=nordic, players=2", "decision"]),
        ([f"{ODD}:Moody", "--map", "nordic"], 1, ["NOT repeatable", "cannot be told"]),
        (["champion:version=1", "--map", "usa"], 1, ["does not play USA"]),
    ],
)
def test_the_command_says_what_was_found(arguments: list[str], status: int, shown: list[str]) -> None:
    done = CliRunner().invoke(app, ["check", *arguments])
    assert done.exit_code == status
    assert all(each in done.stdout for each in shown), done.stdout


def test_an_unknown_agent_is_named() -> None:
    done = CliRunner().invoke(app, ["check", "planer"])
    assert done.exit_code == 2 and "did you mean 'planner'" in done.stderr
