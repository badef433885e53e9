"""The block of the documentation that needs a server."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "language-models.md"


def test_the_block_runs(url: str) -> None:
    [block] = re.findall(r"^```py\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert "http://127.0.0.1:8000" in block
    exec(compile(block.replace("http://127.0.0.1:8000", url), PAGE.name, "exec"), {})
