"""A story as a page for a browser."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from rich.console import Console

from ttr_env.agents.registry import make
from ttr_env.arena.waiting import along, note
from ttr_env.cli.errors import UserError, blame_the_user
from ttr_env.cli.options import PageWish
from ttr_env.cli.records import check_writable
from ttr_env.cli.screen.story import Story
from ttr_env.render.pages import page_of


@dataclass(frozen=True)
class PageFile:
    """The page to write, if one was asked for."""

    wish: PageWish

    @property
    def wanted(self) -> bool:
        """Whether any file was asked for."""
        return self.wish.html is not None

    def check(self) -> None:
        """Complain now about what could not be written in the end."""
        if not self.wanted and (self.wish.explain or self.wish.perspective is not None):
            raise UserError("--explain and --perspective are about a page; name its file with --html FILE")
        check_writable(self.wish.html)
        with blame_the_user(ValueError):
            for agent in self.wish.explain or ():
                make(agent)

    def write(self, story: Story, last: int | None, console: Console) -> None:
        """Write the page if it was asked for, up to position `last` or to the end."""
        file = self.wish.html
        if file is None:
            return
        with note(console, "playing the game"):
            end = story.finish() if last is None else story.reach(last)
        shown = functools.partial(along, console, f"writing {file.name}")
        with blame_the_user(ValueError):
            page = page_of(story.positions[end], story.names, self.wish.perspective, self.wish.explain or (), shown)
            page.save(file)
        kilobytes = file.stat().st_size / 1e3
        told = f"{file}: {end + 1} positions, {kilobytes:.0f} kB"
        console.print(told, highlight=False, markup=False, soft_wrap=True)
