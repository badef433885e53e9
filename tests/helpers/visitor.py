"""A page without a browser: what it is sent, and what it asks for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

HERE = "http://127.0.0.1:8470"
PERSON = {"agent": None, "name": "Anna"}


def agent(name: str) -> dict[str, Any]:
    return {"agent": name, "name": ""}


def deal(client: TestClient, *seats: dict[str, Any], map: str = "nederland", seed: int | None = 7) -> dict[str, Any]:
    """A new table: its links."""
    form = {"map": map, "options": {}, "seed": seed, "seats": list(seats)}
    answer = client.post("/api/tables", json=form)
    assert answer.status_code == 200, answer.text
    links: dict[str, Any] = answer.json()
    return links


def parts(link: str) -> dict[str, str]:
    """The table and the secret of a link."""
    path, _, secret = link.partition("#")
    return {"table": path.partition("?")[0].rpartition("/")[2], "secret": secret}


class Visitor:
    """An open page."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.introduction = self.hear()
        self.position = self.hear()

    def hear(self) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = json.loads(self.socket.receive_text())
        if message["type"] == "position":
            self.position = message
        return message

    def hear_of(self, kind: str) -> dict[str, Any]:
        """The next message of a kind; positions that come before it are looked at."""
        while True:
            message = self.hear()
            if message["type"] == kind:
                return message

    def say(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def await_turn(self) -> dict[str, Any]:
        """Wait until there is something to decide, or the game is over; what is offered."""
        while self.position["offer"] is None and self.position["state"]["result"] is None:
            assert not self.hear_of("position")["trouble"]
        offer: dict[str, Any] = self.position["offer"]
        return offer

    def act(self, action: int) -> None:
        """Decide, and wait for what comes of it."""
        stamp = self.position["stamp"]
        self.say(act=action, stamp=stamp)
        while self.position["stamp"] == stamp:
            assert self.hear()["type"] == "position"


def offered(offer: dict[str, Any]) -> list[int]:
    """Every action that is offered, wherever."""
    actions = [way["act"] for track in offer["tracks"].values() for way in track["ways"]]
    actions += [*offer["row"].values(), *offer["piles"].values(), *(other["act"] for other in offer["others"])]
    return actions + [keep["act"] for keep in (offer["tickets"] or {"keep": []})["keep"]]


@contextmanager
def visiting(client: TestClient, link: str) -> Iterator[Visitor]:
    """A page that a link opens."""
    with client.websocket_connect("ws://127.0.0.1:8470/socket") as socket:
        socket.send_text(json.dumps(parts(link)))
        yield Visitor(socket)


def play_to_the_end(visitor: Visitor) -> None:
    visitor.say(pace=0, paused=False)
    while visitor.await_turn() is not None:
        visitor.act(offered(visitor.position["offer"])[0])


def refusal(client: TestClient, address: str, form: Any) -> str:
    """The sentence with which something is refused."""
    answer = client.post(address, json=form)
    assert answer.status_code == 400
    sentence: str = answer.json()["error"]
    assert sentence.endswith(".") and "\n" not in sentence
    return sentence
