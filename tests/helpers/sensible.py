"""A simple way to play that makes games worth reading: work on the tickets, and claim what one can."""

from __future__ import annotations

import random
from typing import Any

from tests.reference.board import COLOURS, LOCOMOTIVE, board_of
from tests.reference.planning import affordable, network, on_cheapest, trains_needed
from ttr_env import Game

FULL_HAND = 9  # cards; with more than that a player claims whatever it can
LAST_DRAW = 14  # trains; with fewer a player draws no more tickets


def choose(game: Game, chance: random.Random) -> int:
    """What a sensible player would do, from what it knows alone."""
    known = game.information_state(game.player)
    if game.phase == "keep_tickets":
        return _keep(game, known)
    if game.phase in ("neutral", "set"):
        return chance.choice(game.legal_actions().tolist())
    if game.phase == "tunnel":
        return int(game.legal_actions()[0])  # pay with few locomotives; decline only if nothing else is possible
    return _claim(game, known, chance) if game.phase == "turn" else _draw(game, known, chance)


def _keep(game: Game, known: dict[str, Any]) -> int:
    """As few tickets as possible, those that need the fewest trains."""
    steps, tickets = network(known, game.player), board_of(known).tickets
    choices = [game.describe(action) for action in game.legal_actions()]
    best = min(
        choices, key=lambda c: (len(c.tickets), sum(trains_needed(steps, tickets[t]) for t in c.tickets), c.tickets)
    )
    return game.index(best)


def _claim(game: Game, known: dict[str, Any], chance: random.Random) -> int:
    """The longest useful track that the hand pays for, with few locomotives; else tickets or cards."""
    me, tracks = game.player, game.map.tracks
    seat = known["seats"][me]
    useful = on_cheapest(known, me, seat["tickets"])
    wanted = affordable(known, me) & useful
    can_draw = {game.describe(a).kind for a in game.legal_actions()} & {"draw_deck", "draw_face_up"}
    if not useful or sum(seat["hand"].values()) > FULL_HAND or not can_draw:
        wanted = wanted or {track for track in affordable(known, me) if tracks[track].length > 1}
    claims = [game.describe(a) for a in game.legal_actions() if game.describe(a).kind == "claim"]
    claims = [claim for claim in claims if claim.track in wanted]
    if claims:
        return game.index(
            min(claims, key=lambda c: (-tracks[c.track].length, getattr(c, "sets", 0), c.locomotives, c.track, c.card))
        )
    if not useful and seat["trains"] >= LAST_DRAW and chance.random() < 0.5 and game.action_mask()[10]:
        return game.index({"kind": "draw_tickets"})
    return _draw(game, known, chance)


def _draw(game: Game, known: dict[str, Any], chance: random.Random) -> int:
    """A face-up card of a colour that is still needed, now and then a locomotive, or any from the deck."""
    hand = known["seats"][game.player]["hand"]
    useful = on_cheapest(known, game.player, known["seats"][game.player]["tickets"])
    needed = {game.map.tracks[track].colour for track in useful} or {card for card in COLOURS if hand[card] > 1}
    legal = [game.describe(a) for a in game.legal_actions()]
    shown = [action for action in legal if action.kind == "draw_face_up"]
    if chance.random() < 0.2:
        shown = [action for action in shown if action.card == LOCOMOTIVE]
    else:
        shown = [action for action in shown if action.card in needed]
    if shown:
        return game.index(max(shown, key=lambda action: (hand[action.card], action.card)))
    if any(action.kind == "draw_deck" for action in legal):
        return game.index({"kind": "draw_deck"})
    return game.index(chance.choice(legal))
