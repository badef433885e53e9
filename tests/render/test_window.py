"""The window, on a screen that is none."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import pytest

from ttr_env import Game, render
from ttr_env.render.window import Window

pygame = pytest.importorskip("pygame")


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    window = Window("a test")
    yield window
    window.close()


def test_it_shows_the_picture(window: Window) -> None:
    picture = render.to_rgb(Game(seed=1), width=300)
    window.show(picture)
    shown = pygame.surfarray.array3d(pygame.display.get_surface()).transpose(1, 0, 2)
    assert np.array_equal(shown, picture)
    assert pygame.display.get_caption()[0] == "a test"


def test_it_takes_the_size_of_the_picture(window: Window) -> None:
    for height, width in ((20, 30), (40, 60)):
        window.show(np.zeros((height, width, 3), np.uint8))
        assert pygame.display.get_surface().get_size() == (width, height)


def test_somebody_closes_it(window: Window) -> None:
    window.show(np.zeros((20, 30, 3), np.uint8))
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(np.zeros((20, 30, 3), np.uint8))
    assert window.closed and not pygame.display.get_init()
    window.show(np.zeros((20, 30, 3), np.uint8))  # is not shown, and does no harm
    assert not pygame.display.get_init()


def test_it_can_be_closed_twice(window: Window) -> None:
    window.close()
    window.close()
    assert window.closed


def test_it_keeps_time(window: Window) -> None:
    slow = Window(pictures_per_second=20)
    start = pygame.time.get_ticks()
    for _ in range(3):
        slow.show(np.zeros((20, 30, 3), np.uint8))
    assert pygame.time.get_ticks() - start >= 90


def test_without_pygame_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygame", None)
    with pytest.raises(ImportError, match=r"needs pygame-ce: pip install .*\[human\]'"):
        Window()
