"""What the README shows can be copied and run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def test_there_are_examples() -> None:
    assert BLOCKS


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_each_example_runs_by_itself(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block, README.name, "exec"), {"__name__": "__main__"})
    if "print(" in block:
        assert capsys.readouterr().out
