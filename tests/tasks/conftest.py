"""A small test that was played once, for all tests here."""

from pathlib import Path

import pytest

from ttr_env.tasks import definitions, testing
from ttr_env.tasks.results import Result, Terms


@pytest.fixture(scope="session")
def terms() -> Terms:
    return Terms.of(definitions.load("mini-2p"), "planner", definitions.PUBLIC, deals=5)


@pytest.fixture(scope="session")
def result_file(terms: Terms, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole result; nobody changes it."""
    file = tmp_path_factory.mktemp("results") / "planner.jsonl.gz"
    testing.run(terms, file)
    return file


@pytest.fixture
def result(terms: Terms, result_file: Path) -> Result:
    from ttr_env.tasks import results

    return results.read(result_file)
