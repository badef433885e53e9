"""What is sent to `ttr serve`: requests as bytes on a line, and messages over its WebSocket."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import time
from random import Random
from typing import Any

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.fuzz.kinds.base import Kind, check
from tests.fuzz.mutating import damage_bytes, damage_tree, write_json
from tests.helpers.serving import Running
from tests.helpers.visitor import parts
from ttr_env import Game
from ttr_env.errors import StaleAction, TableError
from ttr_env.web.app import Server
from ttr_env.web.hall import Hall
from ttr_env.web.limits import Limits

SECONDS = 20.0  # that an answer may take, on a machine that is busy
PERSON, RANDOM = {"agent": None, "name": "Anna"}, {"agent": "random", "name": ""}
TABLE: dict[str, Any] = {"map": "nederland", "options": {"tolls": True}, "seed": 7, "seats": [PERSON, RANDOM]}


class Complaints(logging.Handler):
    """Keeps what the server logs as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(self.format(record))


class Web(Kind):
    """A server on a port of this machine, with a table that is open and one with two people."""

    def prepare(self) -> None:
        self.complaints = Complaints()
        logging.getLogger("uvicorn.error").addHandler(self.complaints)
        logging.getLogger("asyncio").addHandler(self.complaints)
        limits = Limits(tables=40, thinking=3.0, films=1, film_positions=-1, opinions=1)
        self.running = Running(Server(Hall([], None, limits)), socket.create_server(("127.0.0.1", 0)))
        self.running.start()
        self.port = int(self.running.url.rpartition(":")[2])
        self._links: list[dict[str, str]] = []

    def tables(self) -> list[dict[str, str]]:
        """The tables' names and secrets; there are new ones whenever there are many."""
        hall = self.running.server.hall
        if not self._links or len(hall.rooms) > 30 or any(link["table"] not in hall.rooms for link in self._links):
            asyncio.run_coroutine_threadsafe(_clear(hall), self.running.loop).result(60)
            self._links = [parts(self.running.deal("random", "random")[0]), parts(self.running.deal(None, None)[0])]
        return self._links

    def placed(self, data: bytes) -> bytes:
        """An input with the names of tables in it."""
        for number, link in enumerate(self.tables()):
            for part in ("table", "secret"):
                data = data.replace(f"@{part}{number}@".encode(), link[part].encode())
        return data

    def check_log(self) -> None:
        """Nothing went wrong in the server."""
        found, self.complaints.found = self.complaints.found, []
        check(not found, "\n".join(found)[-3000:])

    def close(self) -> None:
        self.running.stop()


async def _clear(hall: Hall) -> None:
    hall.close_all()


class Requests(Web):
    """Requests over HTTP: a status that says what is wrong, never 500, and never none."""

    allowed = (TableError,)

    def seeds(self) -> list[bytes]:
        game = Game(seed=7)
        for _ in range(5):
            game.step(int(game.legal_actions()[0]))
        here = {"table": "@table0@", "secret": "@secret0@"}
        closed = {"table": "@table1@", "secret": "@secret1@"}
        asked: list[tuple[str, str, Any]] = [
            ("POST", "/api/tables", TABLE),
            ("POST", "/api/open", {"record": game.record()}),
            ("POST", "/api/open", {"record": Game.from_snapshot(game.snapshot()).record()}),
            ("POST", "/api/play-on", {**here, "decision": 0, "seats": [RANDOM, PERSON]}),
            ("POST", "/api/record", {**here, "decision": 1}),
            ("POST", "/api/record", closed),
            ("POST", "/api/picture", {**closed, "kind": "svg", "decision": 0, "eyes": 0}),
            ("POST", "/api/picture", {**here, "kind": "svg", "decision": 0, "eyes": 1}),
            ("POST", "/api/film", {**here, "eyes": 1}),
            ("GET", "/api/lobby", None),
            ("GET", "/maps/usa.svg", None),
            ("GET", "/table/@table0@", None),
            ("GET", "/static/table.js?x=1", None),
        ]
        return [json.dumps([*each, [["Host", "127.0.0.1"], ["Cookie", "a=b"]]]).encode() for each in asked]

    def damage(self, data: bytes, rng: Random) -> bytes:
        return damage_bytes(data, rng) if rng.random() < 0.05 else _damaged(data, rng)

    def give(self, data: bytes) -> None:
        request = _request(self.placed(data))
        answer = self._answer(request)
        if b" 500 " in answer[:13]:
            time.sleep(0.2)  # what it was is logged after the answer
        self.check_log()
        status = answer.partition(b"\r\n")[0].decode("latin-1")
        check(not answer or answer.startswith(b"HTTP/1.1 "), f"no answer of HTTP: {status[:200]}")
        check(" 5" not in status[:11], f"{status}: {answer[-300:]!r}")
        if answer and " 4" in status[:11]:
            raise TableError(status)

    def _answer(self, request: bytes) -> bytes:
        """What comes back; nothing where the server may wait for the rest of a request."""
        whole = _is_whole(request)
        answer = b""
        with socket.create_connection(("127.0.0.1", self.port), SECONDS) as line:
            line.settimeout(SECONDS if whole else 0.1)
            try:
                line.sendall(request)
                while chunk := line.recv(65536):
                    answer += chunk
            except TimeoutError:
                check(not whole, "no answer")
            except OSError:  # closed by the server, which has heard enough
                pass
        return answer


