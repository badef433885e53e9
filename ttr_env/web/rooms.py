"""A room: a table with the pages that show it, and the minds of its agents. Here the game goes on by itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ttr_env.agents.chance import own_seed
from ttr_env.errors import AgentFailed, IllegalAction, StaleAction
from ttr_env.game import Game
from ttr_env.web.limits import Limits
from ttr_env.web.minds import Mind
from ttr_env.web.tables import Table

if TYPE_CHECKING:
    from ttr_env.web.pages import Page

SLOWEST = 10.0  # seconds between two decisions of agents


class Room:
    """Agents play here as fast as the pace allows, and pages are told of every change."""

    def __init__(self, table: Table, limits: Limits, finished: Callable[[Table], None]) -> None:
        """Args:
        table: what is played.
        limits: of the server.
        finished: called once, when the game is over.
        """
        self.table = table
        self.limits = limits
        self.pages: set[Page] = set()
        self.pace = 0.7  # seconds between two decisions of agents
        self.paused = False
        self.left_at = time.monotonic()  # when the last page went
        self._finished = finished
        self._mind, self._adviser = Mind(), Mind()
        self._playing: asyncio.Task[None] | None = None

    def enter(self, page: Page) -> None:
        """A page shows the table from now on; of two pages with one seat the later has it."""
        for other in list(self.pages):
            if page.seat is not None and other.seat == page.seat:
                other.leave_seat()
                self.pages.discard(other)
        self.pages.add(page)
        self.go_on()

    def leave(self, page: Page) -> None:
        """A page is closed."""
        self.pages.discard(page)
        self.left_at = time.monotonic()

    def changed(self) -> None:
        """Tell all pages, and let agents go on."""
        for page in self.pages:
            page.refresh()
        self.go_on()

    def go_on(self) -> None:
        """Let agents play, if it is their turn and somebody looks on."""
        if self._agent_is_next() and (self._playing is None or self._playing.done()):
            self._playing = asyncio.create_task(self._play())

    def _agent_is_next(self) -> bool:
        seat = self.table.waits_for
        return seat is not None and not self.table.seats[seat].is_person and not self.paused and bool(self.pages)

    async def _play(self) -> None:
        """Agents decide, one after another, until a person has to, or somebody pauses."""
        while self._agent_is_next():
            stamp = self.table.stamp
            await asyncio.sleep(max(self.pace, self.limits.grace) if self.table.undoable else self.pace)
            if self.table.stamp == stamp and self._agent_is_next():
                await self.step()

    async def step(self) -> None:
        """One decision of the agent that is to move."""
        seat, stamp = self.table.waits_for, self.table.stamp
        if seat is None or self.table.seats[seat].agent is None:
            raise StaleAction("No agent is to move.")
        game = self.table.game
        try:
            answer = await self._mind.ask(
                "act", self.table.seats[seat].agent, own_seed(game.seed or 0, seat), game, seconds=self.limits.thinking
            )
            if self.table.stamp == stamp:
                self.table.take(answer["action"])
        except (AgentFailed, IllegalAction) as error:
            if self.table.stamp == stamp:
                name = self.table.seats[seat].name
                self.table.fail(f"The agent {name!r} in seat {seat} failed, and the game ends here: {error}")
        for page in self.pages:
            page.refresh()
        self._end()

    def _end(self) -> None:
        """Nobody has to think any more once the game is over."""
        if self.table.game.over:
            self._mind.close()
            self._finished(self.table)

    def act(self, seat: int, action: int, stamp: int) -> None:
        """A person's decision."""
        self.table.act(seat, action, stamp)
        self.changed()
        self._end()

    def undo(self, seat: int, stamp: int) -> None:
        """Take a person's decision back."""
        self.table.undo(seat, stamp)
        self.changed()

    def set_pace(self, pace: float, paused: bool) -> None:
        """How long agents wait between decisions, and whether they wait for good."""
        self.pace, self.paused = min(max(pace, 0.0), SLOWEST), paused
        self.changed()

    async def opinion(self, agent: str, game: Game) -> Any:
        """What an agent thinks of a position; in a process of its own, so that those who play are not disturbed."""
        return await self._adviser.ask("explain", agent, game, seconds=self.limits.thinking)

    def close(self) -> None:
        """End everything that goes on here."""
        if self._playing is not None:
            self._playing.cancel()
        for page in list(self.pages):
            page.dismiss("This table was closed.")
        self._mind.close()
        self._adviser.close()
