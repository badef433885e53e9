"""Options that several commands share."""

from __future__ import annotations

import inspect
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ttr_env.agents.catalogue import SHORT
from ttr_env.cli.errors import blame_the_user
from ttr_env.options import CommandLineOption, command_line_options, refuse_idle

if TYPE_CHECKING:
    from ttr_env.game import Game

AGENTS = f"{SHORT} (`ttr agents` says more)"
Speed = Annotated[float, typer.Option(metavar="N", min=0.1, max=1000, help="Decisions a second, also in a film.")]
Gif = Annotated[Path | None, typer.Option("--gif", metavar="FILE", help="Write a GIF instead of showing the game.")]
Mp4 = Annotated[Path | None, typer.Option("--mp4", metavar="FILE", help="Write an MP4 instead (extra: video).")]
Width = Annotated[int, typer.Option(metavar="N", min=200, max=4000, help="Width of a film in pixels.")]

_Map = Annotated[str, typer.Option("--map", metavar="MAP", help="A map's name (see `ttr maps`), or its folder.")]
_Seed = Annotated[int | None, typer.Option(metavar="N", help="The same seed repeats a game; without one, any.")]
# How many players there are follows from the agents that are named.
_CHOICES = [option for option in command_line_options() if option.name != "players"]


@dataclass(frozen=True)
class Deal:
    """Which game is dealt, but for the number of players."""

    map: str = "nederland"
    seed: int | None = None
    options: dict[str, Any] = field(default_factory=dict)  # others of `GameOptions`

    def game(self, players: int) -> Game:
        """A new game; where no seed is given, a short one that can be typed again."""
        from ttr_env.game import Game

        seed = secrets.randbelow(1_000_000) if self.seed is None else self.seed
        with blame_the_user(ValueError):
            refuse_idle(self.map, self.options)
            return Game(self.map, players=players, seed=seed, **self.options)


def deals(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameter `deal` is typed as `--map`, `--seed` and the options of `GameOptions`.

    They are declared once: typer finds them in the signature that the command is given here.
    """

    def run(map: str, seed: int | None, **arguments: Any) -> None:
        options = {option.name: _value(option, arguments.pop(option.name)) for option in _CHOICES}
        command(deal=Deal(map, seed, options), **arguments)

    parameters = []
    for parameter in inspect.signature(command, eval_str=True).parameters.values():
        parameters += _typed_parameters() if parameter.name == "deal" else [parameter]
    run.__name__, run.__doc__, run.__module__ = command.__name__, command.__doc__, command.__module__
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _value(option: CommandLineOption, typed: bool) -> Any:
    return option.typed if typed else option.default


def _typed_parameters() -> list[inspect.Parameter]:
    kinds = {"map": (_Map, Deal.map), "seed": (_Seed, Deal.seed)}
    for option in _CHOICES:
        kinds[option.name] = (Annotated[bool, typer.Option(option.flag, help=_sentence(option.help))], False)
    return [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in kinds.items()
    ]


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
