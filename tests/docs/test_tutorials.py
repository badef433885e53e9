"""The tutorials run as they stand."""

from pathlib import Path

import pytest

from docs.site import tutorials

NEEDS = {"openspiel": "pyspiel", "rllib": "ray", "stable_baselines3": "sb3_contrib"}


@pytest.mark.parametrize(
    "script",
    [pytest.param(file, marks=pytest.mark.needs(NEEDS.get(file.stem, "numpy")), id=file.stem) for file in tutorials()],
)
def test_a_tutorial_runs(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(script.read_text(encoding="utf-8"), script.name, "exec"), {"__name__": "tutorial"})
