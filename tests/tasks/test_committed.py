"""The results that come with the project: of the tasks as they are, true, and what the references were found from."""

from pathlib import Path

import pytest

from ttr_env.tasks import definitions, leaderboard, results
from ttr_env.tasks.references import references
from ttr_env.tasks.results import ENDING, Result
from ttr_env.tasks.verifying import verify

FOLDER = Path(__file__).parents[2] / "docs" / "benchmark"
WITH_GAMES = sorted(FOLDER.rglob(f"*{ENDING}"))


@pytest.fixture(scope="module")
def committed() -> list[Result]:
    return list(leaderboard.found_in(FOLDER).values())


def test_every_task_has_results_of_its_present_version(committed: list[Result]) -> None:
    found = leaderboard.by_task(committed)
    assert list(found) == definitions.names()
    assert sum(map(len, found.values())) == len(committed)
    for told in found.values():
        assert {result.terms.agent for result in told} >= {*definitions.PUBLIC, "planner:version=2"}
        assert all(result.complete and result.terms.opponents for result in told)


def test_references_follow_from_them(committed: list[Result]) -> None:
    for task, numbers in references(committed).items():
        assert definitions.load(task).references == definitions.References(**numbers)


@pytest.mark.slow
@pytest.mark.parametrize("file", WITH_GAMES, ids=lambda file: file.name)
def test_games_are_true(file: Path) -> None:
    agent = results.read(file).terms.agent
    report = verify(file, agent)
    assert report.true and report.agent_asked


def test_some_have_their_games() -> None:
    assert WITH_GAMES
