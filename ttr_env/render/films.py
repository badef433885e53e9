"""A game as a film: one picture for each position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO

import numpy as np
from PIL import Image

from ttr_env.game import Game

from . import to_rgb

LAST = 4.0  # seconds that the final picture stays


def gif(
    game: Game,
    file: IO[bytes],
    perspective: int | None = None,
    width: int = 720,
    speed: float = 2.0,
    names: Sequence[str] = (),
) -> None:
    """Write a game as a GIF, with so many decisions a second, and the players' names where they are given."""
    frames = (to_rgb(position, perspective, width, names) for position in game.history())
    write_gif(file, frames, to_rgb(game, perspective, width, names), len(game.actions), speed)


def write_gif(
    file: Path | IO[bytes], frames: Iterable[np.ndarray], fullest: np.ndarray, decisions: int, speed: float
) -> None:
    """Write pictures, one more than there were decisions, as a GIF.

    Args:
        file: where to.
        frames: the pictures.
        fullest: the one with most colours. All share its palette: what stays the same is then stored once.
        decisions: how many there were.
        speed: decisions a second.
    """
    palette = Image.fromarray(fullest).quantize(255)
    quantized = (Image.fromarray(frame).quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)
    durations = [round(1000 / speed)] * decisions + [round(1000 * LAST)]
    next(quantized).save(file, "GIF", save_all=True, append_images=quantized, duration=durations, loop=0)
