"""What agents think of a decision, in words and with places on the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ttr_env.game import Game
from ttr_env.game.actions import Claim, NeutralClaim


def tell(game: Game, found: Mapping[str, Any], played: int | None) -> dict[str, Any]:
    """An explanation as `thinking` gives it, for the page.

    Args:
        game: before the decision.
        found: the agent's choice, options and value.
        played: what was done there, None if nothing was yet.
    """
    options = [{**_place(game, option["action"]), **option} for option in found["options"]]
    choice = _place(game, found["choice"])
    return {"choice": choice, "options": options, "value": found["value"], "played": _words(game, played)}


def _place(game: Game, action: int) -> dict[str, Any]:
    meaning = game.describe(action)
    track = meaning.track if isinstance(meaning, Claim | NeutralClaim) else None
    return {"words": game.text(action), "track": track}


def _words(game: Game, action: int | None) -> str | None:
    return None if action is None else game.text(action)
