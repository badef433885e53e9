"""The tutorials run as they stand."""

from pathlib import Path

import pytest

from docs.site import tutorials

MARKS = {
    "openspiel": [pytest.mark.needs("pyspiel")],
    "rllib": [pytest.mark.needs("ray"), pytest.mark.slow],
    "stable_baselines3": [pytest.mark.needs("sb3_contrib"), pytest.mark.slow],
}


@pytest.mark.parametrize(
    "script", [pytest.param(file, marks=MARKS.get(file.stem, ()), id=file.stem) for file in tutorials()]
)
def test_a_tutorial_runs(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(script.read_text(encoding="utf-8"), script.name, "exec"), {"__name__": "tutorial"})
