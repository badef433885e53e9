"""Showing a story: on a screen with keys, or as plain lines where there is no terminal."""

from __future__ import annotations

import math
import time

from rich.console import Console
from rich.live import Live
from rich.text import Text

from ttr_env import render
from ttr_env.cli.screen import keys, panels
from ttr_env.cli.screen.screen import screen
from ttr_env.cli.screen.story import Story

_FASTEST, _SLOWEST = 64.0, 0.25  # decisions a second, by keys
_LOOK_AGAIN = 0.25  # seconds after which a terminal that waits is looked at: it may have another size


def show(story: Story, console: Console, speed: float, at: int = 0, paused: bool = False) -> None:
    """Show a story from position `at` on; the final position stays on the terminal."""
    if not console.is_terminal or console.is_dumb_terminal:
        tell(story, console)
        return
    player = _Player(story, speed, at, paused)
    with keys.single_keys(), Live(console=console, screen=True, auto_refresh=False) as live:
        shown: object = None
        while not player.over:
            wanted = (player.index, console.size, player.footer())
            if wanted != shown:
                live.update(screen(story, *wanted), refresh=True)
                shown = wanted
            player.wait()
    conclude(story, player.index, console)


def tell(story: Story, console: Console, last: int | None = None) -> None:
    """Print what happens, a line for each decision, and the position at the end."""
    index = 0
    while (last is None or index < last) and story.reach(index + 1) > index:
        index += 1
        line = panels.deed(story.deeds[index - 1], story.names)
        console.print(f"{index:>4} ", line, sep="", highlight=False, soft_wrap=True)
    game = story.positions[index]
    console.print(render.to_text(game, colour=False), highlight=False, markup=False, soft_wrap=True)
    if game.over:
        console.print(panels.verdict(game.result(), story.names))


def conclude(story: Story, index: int, console: Console) -> None:
    """How it ended, or where it was left."""
    game = story.positions[index]
    if not game.over:
        console.print(Text(f"Left at decision {index}; {story.names[game.player]} is to move."))
        return
    console.print(panels.scores(game.result(), story.names))
    console.print(panels.verdict(game.result(), story.names))


class _Player:
    """Where in a story the viewer is, and how it goes on."""

    def __init__(self, story: Story, speed: float, at: int, paused: bool) -> None:
        self.story, self.speed, self.paused = story, speed, paused
        self.index = story.reach(at)
        self.over = False
        self._due = time.monotonic() + 1 / speed

    def footer(self) -> str:
        """The state of the player, and the keys."""
        return f"{'paused' if self.paused else f'{self.speed:g} a second'}   {keys.HINT}"

    def wait(self) -> None:
        """Wait for the next decision's time or a key, and do what it asks for."""
        ended = self.story.reach(self.index + 1) == self.index
        resting = self.paused or ended
        key = keys.wait(_LOOK_AGAIN if resting else max(0.0, self._due - time.monotonic()), forever=resting)
        if key is None:
            if not resting:
                self._go(1)
        elif key == "quit" or (ended and key == "other"):
            self.over = True
        else:
            self._obey(key)

    def _obey(self, key: str) -> None:
        if key == "pause":
            self.paused = not self.paused
            self._due = time.monotonic()
        elif key in ("faster", "slower"):
            self.speed = min(_FASTEST, max(_SLOWEST, self.speed * (2 if key == "faster" else 0.5)))
            self._due = time.monotonic() + 1 / self.speed
        elif key in ("forth", "back"):
            self.paused = True
            self._go(1 if key == "forth" else -1)
        elif key in ("first", "last"):
            self.paused = True
            self._go(-math.inf if key == "first" else math.inf)

    def _go(self, steps: float) -> None:
        last = steps == math.inf
        self.index = self.story.finish() if last else self.story.reach(int(max(0, self.index + steps)))
        self._due = time.monotonic() + 1 / self.speed
