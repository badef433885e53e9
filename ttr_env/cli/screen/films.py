"""A story as a film: one picture for each decision, as a GIF or an MP4."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console

from ttr_env import render
from ttr_env.arena.waiting import along, note
from ttr_env.cli.errors import UserError, blame_the_user
from ttr_env.cli.records import check_writable
from ttr_env.cli.screen.story import Story
from ttr_env.errors import install_command
from ttr_env.game.files import in_one_piece
from ttr_env.render.films import LAST, write_gif

_SMOOTH = 12.0  # pictures a second that every video player can show


@dataclass(frozen=True)
class Film:
    """What to write, and how."""

    gif: Path | None
    mp4: Path | None
    speed: float  # decisions a second
    width: int  # pixels

    @property
    def wanted(self) -> bool:
        """Whether any file was asked for."""
        return self.gif is not None or self.mp4 is not None

    def check(self) -> None:
        """Complain now about what could not be written in the end."""
        check_writable(self.gif)
        check_writable(self.mp4)
        if self.mp4 is not None:
            if self.mp4.suffix.lower() != ".mp4":  # by which the encoder knows what to write
                raise UserError(f"--mp4 {self.mp4}: the file's name must end in .mp4")
            try:
                import imageio_ffmpeg  # noqa: F401 - only whether it is there
            except ModuleNotFoundError as error:
                raise UserError(f"--mp4 needs imageio-ffmpeg: {install_command('video')}") from error

    def write(self, story: Story, last: int | None, console: Console) -> None:
        """Write the files that were asked for, up to position `last` or to the end."""
        with note(console, "playing the game"):
            end = story.finish() if last is None else story.reach(last)
        with blame_the_user(OSError):
            if self.gif is not None:
                with in_one_piece(self.gif) as file:
                    self._write_gif(story, end, file, console)
                _tell(self.gif, end, console)
            if self.mp4 is not None:
                with in_one_piece(self.mp4) as file:
                    self._write_mp4(story, end, file, console)
                _tell(self.mp4, end, console)

    def _write_gif(self, story: Story, end: int, file: Path, console: Console) -> None:
        pictures = self._pictures(story, end, "drawing pictures", console)
        write_gif(file, pictures, self._picture(story, end), end, self.speed)

    def _write_mp4(self, story: Story, end: int, file: Path, console: Console) -> None:
        import imageio_ffmpeg

        repeat = math.ceil(_SMOOTH / self.speed)
        height, width = (side // 2 * 2 for side in self._picture(story, end).shape[:2])  # the codec wants even sides
        writer = imageio_ffmpeg.write_frames(str(file), (width, height), fps=self.speed * repeat, macro_block_size=2)
        writer.send(None)
        last = max(repeat, round(LAST * self.speed * repeat))
        for index, picture in enumerate(self._pictures(story, end, "drawing pictures", console)):
            frame = np.ascontiguousarray(picture[:height, :width])
            for _ in range(last if index == end else repeat):
                writer.send(frame)
        writer.close()

    def _pictures(self, story: Story, end: int, what: str, console: Console) -> Iterator[np.ndarray]:
        for index in along(console, what, range(end + 1)):
            yield self._picture(story, index)

    def _picture(self, story: Story, index: int) -> np.ndarray:
        return render.to_rgb(story.positions[index], width=self.width, names=story.names)


def _tell(file: Path, end: int, console: Console) -> None:
    """Say what was written."""
    megabytes = file.stat().st_size / 1e6
    console.print(f"{file}: {end + 1} pictures, {megabytes:.1f} MB", highlight=False, markup=False, soft_wrap=True)
