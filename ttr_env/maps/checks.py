"""Whether the rules of a board make sense, by themselves and together with its number of tickets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib.resources.abc import Traversable

from .faults import Place, unknown
from .limits import MAX_CARDS, MAX_LENGTH, MAX_OFFER, MAX_PLAYERS, MAX_SET, MAX_TURNED_UP
from .model import COLOURS, DISCARDS, CardRules, Rules, SetRules, TicketRules, TollRules, Track
from .tangle import sweep_width

MAX_REDEALS = 10_000  # of the face-up row, on average, until B4 is content with it
MAX_PATH_TRAINS = 100  # with which the longest path is found in time on every board; with more,
MAX_PATH_WIDTH = 14  # only where a sweep has no more cities than this in mind


def check_rules(file: Traversable, rules: Rules) -> None:
    """Refuse rules that no game can be played by; `file` is their `map.toml`."""
    root = Place(str(file))
    _check_players(rules, root)
    _check_route_points(rules, root.inner("route_points"))
    _check_cards(rules.cards, rules.players[1], root.inner("cards"))
    _check_tickets(rules.tickets, root.inner("tickets"))
    if rules.tunnels is not None:
        right = f"it must be from 1 to {MAX_TURNED_UP}"
        place = root.inner("tunnels").inner("turned_up")
        _demand(1 <= rules.tunnels.turned_up <= MAX_TURNED_UP, place, f"is {rules.tunnels.turned_up}; {right}")
    if rules.sets is not None:
        _check_sets(rules.sets, root.inner("sets"))
    if rules.tolls is not None:
        tokens = root.inner("tolls").inner("tokens")
        _demand(rules.tolls.tokens >= 1, tokens, "is 0; who pays tolls needs tokens, or drop [tolls]")
        _check_bonus(rules.tolls, rules.players, root.inner("tolls").inner("bonus"))
    if rules.neutral is not None:
        neutral = root.inner("neutral")
        _demand(rules.tolls is not None, neutral, "needs tolls; add [tolls] or drop [neutral]")
        _demand(rules.neutral.first_round >= 1, neutral.inner("first_round"), "is 0; rounds count from 1")
        _demand(rules.neutral.trains >= 1, neutral.inner("trains"), "is 0; who builds needs trains, or drop [neutral]")


def check_ticket_supply(file: Traversable, tickets: int, rules: Rules) -> None:
    """Refuse a `tickets.csv` that cannot be dealt to the largest table."""
    most, deal = rules.players[1], rules.tickets.deal
    problem = f"has {tickets} tickets; dealing {deal} to each of {most} players takes {most * deal}"
    _demand(tickets >= most * deal, Place(str(file)), problem)


def _demand(holds: bool, place: Place, problem: str) -> None:
    if not holds:
        raise place.error(problem)


def _check_players(rules: Rules, root: Place) -> None:
    fewest, most = rules.players
    right = f"it must be the fewest and the most, from 2 to {MAX_PLAYERS}"
    _demand(2 <= fewest <= most <= MAX_PLAYERS, root.inner("players"), f"is [{fewest}, {most}]; {right}")
    _demand(rules.trains >= 1, root.inner("trains"), "is 0; every player needs trains")
    starts = len(rules.start_points)
    right = f"it must have {most}, one for each of the most players"
    _demand(starts == most, root.inner("start_points"), f"has {starts} numbers; {right}")


def _check_route_points(rules: Rules, place: Place) -> None:
    _demand(bool(rules.route_points), place, "is empty; it must say what each length scores, like 1 = 1")
    for length in rules.route_points:
        right = f"a length is from 1 to {MAX_LENGTH}"
        _demand(1 <= length <= MAX_LENGTH, place.inner(str(length)), f"is no length; {right}")


def _check_cards(cards: CardRules, most: int, place: Place) -> None:
    total = len(COLOURS) * cards.per_colour + cards.locomotives
    dealt = most * cards.hand + cards.row
    _demand(total <= MAX_CARDS, place, f"makes {total} train cards; the engine holds at most {MAX_CARDS}")
    right = f"{most} hands of {cards.hand} and a row of {cards.row} take {dealt}"
    _demand(total >= max(dealt, 1), place, f"makes {total} train cards; {right}")
    _check_row(cards, place.inner("row_reset"))


def _check_row(cards: CardRules, place: Place) -> None:
    """Refuse a row that might be cleared again and again: when as few coloured cards are left as can settle it (B4)."""
    reset, row = cards.row_reset, cards.row
    if not 0 < reset <= row:
        return
    coloured = row - reset + 1  # with fewer the row is left as it is
    rows = math.comb(coloured + cards.locomotives, row)
    settled = math.comb(cards.locomotives, reset - 1)
    right = "let more locomotives lie there, or 0: any number; or have fewer of them"
    if cards.locomotives >= reset and rows > MAX_REDEALS * settled:
        raise place.error(
            f"is {reset}; with {cards.locomotives} locomotives and {coloured} other cards left, a row of {row} would "
            f"be cleared {rows // settled} times before it shows fewer; {right}"
        )


def check_paths(file: Traversable, cities: int, tracks: Sequence[Track], rules: Rules) -> None:
    """Refuse a board on which the longest path of so many trains might not be found in time; `file` is `map.toml`."""
    if rules.longest_path is None or rules.trains <= MAX_PATH_TRAINS:
        return
    width = sweep_width(cities, tracks)
    problem = (
        f"is {rules.trains}, and on a board as tangled as this one (a sweep over its cities has {width} in mind "
        f"at once, more than {MAX_PATH_WIDTH}) the longest path of more than {MAX_PATH_TRAINS} trains takes too long "
        "to find; give fewer, or drop [longest_path]"
    )
    _demand(width <= MAX_PATH_WIDTH, Place(str(file)).inner("trains"), problem)


def _check_tickets(tickets: TicketRules, place: Place) -> None:
    for offer_key, offer, keep_key, keep in (
        ("deal", tickets.deal, "keep", tickets.keep),
        ("draw", tickets.draw, "draw_keep", tickets.draw_keep),
    ):
        right = f"it must be from 1 to {MAX_OFFER}"
        _demand(1 <= offer <= MAX_OFFER, place.inner(offer_key), f"is {offer}; {right}")
        right = f"it must be from 1 to {offer_key}, which is {offer}"
        _demand(1 <= keep <= offer, place.inner(keep_key), f"is {keep}; {right}")
    _demand(tickets.discards in DISCARDS, place.inner("discards"), unknown(tickets.discards, DISCARDS))


def _check_sets(sets: SetRules, place: Place) -> None:
    right = f"it must be from 2 to {MAX_SET}"
    _demand(sets.ferry == 0 or 2 <= sets.ferry <= MAX_SET, place.inner("ferry"), f"is {sets.ferry}; {right}, or 0")
    for length, size in sets.length.items():
        here = place.inner("length").inner(str(length))
        _demand(1 <= length <= MAX_LENGTH, here, f"is no length; a length is from 1 to {MAX_LENGTH}")
        _demand(2 <= size <= MAX_SET, here, f"is {size}; {right}")


def _check_bonus(tolls: TollRules, players: tuple[int, int], place: Place) -> None:
    fewest, most = players
    for count in range(fewest, most + 1):
        right = f"every number of players from {fewest} to {most} needs its bonuses"
        _demand(count in tolls.bonus, place.inner(str(count)), f"is missing; {right}")
    for count, ranks in tolls.bonus.items():
        here = place.inner(str(count))
        _demand(fewest <= count <= most, here, f"is no number of players; those are {fewest} to {most}")
        _demand(len(ranks) == count, here, f"has {len(ranks)} ranks; it must have {count}, one a player")
