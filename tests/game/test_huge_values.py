"""Values of thousands of digits or letters: refused like any other, in a few words."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from ttr_env import Game, data, maps, options
from ttr_env.data import Manifest
from ttr_env.envs.aec import raw_env
from ttr_env.envs.single import SingleAgentEnv
from ttr_env.envs.vector import GameVectorEnv
from ttr_env.errors import MapError
from ttr_env.options import Variant

HUGE, LONG = 10**5000, "ab" * 9000


def written(value: Any) -> str:
    """A value as somebody types it, who may have thousands of digits in mind."""
    return "9" * 5000 if value in (HUGE, -HUGE) else str(LONG)


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
        lambda value: maps.generate(value),
        lambda value: maps.generate(1, value),
        lambda value: maps.generate(1, players=value),
        lambda value: maps.generate(1, tolls=value),
        lambda value: maps.load(f"generate:seed={written(value)}"),
        lambda value: maps.load(f"generate:seed=1,tolls={written(value)}"),
        lambda value: maps.load(f"generate:seed=1,{written(value)}"),
        lambda value: SingleAgentEnv().reset(seed=value),
        lambda value: GameVectorEnv(num_envs=2).reset(seed=value),
        lambda value: GameVectorEnv(num_envs=2).reset(seed=[value, 1]),
        lambda value: raw_env().reset(seed=value),
        lambda value: SingleAgentEnv(illegal_price=value),
        lambda value: SingleAgentEnv(render_mode=value),
        lambda value: SingleAgentEnv(perspective=value),
        lambda value: SingleAgentEnv(**{written(value): 1}),
        lambda value: options.check_generator(value),
        lambda value: Manifest.plan(["random"] * 2, Variant.of(), value),
        lambda value: Manifest.plan(["random"] * 2, Variant.of(), 1, seed=value),
        lambda value: data.load(".", value),
    ],
    ids=itertools.count(),
)
def test_refused_in_a_few_words(give: Callable[[Any], object], value: Any) -> None:
    with pytest.raises((ValueError, TypeError)) as refused:
        give(value)
    told = str(refused.value)
    assert len(told) < 1000 and "set_int_max_str_digits" not in told


@pytest.mark.parametrize("name", ["seed", "cities", "players", "trains", "tickets", "doubles", "tolls", "ferries"])
def test_boards_that_nobody_can_make_are_a_map_error(name: str) -> None:
    wishes: dict[str, Any] = {"seed": 1, name: HUGE}
    with pytest.raises(MapError, match=f"{name}: .* is needed, not int with thousands of digits"):
        maps.generate(**wishes)
    with pytest.raises(MapError, match=f"generate:.*: {name} is '99+ \\.\\.\\.; it must be "):
        maps.load(f"generate:{name}={'9' * 5000}")
