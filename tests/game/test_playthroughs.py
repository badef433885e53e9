"""The games told in `tests/playthroughs/` are still played in just that way."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers.playthroughs import FOLDER, GAMES, tell
from tests.helpers.variants import variant_name

NAMES = [variant_name(options) for options, _ in GAMES]


@pytest.mark.parametrize(("options", "seed"), GAMES, ids=NAMES)
def test_the_game_is_as_it_was_told(options: dict[str, Any], seed: int) -> None:
    told = (FOLDER / f"{variant_name(options)}.txt").read_text(encoding="utf-8")
    # If the change is intended: python -m tests.helpers.playthroughs, then read what changed before you keep it.
    assert tell(options, seed).splitlines() == told.splitlines()


def test_every_told_game_is_compared() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(NAMES)
