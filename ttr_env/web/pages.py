"""What one open page is sent, and what it may ask for. All of it is JSON over one WebSocket."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections import deque
from collections.abc import Mapping
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ttr_env.errors import AgentFailed, IllegalAction, StaleAction
from ttr_env.game.knowledge import NOBODY, View
from ttr_env.render.picture import compose_board
from ttr_env.render.pieces import Stock
from ttr_env.web import offers, opinions, telling
from ttr_env.web.reading import read_json
from ttr_env.web.rooms import Room
from ttr_env.web.tables import Role

ELSEWHERE = "This seat is now played in another tab. Reload this page to play here again."
NO_SUCH_THING = "The page asked for something that there is not; nothing was done."
TOO_MANY = "This page sent too many messages at once, and was disconnected. Reload it to go on."
TOO_LONG = "This page sent a message that is too long, and was disconnected. Reload it to go on."

_YES_OR_NO = ("paused", "step")  # in messages


class Page:
    """A page that shows a table: from a seat, as everybody sees it, or, where all is open, from wherever it likes."""

    def __init__(self, socket: WebSocket, room: Room, role: Role, agents: Mapping[str, str]) -> None:
        """Args:
        socket: accepted already.
        room: whose table it shows.
        role: of the person who has it open.
        agents: that it may ask for their opinions, by name.
        """
        self.seat = role.seat
        self._leads = role.leads
        self._socket, self._room, self._agents = socket, room, agents
        self._eyes = role.seat  # whose knowledge is shown; None shows everything
        self._look: int | None = None  # the decision that is looked back at
        self._news = asyncio.Event()
        self._notes: deque[dict[str, Any]] = deque(maxlen=32)
        self._end: tuple[int, str] | None = None
        self._asking: asyncio.Task[None] | None = None
        self._forget()

    def _forget(self) -> None:
        """What the page has been sent is of no use any more."""
        self._stock = Stock()
        self._known = self._told = 0
        self._reader: int | None = self.seat  # whose knowledge the lines were told from

    # What the page is sent.

    def refresh(self) -> None:
        """Something is to be shown anew."""
        self._news.set()

    def note(self, text: str, kind: str = "note") -> None:
        """Tell the person something."""
        self._notes.append({"type": kind, "text": text})
        self._news.set()

    def leave_seat(self) -> None:
        """The seat is played elsewhere from now on."""
        self._end = 4001, ELSEWHERE
        self._news.set()

    def dismiss(self, why: str) -> None:
        """There is nothing to be shown any more."""
        self._end = 4004, why
        self._news.set()

    async def hang_up(self) -> None:
        """Close the line; the page comes back by itself."""
        await self._socket.close(1012)

    async def write(self) -> None:
        """Send what there is, whenever there is something; what has been overtaken is left out."""
        while self._socket.application_state is WebSocketState.CONNECTED:
            await self._news.wait()
            self._news.clear()
            if self._end is not None:
                await self._socket.close(*self._end)
                return
            await self._send(self.position())
            while self._notes:
                await self._send(self._notes.popleft())

    async def _send(self, message: Mapping[str, Any]) -> None:
        await self._socket.send_text(json.dumps(message, separators=(",", ":")))

    def position(self) -> dict[str, Any]:
        """What is shown now, and what of it is new."""
        table = self._room.table
        decision = table.decisions if self._look is None else min(self._look, table.decisions)
        game = table.at(decision)
        perspective = self._eyes if table.is_open else NOBODY if self.seat is None else self.seat
        seen = View.public(game) if perspective == NOBODY else View.of(game, perspective)
        picture = self._stock.take(compose_board(seen))
        fresh, self._known = self._stock.since(self._known), len(self._stock)
        live = self._look is None
        lines = self._lines(perspective)
        return {
            "type": "position",
            "stamp": table.stamp,
            "decision": decision,
            "decisions": table.decisions,
            "live": live,
            "open": table.is_open,
            "eyes": None if perspective == NOBODY else perspective,
            "shell": self._stock.shell,
            "pieces": fresh,
            "picture": picture,
            "state": telling.position(game, seen, table.seats),
            "lines": lines,
            "offer": offers.offer(game, seen) if live and self.seat is not None and self._is_asked() else None,
            "undo": live and table.can_undo(self.seat),
            "waits": table.waits_for,
            "trouble": table.trouble,
            "pace": self._room.pace,
            "paused": self._room.paused,
        }

    def _is_asked(self) -> bool:
        return self._room.table.waits_for == self.seat

    def _lines(self, perspective: int | None) -> dict[str, Any]:
        """What happened since the page was told last, or all of it where something was taken back, or is seen anew."""
        table = self._room.table
        start = self._told if self._told <= table.decisions and perspective == self._reader else 0
        self._told, self._reader = table.decisions, perspective
        told = [telling.line(each, table.seats, perspective, self.seat) for each in table.events[start:]]
        return {"from": start, "told": told}

    # What the page asks for.

    async def read(self) -> None:
        """Do what the page asks for, message by message, until it is closed."""
        patience = Patience(self._room.limits.messages)
        while True:
            try:
                text = await self._socket.receive_text()
            except KeyError:  # bytes instead of a text
                text = ""
            except (WebSocketDisconnect, RuntimeError):  # closed, or closed by us
                return
            if len(text) > self._room.limits.message_bytes:
                self._end = 1009, TOO_LONG
            elif not patience.bears_one_more():
                self._end = 1008, TOO_MANY
            else:
                self._listen(text)
            self._news.set()

    def _listen(self, text: str) -> None:
        try:
            message = read_json(text)
        except (ValueError, RecursionError):
            self.note("The page sent something that is no JSON; nothing was done.", "error")
            return
        try:
            self._do(message)
        except (StaleAction, IllegalAction) as error:
            self.note(str(error), "error")
        except (KeyError, TypeError, ValueError, OverflowError):
            self.note(NO_SUCH_THING, "error")

    def _do(self, message: Any) -> None:
        match message:
            case dict() if any(isinstance(told, bool) for key, told in message.items() if key not in _YES_OR_NO):
                raise StaleAction(NO_SUCH_THING)  # Python takes true and false for numbers
            case {"act": int(action), "stamp": int(stamp)} if self.seat is not None:
                self._room.act(self.seat, action, stamp)
            case {"undo": int(stamp)} if self.seat is not None:
                self._room.undo(self.seat, stamp)
            case {"look": None | int() as decision}:
                self._look = None if decision is None else max(0, decision)
            case {"eyes": None | int() as eyes}:
                self._see_from(eyes)
            case {"pace": _, "paused": _} | {"step": _} if not self._leads:
                raise StaleAction("Who looks on cannot hurry or stop the game; those who play can.")
            case {"pace": int() | float() as pace, "paused": bool(paused)} if math.isfinite(pace):
                self._room.set_pace(float(pace), paused)
            case {"step": True}:
                self._start(self._room.step())
            case {"ask": list(names), "decision": int(decision)} if all(isinstance(name, str) for name in names):
                self._start(self._ask(names, decision))
            case _:
                raise StaleAction(NO_SUCH_THING)

    def _see_from(self, eyes: int | None) -> None:
        table = self._room.table
        if not table.is_open or (eyes is not None and not 0 <= eyes < len(table.seats)):
            raise StaleAction("That can be seen when the game is over.")
        self._eyes = eyes

    def _start(self, work: Any) -> None:
        """Do something that takes its time, one thing after another."""
        if self._asking is not None and not self._asking.done():
            work.close()
            raise StaleAction("One thing at a time: the answer to the last question is not there yet.")
        self._asking = asyncio.create_task(self._complaining(work))

    async def _complaining(self, work: Any) -> None:
        try:
            await work
        except (StaleAction, IllegalAction) as error:
            self.note(str(error), "error")

    async def _ask(self, names: list[str], decision: int) -> None:
        """What agents think of a decision, each answer as it comes."""
        table, most = self._room.table, self._room.limits.opinions
        if len(names) > most:
            raise StaleAction(f"At most {most} agents can be asked at once, and you chose {len(names)}.")
        decision = min(max(decision, 0), table.decisions)
        game = table.at(decision)
        if game.over or not (table.is_open or game.player == self.seat):
            raise StaleAction("Agents are asked about decisions that are yours, or about any once the game is over.")
        played = table.game.actions[decision] if decision < table.decisions else None
        for name in names:
            told = {"type": "opinion", "agent": str(name), "decision": decision}
            if name not in self._agents:
                raise StaleAction(f"There is no agent {str(name)!r} here.")
            try:
                found = await self._room.opinion(self._agents[name], game)
                told |= opinions.tell(game, found, played)
            except AgentFailed as error:
                told["failed"] = f"{name} has no answer: {error}"
            self._notes.append(told)
            self._news.set()

    def close(self) -> None:
        """Nobody looks any more."""
        if self._asking is not None:
            self._asking.cancel()


class Patience:
    """How many messages are borne: so many at once, and as many more in each two seconds."""

    def __init__(self, most: int) -> None:
        self._most = self._left = float(most)
        self._at = time.monotonic()

    def bears_one_more(self) -> bool:
        """Whether one more is borne, now."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._most / 2)
        self._at = now
        self._left -= 1
        return self._left >= 0
