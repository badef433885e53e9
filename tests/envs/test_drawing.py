"""Pictures of the environments: `render_fps` is the rate of the window."""

import copy
from typing import Any

import gymnasium
import pytest

import ttr_env
from ttr_env.render import window

pytest.importorskip("pygame")


@pytest.mark.parametrize(
    "make", [ttr_env.raw_env, lambda **options: gymnasium.make("ttr_env/Nederland-v0", **options).unwrapped]
)
@pytest.mark.parametrize("duplicate", [lambda env: env, copy.deepcopy])
def test_the_window_goes_as_fast_as_the_metadata_says(
    make: Any, duplicate: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = []

    class Rates(window.Window):
        def __init__(self, title: str = "", pictures_per_second: float | None = None) -> None:
            rates.append(pictures_per_second)
            super().__init__(title, None)  # a test need not wait

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(window, "Window", Rates)
    env = duplicate(make(render_mode="human"))
    env.reset(seed=1)
    env.render()
    env.close()
    assert rates == [env.metadata["render_fps"]] == [2]


@pytest.mark.parametrize(("wish", "coloured"), [(None, True), ("", True), ("1", False)])
def test_text_has_no_colours_where_none_are_wanted(
    wish: str | None, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As https://no-color.org has it."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    if wish is not None:
        monkeypatch.setenv("NO_COLOR", wish)
    env = ttr_env.env(render_mode="ansi")
    env.reset(seed=1)
    assert ("\x1b" in env.render()) is coloured
