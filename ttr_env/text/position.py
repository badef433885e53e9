"""A position as one seat knows it, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ttr_env.game import words
from ttr_env.game.knowledge import View, seen_cards

if TYPE_CHECKING:
    from ttr_env.game import Game

FORMAT = 1  # of the JSON


def to_text(game: Game, action: int) -> str:
    """An action in a sentence that no other action has here; `parse` reads it back.

    >>> from ttr_env import Game
    >>> to_text(Game("nederland", players=2, seed=7), 0)
    'Draw a card from the deck'
    """
    return game.text(action)


def position(game: Game, seat: int | None = None) -> str:
    """What the player in a seat knows of a position, in lines of text; by default the player to move.

    >>> from ttr_env import Game
    >>> print(position(Game("nederland", players=2, seed=7)).splitlines()[1])
    You choose tickets.
    """
    view = View.of(game, _seat(game, seat))
    parts = (_status, _own, _tickets, _supply, _others, _tracks, _waiting, _scores)
    return "\n".join(line for part in parts for line in part(view))


def as_json(game: Game, seat: int | None = None) -> dict[str, Any]:
    """What the player in a seat knows of a position, as plain JSON types; by default the player to move.

    `legal` has the legal actions, each with its number and sentence, if it is that player's decision.

    >>> from ttr_env import Game
    >>> seen = as_json(Game("nederland", players=2, seed=7))
    >>> seen["seat"], seen["state"]["seats"][1]["hand"], seen["legal"][0]["action"]
    (0, 4, 18)
    """
    me = _seat(game, seat)
    return {
        "format": FORMAT,
        "seat": me,
        "state": game.information_state(me),
        "legal": legal(game) if game.player == me else [],
    }


def legal(game: Game) -> list[dict[str, Any]]:
    """The legal actions of the player to move: number, sentence, and what they are made of."""
    return [
        {"action": index, "text": game.text(index), **game.describe(index).as_dict()}
        for index in game.legal_actions().tolist()
    ]


def _seat(game: Game, seat: int | None) -> int:
    if seat is not None:
        return seat
    if game.over:
        raise ValueError("seat: the game is over, so nobody is to move; say whose view is wanted")
    return game.player


# The parts of the text ---------------------------------------------------------------------------

_DECISIONS = {
    "keep_tickets": "You choose tickets",
    "turn": "You are to move",
    "second_card": "You take a second card",
    "neutral": "You say which track the neutral player gets",
    "tunnel": "You pay for the tunnel, or take your cards back",
    "set": "You choose a card for the set",
}


def _status(view: View) -> Iterator[str]:
    state = view.state
    title = words.title(view.map, state)
    yield f"{title}. You are player {view.shown} of {state['players']} (numbered from 0). {words.progress(state)}."
    if state["phase"] != "over" and state["player"] == view.shown:
        yield f"{_DECISIONS[state['phase']]}."
    else:
        yield f"{words.status(state, view.result['winners'] if view.result else [])}."


def _own(view: View) -> Iterator[str]:
    seat = view.state["seats"][view.shown]
    yield f"Your cards: {_cards(view.hand)}"
    tolls = f", tokens worth {seat['tolls']}, {words.count(seat['loans'], 'loan')}" if view.state["tolls"] else ""
    yield f"You have {words.count(seat['trains'], 'train')}, {words.count(seat['points'], 'point')} so far{tolls}."


def _tickets(view: View) -> Iterator[str]:
    offered = [standing for standing in view.tickets if standing.how == "offered"]
    kept = [standing for standing in view.tickets if standing.how != "offered"]
    if offered:
        yield "Tickets on offer:"
        yield from (f"- {words.ticket_name(view.map, each.ticket)}" for each in offered)
    yield "Your tickets:" if kept else "Your tickets: none yet"
    yield from (f"- {words.ticket_name(view.map, each.ticket)}: {each.how}" for each in kept)


def _supply(view: View) -> Iterator[str]:
    state = view.state
    yield f"Face up: {_cards(state['face_up'])}"
    piles = f"{words.count(words.size(state['deck']), 'card')} in the deck"
    yield f"Piles: {piles}, {words.count(words.size(state['ticket_pile']), 'ticket')} in the pile"


def _others(view: View) -> Iterator[str]:
    for number, seat in enumerate(view.state["seats"]):
        if number == view.shown:
            continue
        kind, cards = seen_cards(seat)
        seen = f" ({_cards(cards)} of them seen)" if kind == "known" and any(cards.values()) else ""
        loans = f", {words.count(seat['loans'], 'loan')}" if view.state["tolls"] else ""
        yield (
            f"Player {number}: {words.count(words.size(seat['hand']), 'card')}{seen}, "
            f"{words.count(seat['trains'], 'train')}, {words.count(words.size(seat['tickets']), 'ticket')}, "
            f"{words.count(seat['points'], 'point')} so far{loans}."
        )
    if view.state["neutral"] is not None:
        yield f"Neutral player: {words.neutral_note(view.map, view.state['neutral'])}."


def _tracks(view: View) -> Iterator[str]:
    owned: dict[int | str, list[int]] = {}
    for track, owner in enumerate(view.state["owners"]):
        if owner is not None:
            owned.setdefault(owner, []).append(track)
    for owner in sorted(owned, key=str):
        whose = "your tracks" if owner == view.shown else f"tracks of {words.owner_name(owner)}"
        yield f"{whose[0].upper()}{whose[1:]}: {', '.join(words.track_name(view.map, track) for track in owned[owner])}"
    if not owned:
        yield "No track is taken yet."


def _waiting(view: View) -> Iterator[str]:
    if view.state["pending"] is not None:
        yield f"Waiting: {words.pending_note(view.map, view.state['pending'])}"


def _scores(view: View) -> Iterator[str]:
    if view.result is not None:
        totals = (f"player {seat} {row['total']}" for seat, row in enumerate(view.result["seats"]))
        yield f"Final scores: {', '.join(totals)}"


def _cards(cards: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {card}" for card, number in cards.items() if number) or "none"
