"""A server without a port."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.helpers.visitor import HERE
from ttr_env.web.app import Server
from ttr_env.web.hall import Hall
from ttr_env.web.limits import Limits

STRANGE = [f"tests.helpers.strange:{name}" for name in ("Sleeper", "Raiser", "Quitter", "Cheater")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A server with agents that go wrong, short patience, and a folder for records."""
    limits = Limits(tables=24, thinking=3.0, body_bytes=20_000, message_bytes=2_000, messages=300, grace=0.01)
    return Server(Hall(STRANGE, tmp_path_factory.mktemp("server") / "records", limits))


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[TestClient]:
    with TestClient(server.app, base_url=HERE) as client:
        yield client


@pytest.fixture
def records(server: Server) -> Path:
    """Where records are kept."""
    folder = server.hall.save
    assert folder is not None
    return folder


@pytest.fixture(autouse=True)
def _no_tables_are_left(server: Server) -> Iterator[None]:
    yield
    for table in list(server.hall.rooms):
        server.hall.rooms.pop(table)
