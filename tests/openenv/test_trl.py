"""The class for TRL, as TRL's trainer reads it: with the function that makes tools of its methods."""

from __future__ import annotations

import inspect

from transformers.utils import get_json_schema

from ttr_env.llm import TicketToRide


def test_the_one_tool_has_a_schema() -> None:
    env = TicketToRide()
    members = inspect.getmembers(type(env), predicate=inspect.isfunction)
    tools = [name for name, _ in members if name not in ("reset", "get_reward") and not name.startswith("_")]
    assert tools == ["move"]
    schema = get_json_schema(env.move)["function"]
    assert schema["name"] == "move" and schema["parameters"]["required"] == ["move"]
    assert schema["parameters"]["properties"]["move"]["type"] == "string"
    assert "Take a red card" in schema["parameters"]["properties"]["move"]["description"]
    assert schema["description"] and schema["return"]["type"] == "string"
