"""Reading a snapshot back into a game's record, and refusing one that is no position of the game."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ttr_env import maps
from ttr_env.engine import calls, layout
from ttr_env.engine.board import board
from ttr_env.engine.neutral import A_CHOICE, TOO_MANY_TRAINS
from ttr_env.errors import MapError, SnapshotError
from ttr_env.game import waiting
from ttr_env.game.fields import card_counts, check_keys, flag, number, whole_list
from ttr_env.game.snapshot import FORMAT
from ttr_env.game.types import Neutral, Seat, Snapshot, keys
from ttr_env.maps import Map
from ttr_env.maps.faults import shortened
from ttr_env.maps.model import CARDS
from ttr_env.options import GameOptions, Variant, of_kind

_LARGEST = 30000  # of tokens and points, which play can still add to


def read(snapshot: Any, on: Map | None = None) -> tuple[Map, np.void]:
    """The map and the record of a snapshot, all but the parts of the record that the engine derives.

    The map is the one that the snapshot names, or `on` in its place.
    """
    check_keys(snapshot, "snapshot", keys(Snapshot))
    if type(snapshot["format"]) is not int or snapshot["format"] != FORMAT:
        raise SnapshotError(f"format: {shortened(snapshot['format'])} is unknown; this version reads format {FORMAT}")
    map, chosen = _read_variant(snapshot, on)
    games = np.zeros(1, layout.GAME)
    record = games[0]
    record["players"], record["with_tolls"], record["with_neutral"] = (
        chosen.players,
        chosen.tolls,
        chosen.neutral_player,
    )
    _read_clock(snapshot, map, record)
    _read_owners(snapshot, map, record)
    _check_owners(snapshot["owners"], map, games)
    _read_seats(snapshot, map, record)
    _read_neutral(snapshot, map, record)
    waiting.read(snapshot["pending"], map, record)
    _read_cards(snapshot, map, record)
    _read_tickets(snapshot, map, record)
    _check_phase(map, games)
    waiting.check(snapshot["pending"], map, games)
    rng = snapshot["rng"]
    if not isinstance(rng, str) or not re.fullmatch("[0-9a-f]{16}", rng):
        raise SnapshotError(f"rng: 16 hexadecimal digits are needed, not {shortened(rng)}")
    record["rng"] = int(rng, 16)
    return map, record


def _read_variant(snapshot: Mapping[str, Any], on: Map | None) -> tuple[Map, Variant]:
    if not isinstance(snapshot["map"], str):
        raise SnapshotError(f"map: a name or the path of a folder is needed, not {shortened(snapshot['map'])}")
    for key in ("tolls", "neutral_player", "setup"):
        flag(snapshot[key], key)
    number(snapshot["players"], "players", 0, 99)
    try:
        map = on or maps.load(snapshot["map"])
        return map, Variant.of(map, **of_kind(snapshot, GameOptions))
    except MapError as error:
        raise SnapshotError(f"map: {error}") from error
    except ValueError as error:
        raise SnapshotError(str(error)) from error


def _read_clock(snapshot: Mapping[str, Any], map: Map, record: np.void) -> None:
    players = int(record["players"])
    absent = [kind for kind in waiting.KINDS if kind not in waiting.kinds(map)]
    phases = [phase for phase in layout.PHASES if phase not in absent]
    if snapshot["phase"] not in phases:
        raise SnapshotError(f"phase: {shortened(snapshot['phase'])} is unknown; the phases are {', '.join(phases)}")
    record["phase"] = layout.PHASES.index(snapshot["phase"])
    record["setup"] = snapshot["setup"]
    over = snapshot["phase"] == "over"
    lowest, highest = (-1, -1) if over else (0, players - 1)
    record["player"] = number(snapshot["player"], "player", lowest, highest)
    record["round"] = number(snapshot["round"], "round", 1, 2**30)
    record["passes"] = number(snapshot["passes"], "passes", 0, players if over else players - 1)
    left = snapshot["turns_left"]
    record["turns_left"] = -1 if left is None else number(left, "turns_left", 0 if over else 1, players)


def _read_owners(snapshot: Mapping[str, Any], map: Map, record: np.void) -> None:
    owners = whole_list(snapshot["owners"], "owners", len(map.tracks))
    record["owner"] = layout.FREE
    known = [*range(record["players"]), *(["neutral"] if record["with_neutral"] else [])]
    for track, owner in enumerate(owners):
        if owner is None:
            continue
        if type(owner) not in (int, str) or owner not in known:
            raise SnapshotError(f"owners[{track}]: {shortened(owner)} is nobody; None or one of {known} is needed")
        record["owner"][track] = layout.NEUTRAL_OWNER if owner == "neutral" else owner


def _check_owners(owners: Sequence[Any], map: Map, games: np.ndarray) -> None:
    """Refuse a track that, by the engine, its owner cannot have beside the other track of its route."""
    track = int(calls.restore(games, 0, board(map)))
    if track < 0:
        return
    partner = map.partners[track]
    if partner is not None and owners[track] == owners[partner]:
        raise SnapshotError(f"owners[{track}]: {owners[track]!r} owns track {partner} beside it already (B7)")
    raise SnapshotError(f"owners[{track}]: it was closed when track {partner} was claimed (B7)")


def _read_seats(snapshot: Mapping[str, Any], map: Map, record: np.void) -> None:
    for index, seat in enumerate(whole_list(snapshot["seats"], "seats", int(record["players"]))):
        name = f"seats[{index}]"
        check_keys(seat, name, keys(Seat))
        record["hand"][index] = card_counts(seat["hand"], f"{name}.hand")
        record["known"][index] = card_counts(seat["known"], f"{name}.known")
        for card, held, known in zip(CARDS, record["hand"][index], record["known"][index], strict=True):
            if known > held:
                raise SnapshotError(f"{name}.known.{card}: {known} is more than the {held} in the hand")
        most = _LARGEST if record["with_tolls"] else 0
        record["tolls"][index] = number(seat["tolls"], f"{name}.tolls", 0, most)
        record["points"][index] = number(seat["points"], f"{name}.points", 0, _LARGEST)
        record["trains"][index] = _trains(seat["trains"], f"{name}.trains", map, record, index, map.rules.trains)
        most_loans = 127 - int(record["trains"][index]) if record["with_tolls"] else 0  # each further claim can add one
        record["loans"][index] = number(seat["loans"], f"{name}.loans", 0, most_loans)


def _read_neutral(snapshot: Mapping[str, Any], map: Map, record: np.void) -> None:
    neutral = snapshot["neutral"]
    record["neutral_ticket"] = -1
    if not record["with_neutral"] or map.rules.neutral is None:
        if neutral is not None:
            raise SnapshotError("neutral: None is needed where no neutral player takes part")
        return
    check_keys(neutral, "neutral", keys(Neutral))
    record["neutral_trains"] = _trains(
        neutral["trains"], "neutral.trains", map, record, layout.NEUTRAL_OWNER, map.rules.neutral.trains
    )
    record["neutral_marker"] = number(neutral["marker"], "neutral.marker", 0, 1)
    record["neutral_active"] = flag(neutral["active"], "neutral.active")
    if neutral["ticket"] is not None:
        ticket = number(neutral["ticket"], "neutral.ticket", 0, len(map.tickets) - 1)
        record["neutral_ticket"] = ticket


def _trains(value: Any, name: str, map: Map, record: np.void, owner: int, start: int) -> int:
    used = sum(track.length for track, held in zip(map.tracks, record["owner"], strict=False) if held == owner)
    if used > start:
        raise SnapshotError(f"{name}: the tracks of {name.split('.')[0]} need {used} trains of {start}")
    trains = number(value, name, 0, start)
    if trains != start - used:
        raise SnapshotError(f"{name}: {start} less the {used} on tracks is {start - used}, not {trains}")
    return trains


def _read_cards(snapshot: Mapping[str, Any], map: Map, record: np.void) -> None:
    for pile in ("deck", "discard", "face_up"):
        record[pile] = card_counts(snapshot[pile], pile)
    row = map.rules.cards.row
    if sum(record["face_up"]) > row:
        raise SnapshotError(f"face_up: at most {row} cards lie face up, not {sum(record['face_up'])}")
    rules = map.rules.cards
    for index, card in enumerate(CARDS):
        expected = rules.locomotives if card == CARDS[-1] else rules.per_colour
        found = sum(int(record[pile][index]) for pile in ("deck", "discard", "face_up"))
        found += int(record["hand"][:, index].sum()) + int(record["pending_turned"][index])
        if found != expected:
            where = "deck, discard, face_up and the hands"
            if record["phase"] == layout.TUNNEL:
                where = "deck, discard, face_up, the hands and pending.turned_up"
            raise SnapshotError(f"deck.{card}: {where} hold {found} {card} cards; there are {expected}")


def _read_tickets(snapshot: Mapping[str, Any], map: Map, record: np.void) -> None:
    seen: dict[int, str] = {}
    places: list[tuple[Any, str]] = [(snapshot[key], key) for key in ("ticket_pile", "ticket_discard")]
    for index, seat in enumerate(snapshot["seats"]):
        places += [(seat[key], f"seats[{index}].{key}") for key in ("tickets", "offered")]
        record["tickets"][index] = _ticket_set(seat["tickets"], f"seats[{index}].tickets", map)
        record["offered"][index] = _ticket_set(seat["offered"], f"seats[{index}].offered", map)
    record["ticket_pile"] = _ticket_set(snapshot["ticket_pile"], "ticket_pile", map)
    record["ticket_discard"] = _ticket_set(snapshot["ticket_discard"], "ticket_discard", map)
    if record["neutral_ticket"] >= 0:
        places.append(([int(record["neutral_ticket"])], "neutral.ticket"))
    for tickets, name in places:
        for ticket in tickets:
            if ticket in seen:
                raise SnapshotError(f"{name}: ticket {ticket} is in {seen[ticket]} already")
            seen[ticket] = name
    missing = sorted(set(range(len(map.tickets))) - set(seen))
    if missing:
        raise SnapshotError(f"ticket_pile: ticket {missing[0]} is in no list; every ticket must be in one")
    _read_refused(snapshot, map, record)


def _read_refused(snapshot: Mapping[str, Any], map: Map, record: np.void) -> None:
    discarded = set(snapshot["ticket_discard"])
    for index, seat in enumerate(snapshot["seats"]):
        name = f"seats[{index}].refused"
        record["refused"][index] = _ticket_set(seat["refused"], name, map)
        for ticket in seat["refused"]:
            if ticket not in discarded:
                raise SnapshotError(f"{name}: ticket {ticket} is not in ticket_discard, or another seat refused it")
        discarded -= set(seat["refused"])


def _check_phase(map: Map, games: np.ndarray) -> None:
    """What is set in some phases alone fits the phase."""
    record = games[0]
    player, phase = int(record["player"]), int(record["phase"])
    keeping = phase == layout.KEEP_TICKETS
    if record["setup"] and not keeping:
        raise SnapshotError(f"setup: the first keeps are made in keep_tickets, not in {layout.PHASES[phase]}")
    for seat in range(record["players"]):
        chooses = keeping and (seat >= player if record["setup"] else seat == player)
        if chooses and not record["offered"][seat]:
            raise SnapshotError(f"seats[{seat}].offered: this seat has yet to choose, but nothing is on offer")
        if record["offered"][seat] and not chooses:
            raise SnapshotError(f"seats[{seat}].offered: nothing is on offer to this seat now")
    for seat in range(record["players"]):
        if int(record["offered"][seat]).bit_count() > maps.limits.MAX_OFFER:
            raise SnapshotError(f"seats[{seat}].offered: at most {maps.limits.MAX_OFFER} tickets are on offer")
    _check_neutral_phase(map, games, phase == layout.NEUTRAL)


def _check_neutral_phase(map: Map, games: np.ndarray, waiting: bool) -> None:
    record = games[0]
    ticket = int(record["neutral_ticket"])
    if waiting != (ticket >= 0):
        raise SnapshotError("neutral.ticket: a ticket lies turned up in phase neutral, and only then")
    if not waiting:
        return
    if record["player"] != record["neutral_marker"]:
        raise SnapshotError("player: in phase neutral the marker's holder decides")
    if not record["neutral_active"]:
        raise SnapshotError("neutral.active: a neutral player who is out has no phase")
    asked = calls.neutral_demand(games, 0, board(map), ticket)
    if asked == TOO_MANY_TRAINS:
        raise SnapshotError(f"neutral.ticket: the route of ticket {ticket} is longer than the neutral trains")
    if asked != A_CHOICE:
        raise SnapshotError(f"neutral.ticket: ticket {ticket} does not name a route with two free tracks")


def _ticket_set(value: Any, name: str, map: Map) -> int:
    tickets = whole_list(value, name)
    for index, ticket in enumerate(tickets):
        number(ticket, f"{name}[{index}]", 0, len(map.tickets) - 1)
        if index and ticket <= tickets[index - 1]:
            raise SnapshotError(f"{name}[{index}]: the ids must ascend, but {ticket} follows {tickets[index - 1]}")
    return sum(1 << ticket for ticket in tickets)
