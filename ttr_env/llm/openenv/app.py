"""The server as an application: `uvicorn ttr_env.llm.openenv.app:app`."""

from __future__ import annotations

import functools

from fastapi import FastAPI
from openenv.core.env_server.http_server import create_app

from ttr_env.llm.openenv.environment import Offer, TicketEnvironment
from ttr_env.llm.openenv.models import TicketAction, TicketObservation, TicketState

SESSIONS = 64


def make_app(offer: Offer | None = None, sessions: int = SESSIONS) -> FastAPI:
    """A server of games, each session one of its own.

    Args:
        offer: what clients may ask for.
        sessions: how many games at once.
    """
    return create_app(
        functools.partial(TicketEnvironment, offer),
        TicketAction,
        TicketObservation,
        env_name="ttr",
        max_concurrent_envs=sessions,
        state_cls=TicketState,
    )


app = make_app()
