"""What is shown while something takes its time is shown on a terminal, and nowhere else."""

import io

import pytest
from rich.console import Console

from ttr_env.arena import waiting


def shown(terminal: bool) -> str:
    console = Console(file=io.StringIO(), force_terminal=terminal, width=80)
    with waiting.note(console, "getting ready"):
        pass
    assert list(waiting.along(console, "drawing", range(3))) == [0, 1, 2]
    with waiting.bar(console, "games") as show:
        show(2, 5)
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_pipes_and_files_get_nothing() -> None:
    assert shown(terminal=False) == ""


@pytest.mark.parametrize("words", ["getting ready", "drawing", "games", "2/5"])
def test_a_terminal_is_told_what_is_done(words: str) -> None:
    assert words in shown(terminal=True)
