"""Asking a person: numbers, a few words that work at every prompt, and help."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from ttr_env.cli.talk.menus import Choice, Menu

WORDS = {
    "help": "explains what is asked",
    "hand": "shows your cards",
    "tickets": "shows your tickets",
    "board": "shows the map and who owns what",
    "undo": "takes back your last choice, as long as it revealed nothing",
    "quit": "leaves the game, and saves it if you like",
}
_PROMPT = f"[dim]number, {', '.join(WORDS)}[/dim] > "


class Undo(Exception):
    """The player wants to take something back."""


class Quit(Exception):
    """The player leaves."""


class Dialogue:
    """Asks, and answers the words that work at every prompt."""

    def __init__(self, console: Console, tell: Callable[[str], None]) -> None:
        """Args:
        console: where to write and read.
        tell: shows the hand, the tickets or the board.
        """
        self.console = console
        self._tell = tell

    def choose(self, menu: Menu) -> int:
        """An action from a menu; `Undo` if there is nothing above it to go back to."""
        if menu.tickets:
            return self._choose_tickets(menu)
        shown = menu
        while True:
            self.show(shown)
            try:
                choice = self._pick(shown)
            except Undo:
                if shown is menu:
                    raise
                choice = None
            if choice is None:
                shown = menu
            elif isinstance(choice, Menu):
                shown = choice
            elif choice.menu is None:
                assert choice.action is not None
                return choice.action
            else:
                try:
                    return self.choose(choice.menu)
                except Undo:
                    shown = menu

    def confirm(self, question: str) -> None:
        """Wait until the player goes on."""
        while True:
            if not self._answer(f"[dim]{question}[/dim] > ", "Press Enter to go on, or type undo."):
                return

    def ask(self, question: str) -> str:
        """Any text."""
        try:
            return self.console.input(question).strip()
        except EOFError:
            self.console.print()
            return ""

    def show(self, menu: Menu) -> None:
        """Write a menu's choices, numbered."""
        self.console.print(Text(menu.title, "bold"))
        before = ""
        for number, choice in enumerate(menu.choices, start=1):
            group = f"{choice.group if choice.group != before else '':<16} " if choice.group else ""
            before = choice.group
            line = Text.assemble((f"{number:>2}  ", "bold cyan"), (group, "dim"), choice.label)
            self.console.print(line, soft_wrap=True)

    def _pick(self, menu: Menu) -> Choice | Menu | None:
        """A choice of the menu, a menu with fewer choices, or None to show all of them again."""
        while True:
            typed = self._answer(_PROMPT, menu.help)
            if not typed:
                return None
            if typed.isascii() and typed.isdecimal():
                if _is_place(typed) and 1 <= int(typed) <= len(menu.choices):
                    return menu.choices[int(typed) - 1]
                self.complain(f"{typed} is not on the list; it goes from 1 to {len(menu.choices)}.")
            elif found := menu.only(typed).choices:
                return found[0] if len(found) == 1 and not found[0].group else menu.only(typed)
            else:
                self.complain(f"{typed!r} is neither a number of the list nor one of: {', '.join(WORDS)}.")

    def _choose_tickets(self, menu: Menu) -> int:
        self.show(menu)
        fewest = " ".join(str(place + 1) for place in min(menu.tickets, key=len))  # an example that would be taken
        while True:
            typed = self._answer(f"[dim]numbers such as {fewest}, all, or help[/dim] > ", menu.help).replace(",", " ")
            every = range(1, len(menu.choices) + 1)
            numbers = [str(number) for number in every] if typed == "all" else typed.split()
            if not numbers:
                self.show(menu)
                continue
            places = {int(number) - 1 for number in numbers if _is_place(number)}
            action = menu.tickets.get(tuple(sorted(places)))
            if action is not None and len(places) == len(numbers):
                return action
            self.complain(f"{typed!r} is no choice here. {menu.title}")

    def _answer(self, prompt: str, help: str) -> str:
        """What was typed, if it is not one of the words that work everywhere."""
        while True:
            try:
                typed = self.console.input(prompt).strip()
            except (EOFError, KeyboardInterrupt):
                self.console.print()
                raise Quit from None
            word = _WORD_OF.get(typed.casefold())
            if word is None:
                return typed
            if word == "quit":
                raise Quit
            if word == "undo":
                raise Undo
            if word == "help":
                self._help(help)
            else:
                self._tell(word)

    def _help(self, text: str) -> None:
        self.console.print(text, highlight=False)
        for word, meaning in WORDS.items():
            self.console.print(Text.assemble((f"  {word:<8}", "bold cyan"), meaning))

    def complain(self, text: str) -> None:
        """Say what cannot be done."""
        self.console.print(text, style="yellow", highlight=False, markup=False)


_WORD_OF = {word: word for word in WORDS} | {"?": "help", "h": "help", "back": "undo", "u": "undo", "q": "quit"}


def _is_place(typed: str) -> bool:
    """Whether a number was typed that can be one of a list; Python reads none of thousands of digits."""
    return typed.isascii() and typed.isdecimal() and len(typed) < 10
