"""Where things are: on the picture, apart from each other, and big enough to read."""

from __future__ import annotations

import itertools
import math

import pytest

from ttr_env import maps
from ttr_env.render.metrics import text_width
from ttr_env.render.plan import CITY_RADIUS, NAME_SIZE, plan
from ttr_env.render.shapes import Box

MAP = maps.load("nederland")
BOX = Box(0, 0, 648, 800)
PLAN = plan(MAP, BOX)


def name_boxes() -> list[Box]:
    return [
        Box(x, y - 0.75 * NAME_SIZE, text_width(city, NAME_SIZE), 0.95 * NAME_SIZE)
        for (x, y), city in zip(PLAN.names, MAP.cities, strict=True)
    ]


def apart(a: Box, b: Box) -> bool:
    return a.right <= b.x or b.right <= a.x or a.bottom <= b.y or b.bottom <= a.y


def test_names_do_not_overlap() -> None:
    assert all(apart(a, b) for a, b in itertools.combinations(name_boxes(), 2))


def test_names_stay_on_the_board_and_off_the_cities() -> None:
    r = CITY_RADIUS
    dots = [Box(x - r, y - r, 2 * r, 2 * r) for x, y in PLAN.cities]
    for name in name_boxes():
        assert BOX.x < name.x and name.right < BOX.right and BOX.y < name.y and name.bottom < BOX.bottom
        assert all(apart(name, dot) for dot in dots)


def test_cities_lie_as_on_a_map() -> None:
    def at(city: str) -> tuple[float, float]:
        return PLAN.cities[MAP.cities.index(city)]

    assert at("Groningen")[1] < at("Utrecht")[1] < at("Maastricht")[1]  # north to south
    assert at("Middelburg")[0] < at("Utrecht")[0] < at("Enschede")[0]  # west to east
    # As far as the crow flies: Groningen to Maastricht is 7.65 times as far as Amsterdam to Utrecht.
    ratio = math.dist(at("Groningen"), at("Maastricht")) / math.dist(at("Amsterdam"), at("Utrecht"))
    assert ratio == pytest.approx(7.65, rel=0.05)


def test_a_track_has_as_many_spaces_as_it_is_long() -> None:
    for track, row in zip(MAP.tracks, PLAN.rows, strict=True):
        assert len(row.spaces) == track.length
        assert row.length > 15


def test_the_tracks_of_a_double_route_lie_side_by_side() -> None:
    for index, partner in enumerate(MAP.partners):
        if partner is not None:
            spaces = zip(PLAN.rows[index].spaces, PLAN.rows[partner].spaces, strict=True)
            assert all(12 < math.dist(one.origin, two.origin) < 15 for one, two in spaces)
            assert PLAN.tolls[index] == PLAN.tolls[partner]


def test_widths_are_those_of_the_font() -> None:
    from ttr_env.render.pixels import load_font

    font = load_font(100, True)
    for city in MAP.cities:
        assert text_width(city, 100) == pytest.approx(font.getlength(city), rel=0.03)
