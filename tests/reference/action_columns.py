"""The columns of an action: choices of tickets and cards. Those of claims are in `claim_columns`."""

from functools import partial

from .board import CARDS, LOCOMOTIVE
from .claim_columns import claim_columns
from .outlook import LACK_NOTHING, Columns, Outlook
from .plan import make_plan
from .state import Action, total


def action_columns(look: Outlook, action: Action) -> Columns:
    match action["kind"]:
        case "keep_tickets":
            return _keep(look, action["tickets"])
        case "neutral_claim":
            return _neutral(look, action["track"])
        case "tunnel_pay":
            return _extra(look, action["locomotives"])
        case "set_card":
            return {"set_card": 1.0, **_card(look, action["card"])}
        case "draw_face_up":
            kind = "draw_locomotive" if action["card"] == LOCOMOTIVE else "draw_colour"
            return {kind: 1.0, **_card(look, action["card"])}
        case "draw_deck":
            return _blind(look)
        case "draw_tickets":
            return {"draw_tickets": 1.0, "room": (look.reach - look.plan.trains) / look.seen.rules.trains}
        case "claim":
            return claim_columns(look, action)
    return {action["kind"]: 1.0}


def _keep(look: Outlook, kept: list[int]) -> Columns:
    tickets = {*look.seen.seat["tickets"], *kept}
    unfinished = {ticket for ticket in tickets if not look.seen.is_done(ticket)}
    plan = make_plan(look.ways, unfinished, look.reach)
    done = look.seen.points(tickets - unfinished) + look.seen.points(plan.served)
    failed = look.seen.points(unfinished - plan.served)
    room, of_all = look.reach - plan.trains, look.seen.rules.trains
    worth = done - failed + plan.points + 3.0 * room - (0.6 * plan.tolls if look.seen.known["tolls"] else 0.0)
    return {
        "keep": 1.0,
        "worth": worth / 150,
        "kept": len(kept) / 5,
        "kept_points": look.seen.points(kept) / 80,
        "plan_trains": plan.trains / of_all,
        "plan_tolls": look.of_tokens(plan),
        "plan_served": done / 150,
        "plan_unserved": failed / 60,
        "room": room / of_all,
    }


def _neutral(look: Outlook, track: int) -> Columns:
    return {
        "neutral_claim": 1.0,
        "length": look.seen.map.tracks[track].length / 9,
        "in_plan": float(look.is_planned(track)),
        "planned_lack": look.seen.lacks[track] / 7,
    }


# Cards.


def _helped(look: Outlook, card: str | None) -> list[int]:
    """The open tracks that lack cards, of which one of this kind would be one (None: of some kind)."""
    within = [t for t in look.seen.open_tracks if look.seen.map.tracks[t].length <= look.seen.trains]
    return [t for t in within if look.seen.lacks[t] and (card is None or _helps(look, card, t))]


def _helps(look: Outlook, card: str, track: int) -> bool:
    one = look.seen.map.tracks[track]
    return look.seen.takes_locomotives(one) if card == LOCOMOTIVE else card in look.seen.best_colours(one)


def _rate(look: Outlook, track: int) -> float:
    """Points a turn: two cards are drawn in one, and one is for the claim. A token counts 0.6 points."""
    one = look.seen.map.tracks[track]
    tolls = one.toll if look.seen.known["tolls"] else 0
    return (look.seen.rules.route_points[one.length] - 0.6 * tolls) / (1 + -(-look.seen.lacks[track] // 2))


def _prospects(look: Outlook, card: str | None) -> tuple[int, float]:
    """What the nearest planned track lacks that a card would help with, and the best rate of all."""
    tracks = _helped(look, card)
    lacks = [look.seen.lacks[track] for track in tracks if look.is_planned(track)]
    return min([LACK_NOTHING, *lacks]), max([0.0, *map(partial(_rate, look), tracks)])


def _card(look: Outlook, card: str) -> Columns:
    lack, rate = _prospects(look, card)
    lengths = [look.seen.map.tracks[track].length for track in _helped(look, card) if look.seen.lacks[track] == 1]
    return {
        "want": look.wanted.get(card, 0) / 6,
        "held": look.seen.hand[card] / 10,
        "face_up": look.seen.known["face_up"][card] / 5,
        "pays_planned": float(lack == 1),
        "planned_lack": lack / 7,
        "best_rate": rate / 10,
        "longest_payable": max(lengths, default=0) / 9,
    }


def _blind(look: Outlook) -> Columns:
    lack, rate = _prospects(look, None)
    unseen = _unseen(look)
    wanted = [card for card in CARDS if card == LOCOMOTIVE or look.wanted[card]]
    return {
        "draw_deck": 1.0,
        "planned_lack": lack / 7,
        "best_rate": rate / 10,
        "wanted_chance": sum(unseen[card] for card in wanted) / max(1, total(unseen)),
    }


def _unseen(look: Outlook) -> dict[str, int]:
    """By kind, the cards that the player has not seen: in the deck, or in another's hand and not known there."""
    known, rules = look.seen.known, look.seen.rules.cards
    shown = [look.seen.hand, known["face_up"], known["discard"]]
    shown += [known["seats"][seat]["known"] for seat in look.seen.others]
    of_all = {card: rules.locomotives if card == LOCOMOTIVE else rules.per_colour for card in CARDS}
    return {card: of_all[card] - sum(cards[card] for cards in shown) for card in CARDS}


def _extra(look: Outlook, locomotives: int) -> Columns:
    pending = look.seen.known["pending"]
    return {
        "tunnel_pay": 1.0,
        "locomotives_paid": locomotives / 6,
        "cards_paid": (pending["extra"] - locomotives) / 9,
        **(_card(look, pending["card"]) if pending["card"] != LOCOMOTIVE else {}),
    }
