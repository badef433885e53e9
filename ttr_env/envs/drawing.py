"""`render()` for all environments."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ttr_env.game import Game
from ttr_env.maps.faults import shortened
from ttr_env.options import check_perspective

RENDER_MODES = ("human", "rgb_array", "ansi")


class Drawing:
    """Draws a game in the mode that was chosen at construction; nothing graphical is imported before that."""

    def __init__(
        self, mode: str | None, perspective: int | str | None, players: int, pictures_per_second: float
    ) -> None:
        """Choose how to draw.

        Args:
            mode: None or one of `RENDER_MODES`.
            perspective: the seat whose knowledge is drawn; None draws everything.
            players: how many seats there are.
            pictures_per_second: how fast a window goes at most; `render_fps` in the metadata of an environment.
        """
        if mode is not None and mode not in RENDER_MODES:
            right = f"choose None or one of {', '.join(RENDER_MODES)}"
            raise ValueError(f"render_mode: {shortened(mode)} is unknown; {right}")
        if mode == "human":
            from ttr_env.render import window

            window.require()
        self.mode = mode
        self.perspective = check_perspective(perspective, players)
        self._players = players
        self._rate = pictures_per_second
        self._window: Any = None

    def draw(self, game: Game) -> np.ndarray | str | None:
        """The picture or text of a game, or None where it was shown in a window or no mode was chosen."""
        if self.mode is None:
            return None
        from ttr_env import render

        if self.mode == "ansi":
            return render.to_text(game, self.perspective, colour=not os.environ.get("NO_COLOR"))
        pixels = render.to_rgb(game, self.perspective)
        if self.mode == "rgb_array":
            return pixels
        if self._window is None:
            from ttr_env.render.window import Window

            self._window = Window(pictures_per_second=self._rate)
        self._window.show(pixels)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_window": None}  # a window stays with the environment that opened it

    def __deepcopy__(self, memo: dict[int, Any]) -> Drawing:
        return Drawing(self.mode, self.perspective, self._players, self._rate)
