"""The end of a run says what to do next, in words that a shell takes as they are."""

import io
import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from ttr_env.learning import conclusion

pytestmark = pytest.mark.needs("torch")


@pytest.mark.parametrize("name", ["run", "sp run", "it's [bold]mine"])
def test_the_command_can_be_typed_as_it_is(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conclusion, "draw_curves", lambda folder: None)
    monkeypatch.setattr(conclusion, "evaluate_policy", lambda *given: None)
    game = SimpleNamespace(model_dump=lambda: {"map": "mini", "players": 2, "tolls": None, "neutral_player": False})
    settings = SimpleNamespace(run=SimpleNamespace(appraisal_games=0), game=game)
    trainer: Any = SimpleNamespace(folder=tmp_path / name, settings=settings, steps=7, export=lambda file: None)
    told = io.StringIO()
    conclusion.conclude(trainer, Console(file=told))
    [line] = [line for line in told.getvalue().splitlines() if line.startswith("Evaluate it further: ")]
    words = shlex.split(line.partition(": ")[2])
    assert words[:6] == ["ttr", "evaluate", "--agents", f"policy:{tmp_path / name}/policy.npz", "--against", "champion"]
    assert f"The policy is in {tmp_path / name}/policy.npz" in told.getvalue()
