"""What goes over the wire."""

from __future__ import annotations

from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field


class TicketAction(Action):
    """A reply of the model: one required field, so that a bare text can stand for it."""

    move: str = Field(description='The move in a sentence, such as "Take a red card" or "Draw tickets".')


class TicketObservation(Observation):
    """What the model is shown: after `reset` the rules too."""

    text: str = Field(default="", description="What happened, the position as the seat knows it, and the question.")
    seat: int = Field(default=0, description="The model's seat; seat 0 begins.")


class TicketState(State):
    """Where an episode stands, for whoever runs it; nothing that is hidden from the model's seat."""

    map: str = ""
    players: int = 0
    seat: int = 0
    task: str = Field(default="", description="What is asked: scope, list of legal moves, form.")
    legal_moves: list[str] = Field(default_factory=list, description="The legal moves, each as a sentence.")
    replies: int = 0
    unreadable: int = 0
    unreadable_rate: float = 0.0
    fallbacks: int = 0
    cut_short: int = 0
