"""What only pictures need of a map, `land.csv` and `places.csv`: read, drawn, and refused where it is broken."""

from __future__ import annotations

import copy
import pickle
import shutil
from pathlib import Path

import pytest

from ttr_env import Game, MapError, maps, render
from ttr_env.maps import Outline, Spot
from ttr_env.maps.scenery import KINDS
from ttr_env.render import board as drawing
from ttr_env.render import palette
from ttr_env.render.plan import plan
from ttr_env.render.shapes import Box, Polygon, Rect

LAKES = Path(__file__).parents[2] / "docs" / "lakes"
BOX = Box(0, 0, 600, 800)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A map of one's own, to be changed."""
    return shutil.copytree(LAKES, tmp_path / "lakes")


def test_the_built_in_maps_have_theirs() -> None:
    nederland, nordic, usa = (maps.load(name) for name in ("nederland", "nordic", "usa"))
    assert [shape.name for shape in nederland.land if shape.kind == "water"][:2] == ["IJsselmeer", "Markermeer"]
    assert sum(len(shape.points) for shape in nederland.land) == 296
    assert nordic.land == usa.land == nederland.places == ()
    assert len(nordic.places) == 25
    assert {usa.cities[spot.city] for spot in usa.places} == {"Houston", "Phoenix", "Omaha"}


def test_a_map_of_ones_own_has_land_and_places(folder: Path) -> None:
    lakes = maps.load(folder)
    assert [(shape.name, shape.kind, len(shape.points)) for shape in lakes.land] == [
        ("Lakeland", "home", 4),
        ("Long Lake", "water", 4),
        ("Old River", "river", 3),
    ]
    assert lakes.land[1].points[0] == (60.6, 21.5)
    assert lakes.places == (Spot(2, 60.0, 20.8),)


def test_it_is_drawn_with_them(folder: Path) -> None:
    with_both = maps.load(folder)
    ground, home, lake = drawing.landscape(with_both, BOX)[:3]
    assert isinstance(ground, Rect) and ground.fill == palette.SEA
    assert isinstance(home, Polygon) and home.fill == palette.LAND
    assert isinstance(lake, Polygon) and lake.points[0] == plan(with_both, BOX).projection.at(60.6, 21.5)
    assert plan(with_both, BOX).cities[2] == plan(with_both, BOX).projection.at(60.0, 20.8)
    picture = render.to_svg(Game(folder, seed=1))
    (folder / "land.csv").unlink()
    (folder / "places.csv").unlink()
    without = maps.load(folder)
    assert without.land == without.places == ()
    assert plan(without, BOX).cities[2] == plan(without, BOX).projection.at(60.0, 21.0)
    assert render.to_svg(Game(folder, seed=1)) != picture, "the map of the same folder is another one now"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_shape_is_drawn(folder: Path, kind: str) -> None:
    plain = len(drawing.landscape(maps.load(LAKES), BOX))
    rows = [f"Isle,{kind},60.{n},21.{n * n}" for n in range(3)]
    (folder / "land.csv").write_text("\n".join(["shape,kind,latitude,longitude", *rows]))
    assert len(drawing.landscape(maps.load(folder), BOX)) == plain - 2


def test_pictures_are_no_part_of_the_digest_and_travel_with_the_map(folder: Path) -> None:
    lakes = maps.load(folder)
    for twin in (pickle.loads(pickle.dumps(lakes)), copy.deepcopy(lakes)):
        assert twin == lakes and hash(twin) == hash(lakes)
        assert twin.land == lakes.land and isinstance(twin.land[0], Outline)
    (folder / "land.csv").unlink()
    assert maps.load(folder).digest == lakes.digest
    assert maps.load(folder) != lakes, "pictures are kept by map, and must not be mixed up"


def test_the_digests_of_the_built_in_maps_stay() -> None:
    """Saved games and policies name them."""
    digests = {name: maps.load(name).digest for name in maps.names()}
    assert digests == {
        "mini": "1cacbbaa0a37b549",
        "nederland": "bde55a0534a5819a",
        "nordic": "6390a0720416dd1d",
        "usa": "7061742a6dc35f8c",
    }


FAULTS = [
    ("land.csv", "shape,kind", "shape,sort", "line 1, sort", "unknown column; the columns are shape, kind,"),
    ("land.csv", "Lakeland,home,61.8,18.8", "Lakeland,home,61.8", "line 2", "3 fields; the header asks for 4"),
    ("land.csv", "Lakeland,home,61.8", ",home,61.8", "line 2, shape", "is empty"),
    ("land.csv", "Long Lake,water,60.6", "Long Lake,watr,60.6", "line 6, kind", "did you mean 'water'?"),
    ("land.csv", "61.6,23.1", "61.6,east", "line 3, longitude", "'east'; it must be a finite number"),
    ("land.csv", "61.6,23.1", "90,23.1", "line 3, latitude", "is '90'; it must be between -90 and 90"),
    ("land.csv", "Old River,river,61.7", "Lakeland,home,61.7", "line 10, shape", "begins on line 2 already"),
    ("land.csv", "Lakeland,home,61.8", "Isle,home,61.8", "line 2, shape", "'Isle' has too few points (1)"),
    ("land.csv", "Old River,river,60.6", "Brook,river,60.6", "line 12, shape", "needs at least 2"),
    ("places.csv", "Cove", "Cave", "line 2, city", "'Cave' is unknown; did you mean 'Cove'?"),
    ("places.csv", "60.0", "north", "line 2, latitude", "finite number"),
    ("places.csv", "60.0", "-91", "line 2, latitude", "between -90 and 90"),
    ("places.csv", "20.8\n", "20.8\nCove,60,20\n", "line 3, city", "'Cove' is on line 2 already"),
    ("cities.csv", "Berg,61.0", "Berg,161.0", "line 3, latitude", "between -90 and 90"),
]


@pytest.mark.parametrize(("file", "old", "new", "place", "says"), FAULTS)
def test_faults(folder: Path, file: str, old: str, new: str, place: str, says: str) -> None:
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(MapError) as caught:
        maps.load(folder)
    assert str(caught.value).startswith(f"{folder / file}, {place}: ")
    assert says in str(caught.value)


@pytest.mark.parametrize("file", ["land.csv", "places.csv"])
def test_empty_and_unreadable_files(folder: Path, file: str) -> None:
    (folder / file).write_text(" \n")
    with pytest.raises(MapError, match=f"{file}: is empty"):
        maps.load(folder)
    (folder / file).unlink()
    (folder / file).mkdir()
    with pytest.raises(MapError, match=f"{file}: cannot be read"):
        maps.load(folder)
