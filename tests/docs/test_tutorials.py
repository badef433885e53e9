"""The tutorials run as they stand."""

import importlib.util
from pathlib import Path

import pytest

from docs.site import tutorials

MARKS = {
    "cleanrl_ppo": [pytest.mark.needs("torch")],
    "openspiel": [pytest.mark.needs("pyspiel")],
    "rllib": [pytest.mark.needs("ray"), pytest.mark.slow],
    "sb3_ppo": [pytest.mark.needs("sb3_contrib"), pytest.mark.slow],
    "tianshou_dqn": [pytest.mark.needs("tianshou")],  # `make interop` installs these two
    "torchrl_ppo": [pytest.mark.needs("torchrl")],
}


@pytest.mark.parametrize(
    "script", [pytest.param(file, marks=MARKS.get(file.stem, ()), id=file.stem) for file in tutorials()]
)
def test_a_tutorial_runs(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(script.read_text(encoding="utf-8"), script.name, "exec"), {"__name__": "tutorial"})


@pytest.mark.parametrize("script", tutorials(), ids=lambda file: file.stem)
def test_no_tutorial_hides_a_library(script: Path) -> None:
    """Where a script has a library's name, it is imported in its place by all that lies in its folder."""
    assert importlib.util.find_spec(script.stem) is None
