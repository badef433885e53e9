"""Cities, tracks and tickets from their tables, row by row, each checked against what came before."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources.abc import Traversable

from ttr_env.maps.faults import unknown
from ttr_env.maps.files import Row, read_table
from ttr_env.maps.limits import MAX_CITIES, MAX_CLAIMS, MAX_KINDS, MAX_TICKETS, MAX_TRACKS
from ttr_env.maps.model import COLOURS, GREY, City, Rules, Ticket, Track
from ttr_env.maps.payments import is_special, payments, special_kind

TRACK_COLOURS = (*COLOURS, GREY)
Pair = frozenset[int]  # the two ends of a route, by city index


def read_board(folder: Traversable, rules: Rules) -> tuple[tuple[City, ...], tuple[Track, ...], tuple[Ticket, ...]]:
    """The cities, tracks and tickets of the board in `folder`, which must fit `rules` and each other."""
    city_rows = read_table(folder / "cities.csv", ("city", "latitude", "longitude"), most=MAX_CITIES)
    cities = _cities(city_rows)
    tracks = _tracks(folder / "tracks.csv", cities, rules)
    _check_connected(city_rows, tracks)
    tickets = _tickets(folder / "tickets.csv", cities, tracks, rules)
    return cities, tracks, tickets


def _cities(rows: Sequence[Row]) -> tuple[City, ...]:
    check_listed_once(rows)
    cities = tuple(City(row.name("city"), *row.point()) for row in rows)
    if len(rows) > 1 and len({(city.latitude, city.longitude) for city in cities}) == 1:
        raise rows[-1].at("latitude").error("is that of all other cities; the board would be a point")
    return cities


def check_listed_once(rows: Sequence[Row]) -> None:
    """Refuse a table with two rows for one city."""
    lines: dict[str, int] = {}
    for row in rows:
        name = row.text("city")
        if name in lines:
            raise row.at("city").error(f"{name!r} is on line {lines[name]} already; list each city once")
        lines[name] = row.line


def city_index(row: Row, column: str, cities: Sequence[City]) -> int:
    """The index of the city that a row names, which must be one of the board's."""
    name = row.text(column)
    if name not in cities:
        raise row.at(column).error(unknown(name, cities))
    return cities.index(name)


def _two_cities(row: Row, columns: tuple[str, str], cities: Sequence[City]) -> tuple[int, int]:
    a, b = (city_index(row, column, cities) for column in columns)
    if a == b:
        raise row.at(columns[1]).error(f"{cities[b]!r} is {columns[0]} too; the two cities must differ")
    return a, b


def _tracks(file: Traversable, cities: Sequence[City], rules: Rules) -> tuple[Track, ...]:
    columns, optional = ["city_a", "city_b", "length", "colour"], ["ferry"]
    (columns if rules.tolls is not None else optional).append("toll")
    (columns if rules.tunnels is not None else optional).append("tunnel")
    rows = read_table(file, columns, optional=optional, most=MAX_TRACKS)
    tracks = tuple(_track(row, cities, rules) for row in rows)
    _check_doubles(rows, tracks, same_length=rules.neutral is not None)
    _check_claims(rows, tracks, rules)
    _check_kinds(rows, tracks, rules)
    return tracks


def _track(row: Row, cities: Sequence[City], rules: Rules) -> Track:
    a, b = _two_cities(row, ("city_a", "city_b"), cities)
    length = row.integer("length")
    if length not in rules.route_points:
        known = ", ".join(map(str, sorted(rules.route_points)))
        raise row.at("length").error(f"is {length}; the lengths of map.toml's [route_points] are {known}")
    colour = row.text("colour")
    if colour not in TRACK_COLOURS:
        raise row.at("colour").error(unknown(colour, TRACK_COLOURS))
    toll = row.integer("toll", least=0 if rules.tolls is None else 1) if "toll" in row.cells else 0
    tunnel, ferry = _tunnel(row, rules), _ferry(row, length)
    if tunnel and ferry:
        raise row.at("ferry").error("is more than 0 on a tunnel; a track is a tunnel, a ferry or neither")
    return Track(a, b, length, colour, toll, tunnel, ferry)


def _tunnel(row: Row, rules: Rules) -> bool:
    number = row.integer("tunnel", least=0) if "tunnel" in row.cells else 0
    if number > 1:
        raise row.at("tunnel").error(f"is {number}; it must be 1 for a tunnel, else 0")
    if number and rules.tunnels is None:
        raise row.at("tunnel").error("is 1, but map.toml has no [tunnels] to say how many cards are turned up")
    return number == 1


def _ferry(row: Row, length: int) -> int:
    symbols = row.integer("ferry", least=0) if "ferry" in row.cells else 0
    if symbols > length:
        raise row.at("ferry").error(f"is {symbols} on a track of length {length}; it has at most as many symbols")
    return symbols


