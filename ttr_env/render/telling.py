"""A game told for a page: for each position its picture, whose move it is and the scores; and the moves between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from ttr_env.engine import scoring
from ttr_env.game import Game, words
from ttr_env.game.actions import DrawDeck, KeepTickets
from ttr_env.game.game import Move
from ttr_env.game.knowledge import View, scores_so_far
from ttr_env.game.types import Cards

from . import picture
from .pieces import Stock

Run = int | list[int]  # a piece, or a place and a number of pieces that the picture before has from there on


@dataclass
class Telling:
    """What a page shows of a game, as far as it was told, in plain JSON types: all that one seat knows, or everything.

    >>> game = Game("nederland", players=2, seed=7)
    >>> telling = Telling(perspective=1)
    >>> telling.tell(game)
    >>> game.step(game.legal_actions()[0])
    >>> telling.tell(game)
    >>> telling.statuses, telling.moves
    (['Player 0 chooses tickets', 'Player 1 chooses tickets'], [[0, 'kept 3 tickets', '']])
    """

    perspective: int | None
    names: Sequence[str] = ()  # of the players, for the pictures
    stock: Stock = field(default_factory=Stock)
    frames: list[list[Run]] = field(default_factory=list)  # a picture each, from what the one before has
    statuses: list[str] = field(default_factory=list)
    moves: list[list[Any]] = field(default_factory=list)  # seat, what everybody saw, and what only some know of it
    scores: list[list[list[int | None]]] = field(default_factory=list)  # [position][seat][part]
    size: tuple[float, float] = (0, 0)
    areas: list[tuple[float, float, float, float]] = field(default_factory=list)
    _shown: list[int] = field(default_factory=list)
    _hand: Cards | None = None  # of the player to move, where it may be told

    def tell(self, game: Game) -> None:
        """Tell the position that a game has come to, and the move that led there from the one told before."""
        view = View.of(game, self.perspective)
        if self.frames and game.last is not None:
            self.moves.append(self._move(game, game.last))
        self._draw(view)
        self.statuses.append(self._status(view))
        self.scores.append([list(seat.values()) for seat in scores_so_far(game, self.perspective)])
        self._hand = _hand(game, game.player) if self._may_tell(game.player) else None

    def _status(self, view: View) -> str:
        """What the game waits for, or who won, with the names of the players where they have some."""
        winners = view.result["winners"] if view.result else []
        if not self.names:
            return words.status(view.state, winners)
        names = told_apart(self.names)
        if winners:
            told = " and ".join(names[seat] for seat in winners)
            return f"The game is over: {told} {'wins' if len(winners) == 1 else 'win'}"
        player = view.state["player"]
        return words.status(view.state, []).replace(f"Player {player}", capital(names[player]), 1)

    def _draw(self, view: View) -> None:
        scene = picture.compose(view, self.names)
        pieces = self.stock.take(scene)
        self.frames.append(_runs(self._shown, pieces))
        self._shown = pieces
        self.size = scene.width, scene.height
        self.areas = [(area.x, area.y, area.w, area.h) for area in scene.areas]

    def _may_tell(self, seat: int) -> bool:
        return seat >= 0 and self.perspective in (None, seat)

    def _move(self, game: Game, move: Move) -> list[Any]:
        told = self._secret(game, move) if self._may_tell(move.player) else ""
        return [move.player, words.did(game.map, move.action), told]

    def _secret(self, game: Game, move: Move) -> str:
        """What only those know of a move who see the player's cards and tickets."""
        if isinstance(move.action, KeepTickets):
            return ", ".join(words.ticket_name(game.map, ticket) for ticket in move.action.tickets)
        if isinstance(move.action, DrawDeck) and self._hand is not None:
            now = _hand(game, move.player)
            return ", ".join(words.one_card(card) for card in now if now[card] > self._hand[card])
        return ""

    def score_parts(self) -> list[str]:
        """The names of the parts of the scores."""
        return [words.HEADINGS[part] for part in scoring.SCORES[: scoring.TOTAL + 1]]


def told_apart(names: Sequence[str]) -> list[str]:
    """Names with which one can tell who is meant: with the player's number where several have the same.

    >>> told_apart(["planner", "Anna", "planner"])
    ['planner (player 0)', 'Anna', 'planner (player 2)']
    """
    return [name if names.count(name) == 1 else f"{name} (player {seat})" for seat, name in enumerate(names)]


def capital(text: str) -> str:
    """A text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def _hand(game: Game, seat: int) -> Cards:
    return cast(Cards, game.information_state(seat)["seats"][seat]["hand"])


def _runs(before: Sequence[int], after: Sequence[int]) -> list[Run]:
    """A picture's pieces, told by what the picture before it has.

    >>> _runs([4, 5, 6, 7], [4, 5, 8, 7])
    [[0, 2], 8, [3, 1]]
    """
    places = {number: place for place, number in enumerate(before)}
    told: list[Run] = []
    for number in after:
        place = places.get(number)
        if place is None:
            told.append(number)
        elif told and isinstance(told[-1], list) and sum(told[-1]) == place:
            told[-1][1] += 1
        else:
            told.append([place, 1])
    return told
