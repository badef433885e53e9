"""`ttr play`: a person at the table."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from ttr_env.agents.base import Actor
from ttr_env.agents.registry import is_built_in
from ttr_env.cli import records
from ttr_env.cli.errors import UserError
from ttr_env.cli.options import Deal
from ttr_env.cli.screen import panels
from ttr_env.cli.screen.story import merged
from ttr_env.cli.seating import act, getting_ready, seat, warm_up
from ttr_env.cli.talk.dialogue import Dialogue, Quit, Undo
from ttr_env.cli.talk.menus import menu
from ttr_env.cli.talk.own_view import board, gained, in_short, tickets
from ttr_env.game import Game, words
from ttr_env.game.knowledge import View, last_deed, reveals
from ttr_env.game.words import Deed

YOU = "you"


def play(against: Sequence[str], place: int, deal: Deal) -> None:
    """A new game against agents."""
    if not 0 <= place <= len(against):
        raise UserError(f"--seat {place}: with {len(against) + 1} players the seats are 0 to {len(against)}")
    names = [*against[:place], YOU, *against[place:]]
    with getting_ready():
        game = deal.game(len(names))
        actors = _seat_all(names, game)
    Session(game, names, actors, Console()).run()


def resume(file: Path, against: Sequence[str] = ()) -> None:
    """Go on with a saved game, against the agents that it names, or others in their place.

    A file must not decide what is run here: of the agents that it names, only built-in ones are taken by themselves.
    """
    game, names = records.replay(file)
    if names.count(YOU) != 1:
        raise UserError(f"{file} is no game of `ttr play`: nobody in it is called {YOU!r}")
    named = [name for name in names if name != YOU]
    if against and len(against) != len(named):
        raise UserError(f"--against: {file} has {len(named)} opponents ({', '.join(named)}), not {len(against)}")
    strangers = [name for name in named if not is_built_in(name)]
    if strangers and not against:
        raise UserError(
            f"{file} names agents that are not built in, and a file does not decide what is run: "
            f"{', '.join(strangers)}. If you trust them, add{_said_again(named)}"
        )
    chosen = iter(against or named)
    names = [name if name == YOU else next(chosen) for name in names]
    with getting_ready():
        actors = _seat_all(names, game)
    Session(game, names, actors, Console()).run()


def _said_again(opponents: Sequence[str]) -> str:
    """What has to be typed for agents that a file alone may not name.

    >>> _said_again(["planner"]), _said_again(["planner", "mine:Mine"])
    ('', ' --against planner --against mine:Mine')
    """
    if all(map(is_built_in, opponents)):
        return ""
    return "".join(f" --against {shlex.quote(name)}" for name in opponents)


def _seat_all(names: Sequence[str], game: Game) -> list[Actor | None]:
    """An agent in every seat but the person's, ready to play."""
    specs = [name for name in names if name != YOU]
    found = iter(seat(specs, game))
    warm_up(game, specs)
    return [None if name == YOU else next(found) for name in names]


class Session:
    """A game between a person and agents. Only what the person may know is shown."""

    def __init__(self, game: Game, names: Sequence[str], actors: Sequence[Actor | None], console: Console) -> None:
        """Args:
        game: where it goes on.
        names: by seat.
        actors: by seat; None is the person.
        console: where to write and read.
        """
        self.game = game
        self.names = tuple(names)
        self.me = list(actors).index(None)
        self._actors = actors
        self._console = console
        self._dialogue = Dialogue(console, self.tell)
        self._seen = View.of(game, self.me)  # what the person knew when it was last asked, or after what it did
        self._past: list[Game] = []  # positions that can be gone back to
        self._new_turn = True  # and everything is shown, not only what a second card needs
        self._news: list[Deed] = []  # what the others did since the person's last decision

    def run(self) -> None:
        """Play to the end, or until the person leaves."""
        self._console.print(
            f"You are player {self.me} of {self.game.players} on {self.game.map.title}. Type help at any time.",
            highlight=False,
        )
        try:
            while not self.game.over:
                actor = self._actors[self.game.player]
                if actor is None:
                    self._decide()
                else:
                    self._let_act(actor)
        except (Quit, KeyboardInterrupt):  # Ctrl-C may also come while an agent thinks
            self._console.print("You left the game.")
        else:
            self._finish()
        self._offer_to_save()

    def _let_act(self, actor: Actor) -> None:
        act(self.game, actor, self.names[self.game.player])
        deed = last_deed(self.game)
        assert deed is not None
        self._news.append(deed)

    def _decide(self) -> None:
        """One decision of the person."""
        self._seen = View.of(self.game, self.me)
        self.show()
        try:
            action = self._dialogue.choose(menu(self.game, self._seen))
        except Undo:
            self._take_back()
            return
        self._take(action)

    def show(self) -> None:
        """What the person sees before a decision."""
        seen = self._seen
        if self._new_turn:
            self._console.print()
            self._console.print(Rule(panels.header(seen), style="dim", align="left"))
            for deed in merged(self._news):
                self._console.print(panels.deed(deed, self.names))
            self._console.print(panels.players(seen, self.names, self._console.width))
        held = in_short(seen, self._console.width) if self._new_turn else None
        for part in (panels.supply(seen), held, panels.hand(seen), panels.pending(seen)):
            if part is not None:
                self._console.print(part)

    def _take(self, action: int) -> None:
        before, meaning = self.game.copy(), self.game.describe(action)
        revealing = reveals(before, self.me, action)
        self.game.step(action)
        seen, self._seen = self._seen, View.of(self.game, self.me)
        told = Text(f"You {words.did(seen.map, meaning)}.")
        if meaning.kind == "draw_deck":
            told = Text.assemble("You drew from the deck:", gained(seen, self._seen))
        self._console.print(told, style="italic")
        self._past = [] if revealing else [*self._past, before]
        if self._past and self.game.player != self.me:
            try:
                self._dialogue.confirm("Enter ends your turn, undo takes it back")
            except Undo:
                self._take_back()
                return
        self._news = []
        self._new_turn = self.game.player != self.me
        if self._new_turn:
            self._past = []

    def _take_back(self) -> None:
        if self._past:
            self.game = self._past.pop()
            self._new_turn = True
            self._console.print("Taken back.", style="yellow")
        else:
            self._console.print(
                "There is nothing to take back: what a choice revealed cannot be unseen.", style="yellow"
            )

    def tell(self, what: str) -> None:
        """Answer `hand`, `tickets` or `board`."""
        seen = self._seen
        if what == "hand":
            self._console.print(panels.hand(seen))
        elif what == "tickets":
            self._console.print(tickets(seen))
        else:
            self._console.print(board(seen, self.names))

    def _finish(self) -> None:
        result = self.game.result()
        for deed in merged(self._news):
            self._console.print(panels.deed(deed, self.names))
        self._console.print(Rule("The game is over", style="dim", align="left"))
        self._console.print(panels.scores(result, self.names))
        self._console.print(panels.verdict(result, self.names))
        self._console.print(tickets(View.of(self.game, self.me)))

    def _offer_to_save(self) -> None:
        while file := self._dialogue.ask("[dim]Save the game? A file's name, or Enter for no[/dim] > "):
            try:
                records.check_replaceable(Path(file))
                records.write(Path(file), self.game, self.names)
            except UserError as error:
                self._dialogue.complain(str(error))
                continue
            again = _said_again([name for name in self.names if name != YOU])
            command = f"ttr replay {file}" if self.game.over else f"ttr play --resume {file}{again}"
            self._console.print(Text(f"Saved; `{command}` opens it."), soft_wrap=True)
            return