def _damaged(data: bytes, rng: Random) -> bytes:
    try:
        return write_json(damage_tree(json.loads(data), rng))
    except (ValueError, RecursionError):
        return damage_bytes(data, rng)


def _is_whole(request: bytes) -> bool:
    """Whether a request says, once, how long it is, and is as long: then there must be an answer."""
    head, _, body = request.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")]
    strange = any(word in head.lower() for word in (b"transfer", b"expect", b"upgrade"))
    return lengths == [b"content-length: %d" % len(body)] and not strange


def _request(data: bytes) -> bytes:
    """A request as it goes over the line; what is no list of its four parts goes as it is."""
    try:
        method, path, form, headers = json.loads(data)
        lines = [": ".join(map(str, header)) if isinstance(header, list) else str(header) for header in headers]
    except (ValueError, TypeError, RecursionError):
        return data + b"\r\n\r\n"
    body = b"" if form is None else write_json(form)
    lines = [f"{method} {path} HTTP/1.1", *lines, f"Content-Length: {len(body)}", "Connection: close"]
    return "\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n" + body


class Messages(Web):
    """Messages over the WebSocket: whatever comes, the table is there for the next page."""

    allowed = (StaleAction,)

    def seeds(self) -> list[bytes]:
        here = {"table": "@table0@", "secret": "@secret0@"}
        closed = {"table": "@table1@", "secret": "@secret1@"}
        said: list[list[Any]] = [
            [here, {"look": 1}, {"look": None}, {"eyes": 1}, {"pace": 0.5, "paused": True}],
            [here, {"pace": 0, "paused": True}, {"step": True}, {"look": 0}],
            [closed, {"act": 616, "stamp": 0}, {"undo": 1}, {"act": 617, "stamp": 0}],
            [closed, {"ask": ["greedy"], "decision": 0}],
            [closed, {"eyes": 0}, {"look": 3}],
        ]
        return [json.dumps(each).encode() for each in said]

    def damage(self, data: bytes, rng: Random) -> bytes:
        return _damaged(data, rng)

    def give(self, data: bytes) -> None:
        try:
            messages = json.loads(self.placed(data))
        except (ValueError, RecursionError):
            messages = [data.decode("latin-1")]
        refused = self._say(messages if isinstance(messages, list) else [messages])
        self._say([self.tables()[1]])  # the next page is shown its table
        self.check_log()
        if refused:
            raise StaleAction(refused)

    def _say(self, messages: list[Any]) -> str:
        """Send messages, and hear the answer to the last of them; why something was refused, if it was."""
        refused = ""
        with connect(f"ws://127.0.0.1:{self.port}/socket", open_timeout=SECONDS, close_timeout=SECONDS) as page:
            try:
                for number, message in enumerate(messages[:20]):
                    page.send(message if isinstance(message, str) else write_json(message).decode())
                    for _ in range(2 if number == 0 else 1):  # who comes in is told of the table, and of the position
                        told = json.loads(page.recv(SECONDS))
                        refused = refused or (str(told.get("text")) if told["type"] == "error" else "")
            except WebSocketException as error:
                refused = str(error)
        return refused
