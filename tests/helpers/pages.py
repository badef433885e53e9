"""The code blocks of the documentation, run as they stand."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Pages about libraries that `make interop` installs, and runs them with.
INTEROP = ("tianshou.md", "torchrl.md")
AGILERL = ("agilerl.md", "minari.md")  # AgileRL brings Minari

_PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def run_blocks(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run all blocks of a page in an empty folder; returns how many there are."""
    for name in ("docs", "tests"):  # some of them read files from there
        (folder / name).symlink_to(ROOT / name)
    monkeypatch.chdir(folder)  # and some save others
    blocks = _PYTHON_BLOCK.findall(page.read_text(encoding="utf-8"))
    for number, block in enumerate(blocks):
        exec(compile(block, f"{page.name}, block {number}", "exec"), {})
    return len(blocks)
