"""The record of a board (`layout.BOARD`), made from a `Map`."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable
from typing import Any

import numpy as np

from ttr_env.engine import layout, slices
from ttr_env.engine.numbering import first, numbering
from ttr_env.maps.limits import MAX_CARDS, MAX_OFFER
from ttr_env.maps.model import CARDS, COLOURS, DISCARDS, Map, Rules, Track
from ttr_env.maps.payments import is_special, payments, special_kind


@functools.lru_cache(maxsize=64)
def board(map: Map) -> np.ndarray:
    """An array with the board's one record, as kernels take it; it is read-only and shared."""
    boards = np.zeros(1, layout.BOARD)
    record = boards[0]
    _fill_rules(record, map.rules)
    _fill_tracks(record, map)
    _fill_claims(record, map)
    _fill_classes(record, map)
    _fill_kinds(record, map)
    _fill_tickets(record, map)
    _fill_observation(record, map)
    boards.flags.writeable = False
    return boards


def _fill_rules(record: Any, rules: Rules) -> None:
    record["seats"] = rules.players[1]
    record["trains"] = rules.trains
    record["start_points"][: len(rules.start_points)] = rules.start_points
    cards, tickets = rules.cards, rules.tickets
    record["row"], record["row_reset"], record["hand"] = cards.row, cards.row_reset, cards.hand
    record["locomotive_ends_draw"] = cards.locomotive_ends_draw
    record["card_count"] = [cards.per_colour] * len(COLOURS) + [cards.locomotives]
    record["cards"] = cards.per_colour * len(COLOURS) + cards.locomotives
    record["deal"], record["keep"] = tickets.deal, tickets.keep
    record["draw"], record["draw_keep"] = tickets.draw, tickets.draw_keep
    record["discards"] = DISCARDS.index(tickets.discards)
    record["plain_locomotives"] = cards.plain_locomotives
    record["turned_up"] = rules.tunnels.turned_up if rules.tunnels else 0
    record["claims_wait"] = rules.tunnels is not None or rules.sets is not None
    record["most_tickets"] = rules.most_tickets
    record["measures_path"] = rules.longest_path is not None
    record["path_bonus"] = rules.longest_path.bonus if rules.longest_path else 0
    record["doubles_open_from"] = rules.doubles_open_from
    if rules.tolls:
        record["doubles_open_from"][1] = rules.tolls.doubles_open_from
        record["tokens"], record["loan_penalty"] = rules.tolls.tokens, rules.tolls.loan_penalty
        for players, bonus in rules.tolls.bonus.items():
            record["toll_bonus"][players, : len(bonus)] = bonus
    if rules.neutral:
        record["neutral_trains"] = rules.neutral.trains
        record["neutral_first_round"] = rules.neutral.first_round


def _fill_tracks(record: Any, map: Map) -> None:
    record["cities"], record["tracks"] = len(map.cities), len(map.tracks)
    record["all_tracks"] = _words(range(len(map.tracks)))
    record["track_partner"] = -1
    for index, track in enumerate(map.tracks):
        partner = map.partners[index]
        record["track_a"][index], record["track_b"][index] = track.a, track.b
        record["track_length"][index], record["track_toll"][index] = track.length, track.toll
        record["track_colour"][index] = _colour(track)
        record["track_points"][index] = map.rules.route_points[track.length]
        record["track_partner"][index] = -1 if partner is None else partner
        record["track_tunnel"][index], record["track_ferry"][index] = track.tunnel, track.ferry
        record["track_set"][index] = map.rules.set_size(track)
    for city in range(len(map.cities)):
        record["city_tracks"][city] = _words(i for i, track in enumerate(map.tracks) if city in (track.a, track.b))


def _fill_claims(record: Any, map: Map) -> None:
    """What each claim pays, and where the actions begin that only some boards have."""
    spans = numbering(map)
    claims = [span for span in spans if span.kind == "claim"]
    for span in claims:
        record["track_claim"][span.track], record["track_ways"][span.track] = span.first, span.count
        for action, payment in span.items():
            record["claim_track"][action - layout.CLAIM] = span.track
            card, cards = CARDS.index(payment.card), payment.colour_cards(map.tracks[span.track].length)
            record["claim_paid"][action - layout.CLAIM] = card, cards, payment.locomotives, payment.sets
    record["claims"] = sum(span.count for span in claims)
    record["neutral_action"], record["set_action"] = first(map, "neutral_claim"), first(map, "set_card")
    record["tunnel_action"], record["decline_action"] = first(map, "tunnel_pay"), first(map, "tunnel_decline")
    record["actions"] = spans[-1].end


