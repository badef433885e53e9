"""A window that shows pictures as they come, for `render_mode="human"`; it needs pygame-ce."""

from __future__ import annotations

import os
from types import ModuleType

import numpy as np

from ttr_env.errors import install_command


class Window:
    """A window on the screen, opened with its first picture.

    When somebody closes it, it stays closed: further pictures are not shown, and play goes on.

    >>> window = Window("Nederland")
    >>> window.closed
    False
    """

    def __init__(self, title: str = "ttr-env", pictures_per_second: float | None = None) -> None:
        """Make a window.

        Args:
            title: what stands on it.
            pictures_per_second: `show` waits so that there are no more than these; None does not wait.
        """
        self.closed = False
        self._title, self._rate = title, pictures_per_second
        self._pygame = require()
        self._clock = self._pygame.time.Clock()

    def show(self, picture: np.ndarray) -> None:
        """Show a picture, uint8 [height, width, 3]."""
        if self.closed:
            return
        height, width = picture.shape[:2]
        display = self._pygame.display
        surface = display.get_surface() if display.get_init() else None
        if surface is None or surface.get_size() != (width, height):
            display.init()
            surface = display.set_mode((width, height))
            display.set_caption(self._title)
        surface.blit(self._pygame.image.frombuffer(picture.tobytes(), (width, height), "RGB"), (0, 0))
        display.flip()
        if any(event.type == self._pygame.QUIT for event in self._pygame.event.get()):
            self.close()
        elif self._rate is not None:
            self._clock.tick(self._rate)

    def close(self) -> None:
        """Close the window for good; closing it twice does no harm."""
        if not self.closed:
            self._pygame.display.quit()
        self.closed = True


def require() -> ModuleType:
    """Pygame, which windows need; `ImportError` says how to install it."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it greets on standard output otherwise
    try:
        import pygame
    except ImportError:
        raise ImportError(f"a window needs pygame-ce: {install_command('human')}") from None
    return pygame
