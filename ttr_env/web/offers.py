"""What a player may do, for a page that knows no rules: actions by index, with words, and where on the board they are.

Nothing here knows a rule either: what may be done comes from `legal_actions`, what it means from `describe`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ttr_env.game import Game, words
from ttr_env.game.actions import Action, Claim, DrawDeck, DrawFaceUp, DrawTickets, KeepTickets, NeutralClaim
from ttr_env.game.knowledge import View
from ttr_env.maps import Map
from ttr_env.maps.model import CARDS, LOCOMOTIVE

_TICKETS = "Which tickets do you keep? Choose at least {}."
_NO_ROUTE = "With your cards and trains you cannot claim any route now."


def offer(game: Game, seen: View) -> dict[str, Any]:
    """What the player to move, whose view it is, can do.

    >>> game = Game("nederland", players=2, seed=7)
    >>> offered = offer(game, View.of(game, 0))
    >>> offered["question"], offered["tickets"]["fewest"], len(offered["tickets"]["keep"])
    ('Which tickets do you keep? Choose at least 3.', 3, 16)
    """
    legal = [(int(index), game.describe(int(index))) for index in game.legal_actions()]
    keeps = [(index, action) for index, action in legal if isinstance(action, KeepTickets)]
    if keeps:
        tickets = _tickets(seen, keeps)
        return _offer(_TICKETS.format(tickets["fewest"]), tickets=tickets, note=words.KEEPING)
    tracks = _tracks(seen, legal)
    return _offer(
        words.QUESTIONS.get(game.phase, "Your decision"),
        tracks=tracks,
        note=_NO_ROUTE if game.phase == "turn" and not tracks else "",
        row={action.card: index for index, action in legal if isinstance(action, DrawFaceUp)},
        piles={pile: index for index, action in legal for kind, pile in _PILES if isinstance(action, kind)},
        others=[_told(seen, index, action) for index, action in legal if not isinstance(action, _ON_THE_TABLE)],
    )


_PILES: tuple[tuple[type[Action], str], ...] = ((DrawDeck, "deck"), (DrawTickets, "tickets"))
_ON_THE_TABLE = (Claim, NeutralClaim, DrawFaceUp, DrawDeck, DrawTickets)  # what is clicked where it lies


def _offer(question: str, **places: Any) -> dict[str, Any]:
    nothing: dict[str, Any] = {"note": "", "tickets": None, "tracks": {}, "row": {}, "piles": {}, "others": []}
    return {"question": question, **nothing, **places}


def _told(seen: View, index: int, action: Action) -> dict[str, Any]:
    text = words.label(seen.map, action, seen.state)
    return {"act": index, "words": text[0].upper() + text[1:]}


def _tickets(seen: View, keeps: Sequence[tuple[int, KeepTickets]]) -> dict[str, Any]:
    """The tickets on offer are told with the others; here, which of them can be kept together."""
    return {
        "fewest": min(len(action.tickets) for _, action in keeps),
        "keep": [{"act": index, "tickets": list(action.tickets)} for index, action in keeps],
    }


def _tracks(seen: View, legal: Sequence[tuple[int, Action]]) -> dict[int, dict[str, Any]]:
    """The tracks that trains can be put on, each with the ways to pay for it."""
    tracks: dict[int, dict[str, Any]] = {}
    for index, action in legal:
        if isinstance(action, Claim | NeutralClaim):
            about = tracks.setdefault(action.track, track_facts(seen, action.track))
            about["ways"].append(_way(seen.map, index, action))
    for about in tracks.values():
        about["ways"].sort(key=lambda way: (way["cards"].get(LOCOMOTIVE, 0), way["act"]))
    return tracks


def track_facts(seen: View, track: int) -> dict[str, Any]:
    """What there is to know of a track before it is claimed."""
    about = seen.map.tracks[track]
    notes = [words.count(about.length, "train"), words.count(seen.map.rules.route_points[about.length], "point")]
    if seen.state["tolls"]:
        notes.append(f"toll {about.toll}")
    if about.tunnel:
        notes.append("tunnel")
    if about.ferry:
        notes.append(f"ferry with {words.count(about.ferry, 'locomotive')}")
    name = words.track_name(seen.map, track)
    return {"name": name, "notes": notes, "colour": about.colour, "useful": track in seen.on_the_way, "ways": []}


def _way(map: Map, index: int, action: Claim | NeutralClaim) -> dict[str, Any]:
    """A way to pay: in words, and as cards to be drawn."""
    if isinstance(action, NeutralClaim):
        return {"act": index, "words": "Put the neutral player here", "cards": {}}
    payment = action.payment
    paid = {payment.card: payment.colour_cards(map.tracks[action.track].length)}
    paid[LOCOMOTIVE] = paid.get(LOCOMOTIVE, 0) + payment.locomotives
    cards = {card: paid[card] for card in CARDS if paid.get(card)}
    return {"act": index, "words": words.claim_cost(map, action), "cards": cards}
