"""Every kind of input that is damaged, by name, with the share of the time that it gets."""

from __future__ import annotations

import importlib
from pathlib import Path

from tests.fuzz.kinds.base import Kind

# Where a kind is made, and its share. Nothing is imported before it is needed: some kinds want extras.
PLACES: dict[str, tuple[str, float]] = {
    "snapshot": ("positions:Snapshots", 4.0),
    "record": ("positions:Records", 3.0),
    "map": ("files:Maps", 2.0),
    "dataset": ("packed:Datasets", 2.0),
    "result": ("packed:Results", 2.0),
    "policy": ("files:Policies", 2.0),
    "checkpoint": ("files:Checkpoints", 1.5),
    "config": ("files:Configs", 1.0),
    "command": ("commands:Commands", 2.0),
    "reply": ("talking:Replies", 3.0),
    "program": ("talking:Programs", 1.0),
    "http": ("web:Requests", 5.0),
    "websocket": ("web:Messages", 1.5),
    "game": ("actions:GameActions", 0.3),
    "aec": ("actions:AecActions", 0.3),
    "gymnasium": ("actions:GymnasiumActions", 0.3),
    "vector": ("actions:VectorActions", 0.3),
    "batch": ("actions:BatchActions", 0.3),
    "openspiel": ("actions:OpenSpielActions", 0.3),
}


def make(name: str, scratch: Path) -> Kind:
    """A kind, ready to be given inputs; `ModuleNotFoundError` if what takes them is not installed."""
    module, _, made = PLACES[name][0].partition(":")
    kind: Kind = getattr(importlib.import_module(f"tests.fuzz.kinds.{module}"), made)(scratch)
    return kind
