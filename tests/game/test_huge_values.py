"""Values of thousands of digits or letters: refused like any other, in a few words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ttr_env import Game, maps

HUGE, LONG = 10**5000, "ab" * 9000


@pytest.mark.parametrize("value", [HUGE, -HUGE, LONG, [HUGE], [LONG]], ids=["huge", "minus", "long", "huges", "longs"])
@pytest.mark.parametrize(
    "give",
    [
        lambda value: Game(seed=7).step(value),
        lambda value: Game(seed=7).index({"kind": value}),
        lambda value: Game(seed=7).index({"kind": "draw_face_up", "card": value}),
        lambda value: Game(seed=value),
        lambda value: Game(players=value),
        lambda value: Game.from_snapshot({**Game(seed=7).snapshot(), "round": value}),
        lambda value: Game.from_snapshot({**Game(seed=7).snapshot(), "owners": [value] * 97}),
        lambda value: Game.replay({**Game(seed=7).record(), "seed": value}),
        lambda value: Game.replay({**Game(seed=7).record(), "format": value}),
        lambda value: Game.replay({**Game(seed=7).record(), "actions": [value]}),
        lambda value: maps.load(value),
    ],
    ids=range(11),
)
def test_refused_in_a_few_words(give: Callable[[Any], object], value: Any) -> None:
    with pytest.raises((ValueError, TypeError)) as refused:
        give(value)
    assert len(str(refused.value)) < 1000 and "set_int_max_str_digits" not in str(refused.value)
