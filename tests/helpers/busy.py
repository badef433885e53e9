"""Games in which much happens: players with a plan, by chance, and with a taste for what is rare."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import Game, agents
from ttr_env.game.actions import Claim

# Every table of every map, and of one with tunnels on which locomotives pay for any track.
LAKES = str(Path(__file__).parents[2] / "docs" / "lakes")
TABLES: list[dict[str, Any]] = [*EVERYWHERE, {"map": LAKES, "players": 2, "tolls": False, "neutral_player": False}]


def table_name(options: dict[str, Any]) -> str:
    """A short name, such as `4-tolls`, `nordic-3` or `lakes-2`."""
    return variant_name({**options, "map": Path(options["map"]).name} if "map" in options else options)


def busy_game(options: dict[str, Any], seed: int) -> Iterator[Game]:
    """A game at each of its decisions. It is one `Game` that plays on: copy what you keep."""
    chance = random.Random(f"{table_name(options)}{seed}")
    game, planner = Game(seed=seed, **options), agents.make("planner", seed=seed)
    while game.player >= 0:
        yield game
        way = chance.random()
        if way < 0.5:
            game.step(planner.act(game))
        else:
            game.step(rare_action(game, chance) if way < 0.8 else chance.choice(game.legal_actions().tolist()))


def rare_action(game: Game, chance: random.Random) -> int:
    """Tickets, all of them; sets, tunnels, ferries and tolls; every other action if there are none of these."""
    legal = game.legal_actions().tolist()
    if game.phase in ("keep_tickets", "tunnel"):
        return legal[-1] if game.phase == "keep_tickets" else legal[0]
    tickets = game.index({"kind": "draw_tickets"})
    if tickets in legal and chance.random() < 0.4:
        return tickets
    claims = [(action, claim) for action in legal if isinstance(claim := game.describe(action), Claim)]
    return (
        max(claims, key=lambda both: (_rarity(game, both[1]), chance.random()))[0] if claims else chance.choice(legal)
    )


def _rarity(game: Game, claim: Claim) -> int:
    track = game.map.tracks[claim.track]
    return 5 * (claim.payment.sets > 0) + 4 * track.tunnel + 3 * (track.ferry > 0) + track.toll


def some_decisions(options: dict[str, Any], seed: int, every: int) -> Iterator[Game]:
    """One in `every` decisions of such a game, more of the rarer phases, and the first choices of tickets."""
    for number, game in enumerate(busy_game(options, seed)):
        rare = game.phase in ("neutral", "tunnel") or (game.phase == "set" and number % 2 == 0)
        if rare or number < game.players or number % every == 0:
            yield game
