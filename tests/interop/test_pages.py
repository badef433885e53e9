"""The pages about libraries that are installed here do what they say."""

from pathlib import Path

import pytest

from tests.helpers.pages import INTEROP, ROOT, run_blocks


@pytest.mark.parametrize("name", INTEROP)
def test_code_blocks_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_blocks(ROOT / "docs" / name, tmp_path, monkeypatch) > 0
