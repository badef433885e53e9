"""Tests of what is not installed are left out, and the summary says which: `make matrix` runs without some extras.

What is left out are modules of tests, and of the package, that import what only an extra of pyproject.toml brings,
tests that do so when they run, and those that are marked with `needs`. Where such a library is installed and broken,
that is an error as ever.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Generator, Iterator
from typing import Any

import pytest

EXTRAS = (  # by the name they are imported by
    "choix",
    "cma",
    "jupytext",
    "matplotlib",
    "minari",
    "moviepy",
    "pyarrow",
    "pydantic",
    "pyspiel",
    "ray",
    "sb3_contrib",
    "stable_baselines3",
    "starlette",
    "tensorboard",
    "tianshou",
    "torch",
    "torchrl",
    "tqdm",
    "uvicorn",
    "websockets",
    "yaml",
    "zensical",
)
MISSING = {name for name in EXTRAS if importlib.util.find_spec(name) is None}

left_out: dict[str, str] = {}  # what was not collected, and the library that it needs


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Take a module whose import failed for want of such a library for an empty one."""
    report = yield
    call: Any = getattr(report, "call", None)
    for error in _causes(call.excinfo.value if call and call.excinfo else None):
        library = _missing(error)
        if library:
            left_out[collector.nodeid] = library
            return pytest.CollectReport(report.nodeid, "passed", None, [])
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Skip a test that imports such a library while it runs."""
    try:
        return (yield)
    except ImportError as failed:
        for error in _causes(failed):
            library = _missing(error)
            if library:
                left_out[item.nodeid] = library
                pytest.skip(f"needs {library}")
        raise


def _missing(error: BaseException) -> str | None:
    """The library for want of which an import failed, of it or of a module that was left out."""
    name = getattr(error, "name", None) or ""
    if isinstance(error, ModuleNotFoundError) and name.partition(".")[0] in MISSING:
        return name.partition(".")[0]
    return left_out.get(f"{name.replace('.', '/')}.py") if isinstance(error, ImportError) else None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out the tests that are marked with what is missing."""
    kept = []
    for item in items:
        needed = [name for mark in item.iter_markers("needs") for name in mark.args if name in MISSING]
        if needed:
            left_out[item.nodeid] = needed[0]
        else:
            kept.append(item)
    items[:] = kept


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the process that prints the summary, where pytest-xdist runs several."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = left_out


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Hear from a process of pytest-xdist what it left out."""
    left_out.update(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what was left out."""
    for library in sorted(set(left_out.values())):
        places = sorted(place for place, needed in left_out.items() if needed == library)
        terminalreporter.write_line(f"not installed: {library}; left out: {', '.join(places)}")
