"""The options of a game on command lines: declared once, offered by every command that deals one."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from ttr_env.cli.app import play, watch
from ttr_env.cli.options import Deal, deals
from ttr_env.options import CommandLineOption, GameOptions, command_line_options


def test_every_option_of_a_game_has_a_flag() -> None:
    options = command_line_options()
    assert [option.name for option in options] == list(GameOptions.__annotations__)
    assert options[0] == CommandLineOption("players", "--players", int, 2, "how many seats")
    assert [option.typed for option in options[1:]] == [False, True]
    assert [option.default for option in options[1:]] == [None, False]


@pytest.mark.parametrize("command", [watch, play])
def test_commands_that_deal_a_game_take_its_options(command: Any) -> None:
    taken = list(inspect.signature(command).parameters)
    assert "deal" not in taken and {"map", "seed", "tolls", "neutral_player"} <= set(taken)


@pytest.mark.parametrize(
    ("typed", "options"),
    [
        ({}, {"tolls": None, "neutral_player": False}),
        ({"tolls": True}, {"tolls": False, "neutral_player": False}),
        ({"neutral_player": True}, {"tolls": None, "neutral_player": True}),
    ],
)
def test_what_is_typed_becomes_a_deal(typed: dict[str, bool], options: dict[str, bool | None]) -> None:
    seen: list[Deal] = []

    def command(*, deal: Deal) -> None:
        seen.append(deal)

    deals(command)(map="usa", seed=3, **({"tolls": False, "neutral_player": False} | typed))
    assert seen == [Deal("usa", 3, options)]


def test_without_a_seed_a_short_one_is_taken() -> None:
    assert 0 <= (Deal().game(players=2).seed or 0) < 1_000_000
