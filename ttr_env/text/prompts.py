"""What a language model is asked, and how its task is called."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ttr_env.options import check_choice, whole_number
from ttr_env.text.position import as_json, position, to_text

if TYPE_CHECKING:
    from ttr_env.game import Game

LEGAL = ("list", "none")
SCOPES = ("decision", "turn")
FORMS = ("text", "json")
FALLBACKS = ("random", "forfeit")


@dataclass(frozen=True)
class Task:
    """What is asked of a model. Results of different tasks do not compare, so each has a name.

    Args:
        legal: "list" shows the legal moves, "none" leaves it to the model to know them.
        scope: "decision" asks for one decision at a time, "turn" for all that the model wants to do in its turn.
        form: "text" shows the position in words, "json" as `as_json` has it.
        retries: how often a reply that cannot be read is asked for again, with the reason, at each decision.
        fallback: what follows after that: a "random" legal action, or "forfeit", which ends the game as a loss.

    >>> Task(legal="none", scope="turn").name
    'turn-none-text'
    """

    legal: str = "list"
    scope: str = "decision"
    form: str = "text"
    retries: int = 2
    fallback: str = "random"

    def __post_init__(self) -> None:
        check_choice(self.legal, LEGAL, "legal")
        check_choice(self.scope, SCOPES, "scope")
        check_choice(self.form, FORMS, "form")
        check_choice(self.fallback, FALLBACKS, "fallback")
        if not 0 <= whole_number(self.retries, "retries") <= 100:
            raise ValueError(f"retries: a whole number from 0 to 100 is needed, not {self.retries!r}")

    @property
    def name(self) -> str:
        """What was asked, in short: scope, list of legal moves, form."""
        return f"{self.scope}-{self.legal}-{self.form}"


def prompt(game: Game, task: Task | None = None) -> str:
    """What the player to move is shown and asked; `rules` says the rest once, at the start.

    >>> from ttr_env import Game
    >>> print(prompt(Game("nederland", players=2, seed=7)).splitlines()[-1])
    Answer with one move on a line of its own, as in: Move: Draw tickets
    """
    wanted = task or Task()
    return f"{_shown(game, wanted)}\n{_asked(wanted)}"


def _shown(game: Game, task: Task) -> str:
    if task.form == "json":
        seen = as_json(game)
        if task.legal == "none":
            del seen["legal"]
        return _dumped(seen)
    if task.legal == "none":
        return position(game)
    moves = "\n".join(f"- {to_text(game, index)}" for index in game.legal_actions().tolist())
    return f"{position(game)}\nLegal moves:\n{moves}"


def _dumped(seen: dict[str, object]) -> str:
    return json.dumps(seen, separators=(",", ":"))


def _asked(task: Task) -> str:
    if task.scope == "turn":
        return (
            "Answer with your whole turn, one move after the other, as in: "
            "Move: Take a red card, then draw a card from the deck"
        )
    return "Answer with one move on a line of its own, as in: Move: Draw tickets"


def retry(reason: str, left: int) -> str:
    """What a model is told whose reply could not be read.

    >>> retry("it is empty", 1)
    'Your answer could not be used: it is empty. Try again (1 try left).'
    """
    tries = "last try" if left == 0 else f"{left} {'try' if left == 1 else 'tries'} left"
    return f"Your answer could not be used: {reason}. Try again ({tries})."
