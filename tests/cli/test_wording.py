"""Choices in words, those of maps with tunnels, ferries and sets among them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from ttr_env import maps
from ttr_env.cli.talk.wording import claim_cost, keyword, label
from ttr_env.game.actions import Action

NEDERLAND = maps.load("nederland")


@dataclass(frozen=True)
class Other(Action):
    """An action of any kind."""

    kind: str = field(default="")
    fields: tuple[tuple[str, Any], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, **dict(self.fields)}


def action(kind: str, **fields: Any) -> Other:
    return Other(kind, tuple(fields.items()))


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (action("tunnel_pay", locomotives=0), "pay 2 red more, and claim it"),
        (action("tunnel_pay", locomotives=1), "pay 1 red + 1 locomotive more, and claim it"),
        (action("tunnel_pay", locomotives=2), "pay 2 locomotives more, and claim it"),
        (action("tunnel_decline"), "take the cards back, and end the turn"),
        (action("set_card", card="blue"), "blue"),
        (action("pass"), "pass: there is nothing else to do"),
        (action("draw_face_up", card="red"), "take red (2 lie there)"),
        (action("build_station", city=3), "build station city 3"),
    ],
)
def test_labels(choice: Action, words: str) -> None:
    state = {"pending": {"kind": "tunnel", "card": "red", "extra": 2}, "face_up": {"red": 2}}
    assert label(NEDERLAND, choice, state) == words


def test_a_claim_with_sets() -> None:
    claim = action("claim", track=16, card="red", locomotives=1, sets=1)
    length = NEDERLAND.tracks[16].length
    assert claim_cost(NEDERLAND, claim) == f"{length - 2} red + 1 locomotive + 1 set"


def test_what_can_be_typed() -> None:
    assert keyword(action("draw_deck")) == "deck"
    assert keyword(action("set_card", card="blue")) == "blue"
    assert keyword(action("tunnel_decline")) == "tunnel decline"
