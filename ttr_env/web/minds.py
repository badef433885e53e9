"""Asking processes that think, with patience that has an end.

Every table has a mind of its own, so that a long search keeps nobody else waiting. Processes are copies of one that
has everything loaded: they start at once, and share most of their memory.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import threading
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, cast

from ttr_env.errors import AgentFailed
from ttr_env.web.thinking import answer_requests

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["ttr_env.web.preload"])


def prepare() -> None:
    """Begin to load what minds need, and do not wait for it."""
    forkserver.ensure_running()


class Mind:
    """A process that answers one request at a time. It is started when it is first asked, and again after a failure."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._hand = threading.Lock()  # processes are started in a thread, and can be given up meanwhile
        self._given_up = 0  # how often
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    async def ask(self, kind: str, *arguments: Any, seconds: float) -> Any:
        """The answer to a request, or `AgentFailed`; a process that takes too long is ended."""
        answer = json.loads(await self.ask_for_bytes(kind, *arguments, seconds=seconds))
        if "failed" in answer:
            raise AgentFailed(answer["failed"])
        return answer

    async def ask_for_bytes(self, kind: str, *arguments: Any, seconds: float) -> bytes:
        """The answer as it comes."""
        async with self._lock:
            try:
                connection = await asyncio.to_thread(self._start, self._given_up)
                connection.send((kind, arguments))
                return await asyncio.wait_for(_receive(connection), seconds)
            except TimeoutError:
                self.close()
                raise AgentFailed(f"it thought for more than {seconds:g} seconds, and was stopped") from None
            except (EOFError, OSError):
                self.close()
                raise AgentFailed("its process ended by itself") from None
            except asyncio.CancelledError:
                self.close()
                raise

    def _start(self, given_up: int) -> Connection:
        """The way to the process, which is started where there is none."""
        if self._connection is not None:
            return self._connection
        connection, there = _CONTEXT.Pipe()
        process = cast(BaseProcess, _CONTEXT.Process(target=answer_requests, args=(there,), daemon=True))
        process.start()
        there.close()
        with self._hand:
            if self._given_up == given_up:
                self._process, self._connection = process, connection
                return connection
        _end(process, connection)
        raise EOFError("it is not needed any more")

    def close(self) -> None:
        """End the process, if there is one."""
        with self._hand:
            process, connection = self._process, self._connection
            self._process = self._connection = None
            self._given_up += 1
        if process is not None and connection is not None:
            _end(process, connection)


def _end(process: BaseProcess, connection: Connection) -> None:
    process.kill()
    process.join()
    process.close()
    connection.close()


async def _receive(connection: Connection) -> bytes:
    """The next message, while other things go on."""
    loop = asyncio.get_running_loop()
    waiting: asyncio.Future[None] = loop.create_future()
    # A number of its own, so that nothing is left watched if the connection is closed meanwhile.
    watched = os.dup(connection.fileno())
    loop.add_reader(watched, _settle, waiting)
    try:
        await waiting
    finally:
        loop.remove_reader(watched)
        os.close(watched)
    return connection.recv_bytes()


def _settle(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)