def _fill_classes(record: Any, map: Map) -> None:
    """Plain tracks of one colour and length cost the same: they form a class."""
    record["longest"] = max(track.length for track in map.tracks)
    classes: dict[tuple[int, int], list[int]] = {}
    special = []
    for index, track in enumerate(map.tracks):
        if is_special(track, map.rules):
            special.append(index)
        else:
            classes.setdefault((_colour(track), track.length), []).append(index)
            record["track_plain"][index] = 1
    record["special"], record["special_tracks"] = len(special), _words(special)
    record["special_grey"] = _words(index for index in special if map.tracks[index].colour == "grey")
    record["special_coloured"] = record["special_tracks"] & ~record["special_grey"]
    for (colour, length), members in classes.items():
        record["class_tracks"][colour, length] = _words(members)
        record["class_size"][length, colour] = len(members)


def _fill_tickets(record: Any, map: Map) -> None:
    record["tickets"] = len(map.tickets)
    record["all_tickets"] = (1 << len(map.tickets)) - 1
    record["ticket_neutral"] = -1
    for index, ticket in enumerate(map.tickets):
        record["ticket_a"][index], record["ticket_b"][index] = ticket.a, ticket.b
        record["ticket_points"][index] = ticket.points
        if ticket.neutral:
            record["ticket_neutral"][index] = _lower_track(map, ticket.neutral)


def _fill_observation(record: Any, map: Map) -> None:
    for index, part in enumerate(slices.parts(map, planning=True, tolls_visible=True)):
        record["slices"][index] = part.begin
    record["base_size"] = slices.parts(map, planning=False, tolls_visible=False)[-1].end
    record["planning_size"] = slices.parts(map, planning=True, tolls_visible=False)[-1].end
    record["scale_card"] = 1 / np.maximum(1, record["card_count"])
    largest = {
        "cards": record["cards"],
        "row": map.rules.cards.row,
        "trains": map.rules.trains,
        "points": slices.most_points(map),
        "loans": slices.most_claims(map),
        "tolls": slices.most_tolls(map),
        "tickets": len(map.tickets),
        "ticket_points": max(ticket.points for ticket in map.tickets),
        "offer": MAX_OFFER,
        "sets": slices.most_in_sets(map),
    }
    for name, most in largest.items():
        record[f"scale_{name}"] = 1 / max(1, most)


def _fill_kinds(record: Any, map: Map) -> None:
    """What can be known beforehand of the ways to pay for special tracks."""
    kinds: dict[Any, int] = {}
    for index, track in enumerate(map.tracks):
        if is_special(track, map.rules):
            kind = special_kind(track, map.rules)
            if kind not in kinds:
                kinds[kind] = len(kinds)
                _fill_kind(record, kinds[kind], track, map.rules)
            record["track_kind"][index] = kinds[kind]


def _fill_kind(record: Any, kind: int, track: Track, rules: Rules) -> None:
    size, length = rules.set_size(track), track.length
    for cards in range(MAX_CARDS + 1):
        singles = max(0, -((cards - size * length) // (size - 1))) if size else length
        record["kind_singles"][kind, cards] = min(singles, layout.LENGTHS)
    for payment in payments(dataclasses.replace(track, colour=COLOURS[0]), rules):
        paid, locomotives = payment.colour_cards(length), payment.locomotives
        record["kind_ways"][kind, : paid + locomotives + 1, locomotives:, paid:] += 1


def _lower_track(map: Map, ends: tuple[int, int]) -> int:
    return next(i for i, track in enumerate(map.tracks) if {track.a, track.b} == set(ends))


def _colour(track: Track) -> int:
    return layout.GREY if track.colour == "grey" else COLOURS.index(track.colour)


def _words(tracks: Iterable[int]) -> list[int]:
    """A set of tracks as 64-bit words."""
    bits = sum(1 << track for track in tracks)
    return [(bits >> 64 * word) & 0xFFFFFFFFFFFFFFFF for word in range(layout.WORDS)]
