"""The client: what a trainer talks to the server with."""

from __future__ import annotations

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult

from ttr_env.llm.openenv.models import TicketAction, TicketObservation, TicketState


class TicketClient(EnvClient[TicketAction, TicketObservation, TicketState]):
    """A session on a server: `with TicketClient(base_url="http://127.0.0.1:8000").sync() as env: env.reset(seed=7)`."""

    def _step_payload(self, action: TicketAction) -> dict[str, Any]:
        return {"move": action.move}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[TicketObservation]:
        reward, done = payload.get("reward"), payload.get("done", False)
        observation = TicketObservation(**payload["observation"], reward=reward, done=done)
        return StepResult(observation=observation, reward=reward, done=done, metadata=payload.get("metadata"))

    def _parse_state(self, payload: dict[str, Any]) -> TicketState:
        return TicketState(**payload)
