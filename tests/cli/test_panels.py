"""Parts of a screen that no game on Nederland shows."""

from dataclasses import replace

import pytest

import ttr_env
from ttr_env.cli.screen import panels
from ttr_env.game.knowledge import View
from ttr_env.maps.model import CARDS

NONE = dict.fromkeys(CARDS, 0)


@pytest.mark.parametrize(
    ("pending", "words"),
    [
        (None, None),
        ({"kind": "tunnel", "turned_up": {**NONE, "red": 2, "locomotive": 1}}, "Turned up  red×2  locomotive "),
        ({"kind": "set", "chosen": NONE}, None),
        ({"kind": "set", "chosen": {**NONE, "blue": 1}}, "Set     blue "),
    ],
)
def test_what_a_claim_waits_for(pending: dict[str, object] | None, words: str | None) -> None:
    seen = View.of(ttr_env.Game(seed=7), 0)
    text = panels.pending(replace(seen, state={**seen.state, "pending": pending}))
    assert (text.plain if text else None) == words


def test_several_winners_share_a_sentence() -> None:
    assert panels.verdict({"winners": [0, 1]}, ["planner", "racer"]).plain == "Planner and racer win."
    assert panels.verdict({"winners": [0]}, ["you", "racer"]).plain == "You win."
    assert panels.verdict({"winners": [1]}, ["you", "mine:Mine"]).plain == "Mine:Mine wins."
