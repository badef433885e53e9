"""SVG: sound XML with everything in it."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tests.helpers.positions import game_at, track
from ttr_env import Game, render
from ttr_env.render import svg
from ttr_env.render.shapes import Group, Line, Polygon, Rect, Scene, Text

SVG = "{http://www.w3.org/2000/svg}"


def parse(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


@pytest.mark.parametrize("perspective", [None, 0, 3])
def test_it_is_xml_and_names_each_city(perspective: int | None) -> None:
    game = Game(players=4, seed=1)
    root = parse(render.to_svg(game, perspective))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert root.tag == f"{SVG}svg"
    assert all(texts.count(city) == 1 for city in game.map.cities)


def test_a_claimed_track_has_its_owners_pattern() -> None:
    mine = track("Amsterdam", "Rotterdam", "red")
    root = parse(render.to_svg(game_at(owned={mine: 2}, players=3)))
    groups = {title.text: group for group in root for title in group.iter(f"{SVG}title")}
    group = groups[f"track {mine}: Amsterdam to Rotterdam, owned by player 2 (vermilion, dots)"]
    assert len(list(group.iter(f"{SVG}circle"))) == 3 * 3  # three dots on each of four trains, one of which is labelled
    assert [text.text for text in group.iter(f"{SVG}text")] == ["2"]


def test_it_is_as_wide_as_asked() -> None:
    root = parse(render.to_svg(Game(seed=1), width=900))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("900", "600", "0 0 1200 800")


def test_special_characters_are_escaped() -> None:
    text = Text(1, 2, "<Bergen & 'Zoom'>", 10, "#000000", halo="#ffffff")
    root = parse(svg.draw(Scene(10, 10, Group((text,), 'a "title" & more'), ()), 10))
    assert [element.text for element in root.iter(f"{SVG}text")] == ["<Bergen & 'Zoom'>"]
    assert [element.text for element in root.iter(f"{SVG}title")] == ['a "title" & more']


def test_shapes_keep_their_paint() -> None:
    shapes = (
        Line(((0, 0), (5, 2.5)), "#111111", 2),
        Polygon(((0, 0), (1, 0), (0, 1)), fill="#222222"),
        Rect(1, 2, 3, 4, stroke="#333333", width=0.5, radius=1),
    )
    line, polygon, rect = parse(svg.draw(Scene(10, 10, Group(shapes), ()), 10))[0]
    assert line.attrib == {"fill": "none", "points": "0,0 5,2.5", "stroke": "#111111", "stroke-width": "2"}
    assert polygon.attrib == {"points": "0,0 1,0 0,1", "fill": "#222222"}
    assert rect.attrib["fill"] == "none" and rect.attrib["rx"] == "1" and rect.attrib["stroke-width"] == "0.5"


def test_a_game_draws_itself_in_a_notebook() -> None:
    game = Game(seed=1)
    assert game._repr_svg_() == game.to_svg() == render.to_svg(game)
    assert game.to_svg(perspective=1) == render.to_svg(game, 1)
