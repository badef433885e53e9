"""Faults of boards with tunnels, ferries and sets: refused, with the place and what would be right."""

import shutil
from pathlib import Path

import pytest

from ttr_env import MapError, maps

LAKES = Path(__file__).parents[2] / "docs" / "lakes"


@pytest.mark.parametrize(
    ("file", "old", "new", "place", "says"),
    [
        ("tracks.csv", "red,1,0", "red,2,0", "line 2, tunnel", "is 2; it must be 1 for a tunnel, else 0"),
        ("tracks.csv", "red,1,0", "red,1,1", "line 2, ferry", "a track is a tunnel, a ferry or neither"),
        ("tracks.csv", "black,0,2", "black,0,4", "line 9, ferry", "is 4 on a track of length 3"),
        ("tracks.csv", "black,0,2", "black,0,-1", "line 9, ferry", "must be an integer from 0"),
        ("tracks.csv", "colour,tunnel", "colour,tunel", "line 1, tunel", "unknown column"),
        ("map.toml", "[tunnels]\nturned_up = 2\n", "", "line 2, tunnel", "map.toml has no [tunnels]"),
        ("map.toml", "turned_up = 2", "turned_up = 0", "tunnels.turned_up", "is 0; it must be from 1 to 5"),
        ("map.toml", "ferry = 2", "ferry = 1", "sets.ferry", "is 1; it must be from 2 to 9, or 0"),
        ("map.toml", "ferry = 2", "ferry = 2\n[sets.length]\n4 = 1", "sets.length.4", "is 1; it must be from 2 to 9"),
        ("map.toml", "ferry = 2", "ferry = 2\n[sets.length]\n10 = 3", "sets.length.10", "is no length"),
        ("map.toml", '"under"', '"undr"', "tickets.discards", "did you mean 'under'?"),
    ],
)
def test_faults(tmp_path: Path, file: str, old: str, new: str, place: str, says: str) -> None:
    folder = tmp_path / "lakes"
    shutil.copytree(LAKES, folder)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    with pytest.raises(MapError) as caught:
        maps.load(folder)
    assert f"{place}: " in str(caught.value)
    assert says in str(caught.value)


def test_more_kinds_than_the_engine_holds(tmp_path: Path) -> None:
    folder = tmp_path / "lakes"
    shutil.copytree(LAKES, folder)
    lengths = [(length, symbols) for length in range(1, 10) for symbols in range(1, length + 1)]
    cities = ["city,latitude,longitude", *(f"C{index},60,{index}" for index in range(len(lengths) + 1))]
    tracks = ["city_a,city_b,length,colour,tunnel,ferry"]
    tracks += [f"C{index},C{index + 1},{length},red,0,{n}" for index, (length, n) in enumerate(lengths)]
    tickets = ["city_a,city_b,points", *(f"C0,C{index},3" for index in range(1, 8))]
    for file, lines in (("cities.csv", cities), ("tracks.csv", tracks), ("tickets.csv", tickets)):
        (folder / file).write_text("\n".join(lines) + "\n")
    points = "[route_points]\n" + "\n".join(f"{length} = {length}" for length in range(1, 10))
    toml = (folder / "map.toml").read_text()
    (folder / "map.toml").write_text(toml.replace("[route_points]\n2 = 2\n3 = 4\n4 = 7", points))
    with pytest.raises(MapError, match="makes 33 kinds of tunnels, ferries and tracks with sets"):
        maps.load(folder)


def test_a_rule_left_out_keeps_the_digest_and_a_rule_used_changes_it(tmp_path: Path) -> None:
    digests = {maps.load(LAKES).digest}
    for number, (old, new) in enumerate([("bonus = 3", "bonus = 4"), ("ferry = 2", "ferry = 3"), ("= 12", "= 13")]):
        folder = tmp_path / str(number)
        shutil.copytree(LAKES, folder)
        (folder / "map.toml").write_text((folder / "map.toml").read_text().replace(old, new))
        digests.add(maps.load(folder).digest)
    assert len(digests) == 4
