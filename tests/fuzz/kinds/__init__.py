"""Every kind of input that is damaged, by name, with the share of the time that it gets."""

from __future__ import annotations

import importlib
from pathlib import Path

from tests.fuzz.kinds.base import Kind

# Where a kind is made, and its share. Nothing is imported before it is needed: some kinds want extras.
PLACES: dict[str, tuple[str, float]] = {
    "snapshot": ("positions:Snapshots", 2.0),
    "record": ("positions:Records", 2.0),
    "map": ("files:Maps", 3.0),
    "policy": ("files:Policies", 2.0),
    "checkpoint": ("files:Checkpoints", 2.0),
    "config": ("files:Configs", 2.0),
    "command": ("commands:Commands", 3.0),
    "reply": ("talking:Replies", 1.0),
    "program": ("talking:Programs", 2.0),
    "http": ("web:Requests", 2.0),
    "websocket": ("web:Messages", 2.0),
    "game": ("actions:GameActions", 0.5),
    "aec": ("actions:AecActions", 0.5),
    "gymnasium": ("actions:GymnasiumActions", 0.5),
    "vector": ("actions:VectorActions", 0.5),
    "batch": ("actions:BatchActions", 0.5),
    "openspiel": ("actions:OpenSpielActions", 0.5),
}


def make(name: str, scratch: Path) -> Kind:
    """A kind, ready to be given inputs; `ModuleNotFoundError` if what takes them is not installed."""
    module, _, made = PLACES[name][0].partition(":")
    kind: Kind = getattr(importlib.import_module(f"tests.fuzz.kinds.{module}"), made)(scratch)
    return kind
