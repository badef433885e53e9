"""How much the server takes on. What is over a bound gets a clear answer, and nothing else happens."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Bounds of a server."""

    tables: int = 64  # at once
    pages: int = 256  # at once, of all tables together
    greeting: float = 10.0  # seconds until a page has said which table it shows
    message_bytes: int = 16_384  # of a page's message
    body_bytes: int = 262_144  # of a request, which may hold a record
    record_actions: int = 4_000  # in a record that is opened
    messages: int = 60  # of a page at once; as many more in each two seconds
    thinking: float = 30.0  # seconds of an agent for a decision
    opinions: int = 6  # agents that are asked at once what they think
    films: int = 2  # that are made at once
    film_positions: int = 600
    film_seconds: float = 180.0  # to make one
    name_letters: int = 24
    grace: float = 2.0  # seconds in which a person can think better of a choice before agents go on
    idle: float = 1800.0  # seconds that a table without any page stays
