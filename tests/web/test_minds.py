"""Processes that think: given up at any time, they leave nothing behind."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading

import pytest

from ttr_env.errors import AgentFailed
from ttr_env.web.minds import Mind


def test_a_mind_that_is_given_up_while_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    starting, go_on = threading.Event(), threading.Event()
    process = multiprocessing.get_context("forkserver").Process
    begin = process.start

    def start_slowly(self: multiprocessing.process.BaseProcess) -> None:
        starting.set()
        assert go_on.wait(60)
        begin(self)

    async def ask() -> None:
        mind = Mind()
        asked = asyncio.create_task(mind.ask("check", "random", seconds=60))
        assert await asyncio.to_thread(starting.wait, 60)
        mind.close()  # as when a table is closed
        go_on.set()
        with pytest.raises(AgentFailed):
            await asked
        assert await mind.ask("check", "random", seconds=60) == {}  # and it can be asked again
        mind.close()

    before = set(multiprocessing.active_children())
    monkeypatch.setattr(process, "start", start_slowly)
    asyncio.run(ask())
    assert set(multiprocessing.active_children()) <= before
