"""The candidates: every legal action, but of the ways to pay for a track only those that no other one beats."""

from itertools import combinations
from typing import Any

from .board import CARDS, COLOURS, LOCOMOTIVE
from .seen import Seen
from .state import Action, Counts

MOST = 128


def candidates(seen: Seen) -> tuple[list[Action], int]:
    """The candidates in no order, and how many more there would be; each is as `Action.as_dict()` has it."""
    match seen.phase:
        case "keep_tickets":
            return _keeps(seen), 0
        case "neutral":
            return [{"kind": "neutral_claim", "track": track} for track in _neutral_tracks(seen)], 0
        case "tunnel":
            return _extras(seen), 0
        case "set":
            return [{"kind": "set_card", "card": card} for card in CARDS if _spare(seen)[card] > 0], 0
        case "second_card":
            return _draws(seen), 0
    draws = _draws(seen)
    if seen.known["ticket_pile"] or (seen.rules.tickets.discards != "out" and seen.known["ticket_discard"]):
        draws.append({"kind": "draw_tickets"})
    claims = [claim for track in seen.open_tracks for claim in sparing_claims(seen, track)]
    claims.sort(key=lambda claim: -seen.map.tracks[claim["track"]].length)
    kept = claims[: MOST - len(draws)]
    return draws + kept or [{"kind": "pass"}], len(claims) - len(kept)


def _keeps(seen: Seen) -> list[Action]:
    """N2, S2, U1."""
    offered, rules = seen.seat["offered"], seen.rules.tickets
    least = min(rules.keep if seen.known["setup"] else rules.draw_keep, len(offered))
    return [
        {"kind": "keep_tickets", "tickets": list(kept)}
        for number in range(least, len(offered) + 1)
        for kept in combinations(offered, number)
    ]


def _neutral_tracks(seen: Seen) -> list[int]:
    """N11: the two tracks of the route at the bottom of the ticket."""
    route = set(seen.map.tickets[seen.known["neutral"]["ticket"]].neutral or ())
    return [i for i, track in enumerate(seen.map.tracks) if {track.a, track.b} == route]


def _laid_down(seen: Seen) -> Counts:
    """The cards on the table for a claim that waits."""
    pending = seen.known["pending"]
    laid = dict(pending.get("chosen", dict.fromkeys(CARDS, 0)))
    length = seen.map.tracks[pending["track"]].length
    laid[LOCOMOTIVE] += pending["locomotives"]
    laid[pending["card"]] += length - pending["locomotives"] - pending.get("sets", 0)
    return laid


def _spare(seen: Seen) -> Counts:
    laid = _laid_down(seen)
    return {card: seen.hand[card] - laid[card] for card in CARDS}


def _extras(seen: Seen) -> list[Action]:
    """S6: in the colour that was paid and locomotives, or in these alone if there was no colour; or declining."""
    pending, spare = seen.known["pending"], _spare(seen)
    in_colour = 0 if pending["card"] == LOCOMOTIVE else spare[pending["card"]]
    least, most = max(0, pending["extra"] - in_colour), min(pending["extra"], spare[LOCOMOTIVE])
    pays: list[Action] = [{"kind": "tunnel_pay", "locomotives": number} for number in range(least, most + 1)]
    return [*pays, {"kind": "tunnel_decline"}]


def _draws(seen: Seen) -> list[Action]:
    """B3, B5: no face-up locomotive as a second card, where it would be a draw by itself."""
    known = seen.known
    second_only = seen.phase == "second_card" and seen.rules.cards.locomotive_ends_draw
    cards = [card for card in (COLOURS if second_only else CARDS) if known["face_up"][card]]
    draws: list[Action] = [{"kind": "draw_face_up", "card": card} for card in cards]
    return [{"kind": "draw_deck"}, *draws] if known["deck"] or sum(known["discard"].values()) else draws


def sparing_claims(seen: Seen, track: int) -> list[Action]:
    """The claims of a track with payments that no other beats, in the order of actions: colour by colour, with fewer
    and fewer cards of it and more locomotives. There are none with too few trains (B6)."""
    if seen.map.tracks[track].length > seen.trains:
        return []
    ways = seen.payments(track)
    best = [way for way in ways if not any(beats(other, way) for other in ways)]
    best.sort(key=lambda way: (CARDS.index(way["card"]), -way["cards"], way["locomotives"]))
    return [_claim(seen, track, way) for way in best]


def beats(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether one payment takes no more locomotives and sets than another, and fewer of one of them."""
    spent, spent_by_other = ((way["locomotives"], way["sets"]) for way in (one, other))
    return spent != spent_by_other and all(a <= b for a, b in zip(spent, spent_by_other, strict=True))


def _claim(seen: Seen, track: int, way: dict[str, Any]) -> Action:
    claim: Action = {"kind": "claim", "track": track, "card": way["card"], "locomotives": way["locomotives"]}
    return {**claim, "sets": way["sets"]} if seen.rules.sets else claim
