"""Random games, position by position, in ways of playing that lead to different places."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from ttr_env import Game

Style = Callable[[random.Random, list[str]], str | None]


def uniform(chance: random.Random, kinds: list[str]) -> str | None:
    """Any action."""
    return None


def hoard(chance: random.Random, kinds: list[str]) -> str | None:
    """Draw cards while there are any: decks run out, rows stay short, players pass."""
    return next((kind for kind in ("draw_deck", "draw_face_up") if kind in kinds), None)


def collect(chance: random.Random, kinds: list[str]) -> str | None:
    """Mostly draw tickets: piles run out and are shuffled anew."""
    return "draw_tickets" if "draw_tickets" in kinds and chance.random() < 0.7 else None


def build(chance: random.Random, kinds: list[str]) -> str | None:
    """Claim whatever can be claimed: many tracks, many loans, and a quick end."""
    return "claim" if "claim" in kinds else None


STYLES: tuple[Style, ...] = (uniform, hoard, collect, build)


def walk(options: dict[str, Any], seed: int, style: Style = uniform) -> Iterator[Game]:
    """A game at each of its decisions, and when it is over. It is one `Game` that plays on: copy what you keep."""
    chance = random.Random(f"{options}{seed}{style.__name__}")
    game = Game(seed=seed, **options)
    while game.player >= 0:
        yield game
        step(game, chance, style)
    yield game


def step(game: Game, chance: random.Random, style: Style = uniform) -> None:
    """Take a random action of the kind that the style asks for."""
    actions = game.legal_actions().tolist()
    kinds = [kind_of(game, action) for action in actions]
    wanted = style(chance, kinds)
    game.step(chance.choice([a for a, kind in zip(actions, kinds, strict=True) if wanted in (None, kind)]))


def kind_of(game: Game, action: int) -> str:
    return game.describe(action).kind


def positions(options: dict[str, Any], seed: int, every: int = 11) -> Iterator[Game]:
    """Some positions of one game in each style: the rarer phases all, of the others one in `every`."""
    for style in STYLES:
        for number, game in enumerate(walk(options, seed, style)):
            if game.phase in ("neutral", "tunnel", "over") or number < 2 * game.players or number % every == 0:
                yield game


def play_on(game: Game, seed: int = 0) -> Game:
    """The game at its end, after random actions."""
    chance = random.Random(seed)
    while game.player >= 0:
        step(game, chance)
    return game
