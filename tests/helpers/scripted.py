"""Scripted "models" at the table."""

from __future__ import annotations

from ttr_env import llm


def last_legal(prompt: str) -> str:
    """Takes the last legal move that is shown."""
    moves = [line for line in prompt.split("Legal moves:")[-1].splitlines() if line.startswith("- ")]
    return f"That looks good.\nMove: {moves[-1][2:]}"


def two_cards(prompt: str) -> str:
    """Describes whole turns: two cards from the deck, or else the last legal move."""
    if "- Draw a card from the deck" in prompt and "You are to move" in prompt:
        return "Move: Draw a card from the deck, then draw a card from the deck"
    return last_legal(prompt)


class Scripted(llm.TextAgent):
    """A model that can always be read."""

    def __init__(self, seed: int) -> None:
        super().__init__(last_legal, llm.Task(), seed)


class Planning(llm.TextAgent):
    """A model that describes whole turns."""

    def __init__(self, seed: int) -> None:
        super().__init__(two_cards, llm.Task(scope="turn"), seed)


class Babbling(llm.TextAgent):
    """A model that can never be read."""

    def __init__(self, seed: int) -> None:
        super().__init__(lambda prompt: "Well.", llm.Task(retries=1), seed)
