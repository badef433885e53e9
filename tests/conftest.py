"""What several tests need."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers import chromium
from tests.helpers.variants import EVERYWHERE, SOME

_RULES = """
title = "Tiny"
players = [2, 2]
trains = 8
start_points = [0, 0]
doubles_open_from = 4
[route_points]
1 = 1
2 = 2
[cards]
[tickets]
deal = 2
keep = 1
draw = 2
draw_keep = 1
discards = "public"
"""


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs a browser where there is none; what is asked at every table is slow at most of them."""
    for item in items:
        options = _parameters(item).get("options")
        if options in EVERYWHERE and options not in SOME:
            item.add_marker("slow")
    if chromium.find() is None:
        without = [item for item in items if item.get_closest_marker("browser") is None]
        config.hook.pytest_deselected(items=[item for item in items if item not in without])
        items[:] = without


def _parameters(item: pytest.Item) -> dict[str, object]:
    call = getattr(item, "callspec", None)
    return call.params if call else {}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was left out; here, as those who collect may be other processes."""
    if chromium.find() is None:
        terminalreporter.write_line(chromium.HOW_TO_GET_ONE, yellow=True)


@pytest.fixture(scope="session", autouse=True)
def _logs_among_the_temporary_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Stable-Baselines3 makes a folder whenever it learns without a logger; pytest tidies these away."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SB3_LOGDIR", str(tmp_path_factory.mktemp("sb3")))
        yield


@pytest.fixture
def tiny_board(tmp_path: Path) -> Path:
    """The folder of a small board of one's own, without tolls."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "map.toml").write_text(_RULES)
    (folder / "cities.csv").write_text("city,latitude,longitude\nA,52,4\nB,52,5\nC,51,4\nD,51,5\n")
    tracks = ["A,B,2,red", "A,B,2,blue", "B,D,1,grey", "D,C,2,green", "C,A,1,black", "A,D,2,white"]
    (folder / "tracks.csv").write_text("city_a,city_b,length,colour\n" + "\n".join(tracks) + "\n")
    tickets = ["A,D,3", "B,C,4", "A,B,2", "C,D,2", "A,C,1"]
    (folder / "tickets.csv").write_text("city_a,city_b,points\n" + "\n".join(tickets) + "\n")
    return folder
