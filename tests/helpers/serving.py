"""A server of tables on a port of this machine, for tests with a browser."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from ttr_env.web.app import Server
from ttr_env.web.hall import Hall


class Running:
    """A server that runs in a thread."""

    def __init__(self, server: Server, listener: socket.socket) -> None:
        self.server = server
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self._listener = listener
        self._uvicorn = uvicorn.Server(uvicorn.Config(server.app, log_level="critical"))
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        await self._uvicorn.serve([self._listener])

    def start(self) -> None:
        self._thread.start()
        self.post("/api/tables", {})  # answered once the engine is there

    def stop(self) -> None:
        self._uvicorn.should_exit = True
        self._uvicorn.force_exit = True
        self._thread.join()

    def post(self, address: str, form: Any) -> Any:
        """What the server answers."""
        request = urllib.request.Request(self.url + address, json.dumps(form).encode())
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def deal(self, *seats: str | None, map: str = "nederland", seed: int = 7) -> list[str]:
        """A new table, with people where no agent is named: their links, or that of those who watch."""
        forms = [{"agent": agent, "name": f"person {place}"} for place, agent in enumerate(seats)]
        found = self.post("/api/tables", {"map": map, "options": {}, "seed": seed, "seats": forms})
        links = [seat["link"] for seat in found["seats"]] or [found["watch"]]
        return [self.url + link for link in links]

    def break_lines(self) -> None:
        """Close every line to a page, as a network does that fails."""
        pages = [page for room in self.server.hall.rooms.values() for page in room.pages]
        for page in pages:
            asyncio.run_coroutine_threadsafe(page.hang_up(), self.loop).result()


@contextmanager
def serving(hall: Hall) -> Iterator[Running]:
    """A server that runs meanwhile."""
    running = Running(Server(hall), socket.create_server(("127.0.0.1", 0)))
    running.start()
    try:
        yield running
    finally:
        running.stop()
