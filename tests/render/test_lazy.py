"""Nothing graphical is imported before something is drawn."""

from __future__ import annotations

import subprocess
import sys

import pytest

GRAPHICAL = {"PIL", "pygame", "matplotlib"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import ttr_env", set()),
        ("import ttr_env.render; ttr_env.Game(seed=1)", set()),
        ("from ttr_env import Game, render; render.to_svg(Game(seed=1)); render.to_text(Game(seed=1))", set()),
        ("from ttr_env import Game, render; render.page(Game(seed=1), explain=['champion'])", set()),
        ("from ttr_env import Game, render; render.to_rgb(Game(seed=1), width=100)", {"PIL"}),
    ],
)
def test_what_is_imported(code: str, expected: set[str]) -> None:
    listing = "import sys; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", f"{code}; {listing}"], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) & GRAPHICAL == expected