def _check_doubles(rows: Sequence[Row], tracks: Sequence[Track], same_length: bool) -> None:
    """At most two tracks a route, with one toll; of one length too where the neutral player takes either."""
    first: dict[Pair, tuple[Row, Track]] = {}
    second: dict[Pair, Row] = {}
    for row, track in zip(rows, tracks, strict=True):
        ends = frozenset((track.a, track.b))
        if ends not in first:
            first[ends] = row, track
            continue
        twin_row, twin = first[ends]
        if ends in second:
            lines = f"lines {twin_row.line} and {second[ends].line}"
            raise row.at("city_b").error(f"is a third track beside {lines}; a route has one or two")
        second[ends] = row
        for field, own, other in (("length", track.length, twin.length), ("toll", track.toll, twin.toll)):
            if own != other and (field == "toll" or same_length):
                right = "the two tracks of a double route must agree"
                raise row.at(field).error(f"is {own}, but {other} on line {twin_row.line}; {right}")


def _check_claims(rows: Sequence[Row], tracks: Sequence[Track], rules: Rules) -> None:
    claims = 0
    for row, track in zip(rows, tracks, strict=True):
        claims += len(payments(track, rules))
        if claims > MAX_CLAIMS:
            right = f"the engine holds {MAX_CLAIMS}, so use fewer, shorter or less grey tracks"
            raise row.at("length").error(f"brings the ways to claim a track to {claims}; {right}")


def _check_kinds(rows: Sequence[Row], tracks: Sequence[Track], rules: Rules) -> None:
    kinds: set[tuple[int, ...]] = set()
    for row, track in zip(rows, tracks, strict=True):
        if is_special(track, rules):
            kinds.add(special_kind(track, rules))
        if len(kinds) > MAX_KINDS:
            right = f"the engine holds {MAX_KINDS}; let more of them have the same length and symbols"
            raise row.at("length").error(f"makes {len(kinds)} kinds of tunnels, ferries and tracks with sets; {right}")


def _check_connected(city_rows: Sequence[Row], tracks: Sequence[Track]) -> None:
    neighbours: list[set[int]] = [set() for _ in city_rows]
    for track in tracks:
        neighbours[track.a].add(track.b)
        neighbours[track.b].add(track.a)
    for row, others in zip(city_rows, neighbours, strict=True):
        if not others:
            raise row.at("city").error(f"{row.text('city')!r} has no track; every city needs one")
    reached, todo = {0}, [0]
    while todo:
        fresh = neighbours[todo.pop()] - reached
        reached |= fresh
        todo += fresh
    for index, row in enumerate(city_rows):
        if index not in reached:
            start, name = city_rows[0].text("city"), row.text("city")
            raise row.at("city").error(f"{name!r} cannot be reached from {start!r}; tracks must connect all cities")


def _tickets(file: Traversable, cities: Sequence[City], tracks: Sequence[Track], rules: Rules) -> tuple[Ticket, ...]:
    columns, neutral = ("city_a", "city_b", "points"), ("neutral_a", "neutral_b")
    if rules.neutral is not None:
        rows = read_table(file, columns + neutral, most=MAX_TICKETS)
    else:
        rows = read_table(file, columns, optional=neutral, most=MAX_TICKETS)
    ends = [frozenset((track.a, track.b)) for track in tracks]
    doubles = {pair for pair in ends if ends.count(pair) == 2}
    tickets = tuple(_ticket(row, cities, doubles) for row in rows)
    _check_distinct(rows, tickets)
    return tickets


def _ticket(row: Row, cities: Sequence[City], doubles: set[Pair]) -> Ticket:
    a, b = _two_cities(row, ("city_a", "city_b"), cities)
    return Ticket(a, b, row.integer("points"), _neutral(row, cities, doubles))


def _neutral(row: Row, cities: Sequence[City], doubles: set[Pair]) -> tuple[int, int] | None:
    columns = ("neutral_a", "neutral_b")
    if not any(row.cells.get(column) for column in columns):
        return None
    for column, other in (columns, columns[::-1]):
        if not row.cells.get(column):
            raise row.at(column).error(f"is empty; fill it, or leave {other} empty too")
    pair = _two_cities(row, columns, cities)
    if frozenset(pair) not in doubles:
        a, b = (cities[index] for index in pair)
        raise row.at("neutral_a").error(f"{a!r} to {b!r} is no double route; the neutral player needs one")
    return pair


def _check_distinct(rows: Sequence[Row], tickets: Sequence[Ticket]) -> None:
    lines: dict[Pair, int] = {}
    for row, ticket in zip(rows, tickets, strict=True):
        ends = frozenset((ticket.a, ticket.b))
        if ends in lines:
            raise row.at("city_b").error(
                f"joins the same cities as line {lines[ends]}; two cities share at most one ticket"
            )
        lines[ends] = row.line
