"""Boards of one's own load, and every fault in their files is named by file, line and field."""

import copy
import pickle
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from ttr_env import maps
from ttr_env.errors import MapError
from ttr_env.maps import City, limits

# A tiny board: a double route, two single ones, four cities in a line.
BOARD = {
    "cities.csv": """\
city,latitude,longitude
Alfa,52.0,4.0
Bravo,52.0,5.0
Coda,51.0,5.0
Delta,51.0,6.0
""",
    "tracks.csv": """\
city_a,city_b,length,colour,toll
Alfa,Bravo,1,red,1
Bravo,Alfa,1,blue,1
Bravo,Coda,2,grey,2
Coda,Delta,2,green,1
""",
    "tickets.csv": """\
city_a,city_b,points,neutral_a,neutral_b
Alfa,Coda,3,,
Alfa,Delta,5,Alfa,Bravo
Bravo,Delta,4,,
Delta,Coda,2,,
""",
    "map.toml": """\
title = "Tiny"
players = [2, 2]
trains = 9
start_points = [0, 1]
doubles_open_from = 4
[route_points]
1 = 1
2 = 2
[cards]
per_colour = 3
[tickets]
deal = 2
keep = 1
draw = 2
draw_keep = 1
discards = "public"
[tolls]
tokens = 6
loan_penalty = 5
doubles_open_from = 2
[tolls.bonus]
2 = [10, 0]
[neutral]
trains = 3
first_round = 2
""",
}
NEUTRAL = "[neutral]\ntrains = 3\nfirst_round = 2\n"
TOLLS = "[tolls]\ntokens = 6\nloan_penalty = 5\ndoubles_open_from = 2\n[tolls.bonus]\n2 = [10, 0]\n"


def write(folder: Path, **changed: str) -> Path:
    """The tiny board in `folder`, with some of its files (by stem) changed."""
    folder.mkdir()
    for file, text in BOARD.items():
        (folder / file).write_text(changed.get(file.split(".")[0], text), encoding="utf-8")
    return folder


def edited(file: str, old: str, new: str) -> dict[str, str]:
    assert BOARD[file].count(old) == 1, f"{old!r} must be in {file} once"
    return {file.split(".")[0]: BOARD[file].replace(old, new)}


def grid(*header: str, rows: Iterable[str]) -> str:
    return "\n".join([",".join(header), *rows]) + "\n"


# Loading


def test_own_board(tmp_path: Path) -> None:
    board = maps.load(write(tmp_path / "tiny"))
    assert (board.name, board.title) == (str((tmp_path / "tiny").resolve()), "Tiny")
    assert board.cities == ("Alfa", "Bravo", "Coda", "Delta")
    assert [(track.a, track.b) for track in board.tracks] == [(0, 1), (1, 0), (1, 2), (2, 3)]
    assert [track.toll for track in board.tracks] == [1, 1, 2, 1]
    assert [ticket.neutral for ticket in board.tickets] == [None, (0, 1), None, None]
    assert board.rules.cards.row == 5, "left out of map.toml, so the default"
    assert board.partners == (1, 0, None, None)


def test_text_and_relative_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / "tiny")
    monkeypatch.chdir(tmp_path)
    assert maps.load("tiny") == maps.load(str(folder)) == maps.load(Path("tiny"))


def test_board_without_tolls_needs_no_toll_columns(tmp_path: Path) -> None:
    tracks = "\n".join(line.rpartition(",")[0] for line in BOARD["tracks.csv"].splitlines())
    tickets = "\n".join(",".join(line.split(",")[:3]) for line in BOARD["tickets.csv"].splitlines())
    rules = BOARD["map.toml"].replace(TOLLS, "").replace(NEUTRAL, "")
    board = maps.load(write(tmp_path / "tiny", tracks=tracks, tickets=tickets, map=rules))
    assert board.rules.tolls is None and board.rules.neutral is None
    assert {track.toll for track in board.tracks} == {0}


def test_spreadsheet_habits_are_read(tmp_path: Path) -> None:
    """A byte order mark, CRLF, blanks, an empty line and decomposed accents change nothing."""
    folder = write(tmp_path / "tiny", **edited("cities.csv", "Delta", "Liège"))
    for file in ("tracks.csv", "tickets.csv"):
        text = BOARD[file].replace("Delta", "Lie\u0300ge").replace(",", " , ").replace("\n", "\r\n") + "\r\n"
        (folder / file).write_bytes(text.encode("utf-8-sig"))
    assert maps.load(folder).cities[3] == "Liège"


def test_built_ins_come_before_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "nederland")
    monkeypatch.chdir(tmp_path)
    assert "nederland" in maps.names()
    assert maps.load("nederland").title == "Nederland"
    assert maps.load("nederland") is maps.load("nederland")
    assert maps.load(Path("nederland")).title == "Tiny"


def test_a_map_loads_as_itself() -> None:
    board = maps.load("nederland")
    assert maps.load(board) is board


@pytest.mark.parametrize("source", ["nederlan", "", Path("no") / "such"])
def test_unknown_name_lists_the_built_ins(source: str | Path) -> None:
    with pytest.raises(MapError, match=r"no map and no folder.*nederland"):
        maps.load(source)


def test_a_name_that_is_nearly_right_is_suggested() -> None:
    with pytest.raises(MapError, match=r"'Nordics' is no map and no folder \(did you mean 'nordic'\?\)"):
        maps.load("Nordics")


# Values


def test_pickle_and_copy() -> None:
    board = maps.load("nederland")
    city = board.cities[0]
    for twin in (pickle.loads(pickle.dumps(city)), copy.deepcopy(city)):
        assert isinstance(twin, City)
        assert (twin, twin.latitude, twin.longitude) == (city, city.latitude, city.longitude)
    again = pickle.loads(pickle.dumps(board))
    assert again == board and hash(again) == hash(board) and again.digest == board.digest


def test_digest_tells_games_apart_and_nothing_else(tmp_path: Path) -> None:
    digest = maps.load(write(tmp_path / "tiny")).digest
    assert len(digest) == 16 and int(digest, 16)
    for number, (file, old, new) in enumerate(
        [("map.toml", '"Tiny"', '"Mini"'), ("cities.csv", "Alfa,52.0", "Alfa,53.0")]
    ):
        assert maps.load(write(tmp_path / f"same{number}", **edited(file, old, new))).digest == digest
    for number, (file, old, new) in enumerate(
        [
            ("map.toml", "trains = 9", "trains = 8"),
            ("map.toml", "2 = [10, 0]", "2 = [9, 0]"),
            ("tracks.csv", "2,grey,2", "2,grey,3"),
            ("tracks.csv", "red", "black"),
            ("tickets.csv", "Alfa,Coda,3", "Alfa,Coda,6"),
            ("tickets.csv", "Alfa,Bravo", ","),
        ]
    ):
        assert maps.load(write(tmp_path / f"other{number}", **edited(file, old, new))).digest != digest


def test_digest_ignores_the_folder(tmp_path: Path) -> None:
    built_in = maps.load("nederland")
    own = shutil.copytree(Path(maps.__file__).parent / "nederland", tmp_path / "mine")
    assert maps.load(own).digest == built_in.digest
    assert maps.load(own) != built_in, "the names differ"


# Faults: (file, text to replace, replacement, what follows the file in the message, what else it says)

CSV_FAULTS = [
    ("cities.csv", "latitude", "lattitude", "line 1, lattitude", "unknown column; the columns are city,"),
    ("cities.csv", "city,", "city,city,", "line 1, city", "twice"),
    ("cities.csv", "Coda,51.0,5.0", "Coda,51.0", "line 4", "2 fields; the header asks for 3"),
    ("cities.csv", "Coda,51.0", "Coda,north", "line 4, latitude", "'north'; it must be a finite number"),
    ("cities.csv", "Coda,51.0,5.0", "Coda,51.0,inf", "line 4, longitude", "finite number"),
    ("cities.csv", "Coda,51.0,5.0", "Coda,51.0,", "line 4, longitude", "is empty"),
    ("cities.csv", "Coda", "Alfa", "line 4, city", "'Alfa' is on line 2 already"),
    ("cities.csv", "Coda", "", "line 4, city", "is empty"),
    ("cities.csv", "Delta,51.0,6.0", "Delta,51.0,6.0\nEcho,1,1", "line 6, city", "'Echo' has no track"),
    ("cities.csv", "Coda,", '"Coda,', "line 5", "is not CSV"),
    ("tracks.csv", ",toll", ",tol", "line 1, tol", "unknown column"),
    ("tracks.csv", "city_b,length", "city_b", "line 1, length", "missing column"),
    ("tracks.csv", "Alfa,Bravo", "Alfa,Brave", "line 2, city_b", "'Brave' is unknown; did you mean 'Bravo'?"),
    ("tracks.csv", "red", "RET", "line 2, colour", "'RET' is unknown; did you mean 'red'?"),
    ("tracks.csv", "grey", "gray", "line 4, colour", "did you mean 'grey'?"),
    ("tracks.csv", "Coda,Delta", "Coda,Coda", "line 5, city_b", "the two cities must differ"),
    ("tracks.csv", "2,grey", "3,grey", "line 4, length", "is 3; the lengths of map.toml"),
    ("tracks.csv", "2,grey", "2.0,grey", "line 4, length", "is '2.0'; it must be an integer from 1"),
    ("tracks.csv", "grey,2", "grey,0", "line 4, toll", "is '0'; it must be an integer from 1"),
    ("tracks.csv", "grey,2", "grey,-1", "line 4, toll", "is '-1'"),
    ("tracks.csv", "grey,2", "grey,", "line 4, toll", "is empty"),
    ("tracks.csv", "grey,2", "grey,128", "line 4, toll", "to 127"),
    ("tracks.csv", "Alfa,1,blue,1", "Alfa,1,blue,2", "line 3, toll", "is 2, but 1 on line 2"),
    ("tracks.csv", "Alfa,1,blue", "Alfa,2,blue", "line 3, length", "is 2, but 1 on line 2"),
    ("tracks.csv", "Bravo,Coda,2,grey,2", "Alfa,Bravo,1,grey,1", "line 4, city_b", "beside lines 2 and 3"),
    ("tickets.csv", "neutral_b", "neutral_c", "line 1, neutral_c", "unknown column"),
    ("tickets.csv", "Bravo,Delta", "Bravo,Delft", "line 4, city_b", "unknown; did you mean 'Delta'?"),
    ("tickets.csv", "Bravo,Delta", "Bravo,Bravo", "line 4, city_b", "the two cities must differ"),
    ("tickets.csv", "Delta,4", "Delta,0", "line 4, points", "is '0'; it must be an integer from 1"),
    ("tickets.csv", "Delta,4", "Delta,four", "line 4, points", "is 'four'"),
    ("tickets.csv", "Bravo,Delta", "Coda,Alfa", "line 4, city_b", "the same cities as line 2"),
    ("tickets.csv", "Alfa,Bravo", "Alfa,", "line 3, neutral_b", "fill it, or leave neutral_a empty"),
    ("tickets.csv", "Alfa,Bravo", ",Bravo", "line 3, neutral_a", "fill it, or leave neutral_b empty"),
    ("tickets.csv", "Alfa,Bravo", "Alfa,Brava", "line 3, neutral_b", "did you mean 'Bravo'?"),
    ("tickets.csv", "Alfa,Bravo", "Coda,Delta", "line 3, neutral_a", "no double route"),
    ("tickets.csv", "Delta,Coda,2,,\n", "", "", "has 3 tickets; dealing 2 to each of 2 players takes 4"),
]

TOML_FAULTS = [
    ("title =", "title", "", "is not TOML"),
    ("trains = 9", "trains = 9\ntrain = 9", "train", "'train' is unknown; did you mean 'trains'?"),
    ("keep = 1\ndraw =", "keeps = 1\ndraw =", "tickets.keeps", "did you mean 'keep'?"),
    ('title = "Tiny"\n', "", "title", "is missing"),
    ("trains = 9\n", "", "trains", "is missing"),
    ("tokens = 6\n", "", "tolls.tokens", "is missing"),
    ("[cards]\nper_colour = 3\n", "", "cards", "is missing"),
    ("trains = 9", "trains = '9'", "trains", "is '9'; it must be an integer"),
    ("trains = 9", "trains = true", "trains", "is True; it must be an integer"),
    ("trains = 9", "trains = 0", "trains", "is 0; every player needs trains"),
    ("trains = 9", "trains = -9", "trains", "is -9; it must be an integer from 0"),
    ("trains = 9", "trains = 999", "trains", "is 999; it must be an integer from 0 to 127"),
    ("per_colour = 3", "locomotive_ends_draw = 1", "cards.locomotive_ends_draw", "true or false"),
    ('"Tiny"', "1", "title", "is 1; it must be a text"),
    ("[cards]\nper_colour = 3\n", "[[cards]]\nper_colour = 3\n", "cards", "it must be a section"),
    ("loan_penalty = 5", "loan_penalty = {}", "tolls.loan_penalty", "is a section; it must be an integer"),
    ("players = [2, 2]", "players = 2", "players", "is 2; it must be a list of 2"),
    ("players = [2, 2]", "players = [2, 3, 4]", "players", "it must be a list of 2"),
    ("players = [2, 2]", "players = [2, '2']", "players", "is '2'; it must be an integer"),
    ("players = [2, 2]", "players = [3, 2]", "players", "is [3, 2]; it must be the fewest and the most"),
    ("players = [2, 2]", "players = [2, 6]", "players", "from 2 to 5"),
    ("start_points = [0, 1]", "start_points = [0]", "start_points", "has 1 numbers; it must have 2"),
    ("start_points = [0, 1]", "start_points = 0", "start_points", "it must be a list"),
    ("1 = 1\n2 = 2\n", "", "route_points", "is empty"),
    ("1 = 1\n", "one = 1\n", "route_points.one", "must be a plain number"),
    ("1 = 1\n", "1 = 1\n01 = 1\n", "route_points.01", "must be a plain number"),
    ("1 = 1\n", "1 = 1\n10 = 30\n", "route_points.10", "a length is from 1 to 9"),
    ("per_colour = 3", "per_colour = 15", "cards", "makes 134 train cards; the engine"),
    ("per_colour = 3", "per_colour = 0\nlocomotives = 12", "cards", "2 hands of 4 and a row of 5"),
    ("deal = 2", "deal = 6", "tickets.deal", "is 6; it must be from 1 to 5"),
    ("draw = 2", "draw = 0", "tickets.draw", "is 0; it must be from 1 to 5"),
    ("keep = 1\ndraw =", "keep = 3\ndraw =", "tickets.keep", "is 3; it must be from 1 to deal, which is 2"),
    ("draw_keep = 1", "draw_keep = 3", "tickets.draw_keep", "is 3; it must be from 1 to draw, which is 2"),
    ("draw_keep = 1", "draw_keep = 0", "tickets.draw_keep", "is 0"),
    ('"public"', '"publc"', "tickets.discards", "did you mean 'public'?"),
    ("2 = [10, 0]", "3 = [10, 0]", "tolls.bonus.2", "is missing"),
    ("2 = [10, 0]", "2 = [10, 0]\n3 = [10, 5, 0]", "tolls.bonus.3", "is no number of players"),
    ("2 = [10, 0]", "2 = [10]", "tolls.bonus.2", "has 1 ranks; it must have 2"),
    ("2 = [10, 0]", "2 = 10", "tolls.bonus.2", "it must be a list"),
    (TOLLS, "", "neutral", "needs tolls"),
    ("first_round = 2", "first_round = 0", "neutral.first_round", "rounds count from 1"),
]


def refusal(folder: Path, file: str) -> str:
    """The message that refuses the board in `folder`, from its place within `file` on."""
    with pytest.raises(MapError) as caught:
        maps.load(folder)
    start = str(folder / file)
    assert str(caught.value).startswith(start)
    return str(caught.value).removeprefix(start).removeprefix(", ")


@pytest.mark.parametrize(("file", "old", "new", "place", "says"), CSV_FAULTS)
def test_faults_of_tables(tmp_path: Path, file: str, old: str, new: str, place: str, says: str) -> None:
    message = refusal(write(tmp_path / "tiny", **edited(file, old, new)), file)
    assert message.startswith(f"{place}: ") and says in message


@pytest.mark.parametrize(("old", "new", "place", "says"), TOML_FAULTS)
def test_faults_of_rules(tmp_path: Path, old: str, new: str, place: str, says: str) -> None:
    message = refusal(write(tmp_path / "tiny", **edited("map.toml", old, new)), "map.toml")
    assert message.startswith(f"{place}: ") and says in message


@pytest.mark.parametrize("file", BOARD)
def test_missing_empty_and_unreadable_files(tmp_path: Path, file: str) -> None:
    folder = write(tmp_path / "tiny")
    (folder / file).write_text(" \n")
    assert refusal(folder, file).startswith(": is empty")
    (folder / file).write_bytes("Liège".encode("latin-1"))
    assert "is not UTF-8" in refusal(folder, file)
    (folder / file).unlink()
    assert refusal(folder, file).startswith(": is missing")
    (folder / file).mkdir()
    assert refusal(folder, file).startswith(": cannot be read")


def test_table_of_a_header_alone(tmp_path: Path) -> None:
    folder = write(tmp_path / "tiny", tickets=BOARD["tickets.csv"].splitlines()[0])
    assert "needs at least one row" in refusal(folder, "tickets.csv")


def test_disconnected_board(tmp_path: Path) -> None:
    folder = write(tmp_path / "tiny", **edited("tracks.csv", "Bravo,Coda,2,grey,2\n", ""))
    message = refusal(folder, "cities.csv")
    assert message.startswith("line 4, city: 'Coda' cannot be reached from 'Alfa'")


@pytest.mark.parametrize(
    ("file", "most"),
    [
        ("cities.csv", limits.MAX_CITIES),
        ("tracks.csv", limits.MAX_TRACKS),
        ("tickets.csv", limits.MAX_TICKETS),
    ],
)
def test_more_rows_than_the_engine_holds(tmp_path: Path, file: str, most: int) -> None:
    header, row = BOARD[file].splitlines()[:2]
    text = grid(header, rows=(row for _ in range(most + 1)))
    message = refusal(write(tmp_path / "tiny", **{file.split(".")[0]: text}), file)
    assert message.startswith(f"line {most + 2}: is one row too many; the engine holds at most {most}")


def test_more_claims_than_the_engine_holds(tmp_path: Path) -> None:
    """A grey track of length 9 can be paid in 73 ways, so 56 of them fit and 57 do not."""
    pairs = [(a, b) for a in range(11) for b in range(a)] + [(11, 0), (11, 1)]
    rules = BOARD["map.toml"].replace("1 = 1\n2 = 2\n", "9 = 27\n").replace(NEUTRAL, "")
    cities = grid("city", "latitude", "longitude", rows=(f"C{n},0,{n}" for n in range(12)))
    tickets = grid("city_a", "city_b", "points", rows=(f"C{n},C0,1" for n in range(1, 5)))

    def tracks(count: int) -> str:
        # From the end, as the last pairs alone reach C11.
        rows = (f"C{a},C{b},9,grey,1" for a, b in pairs[-count:])
        return grid("city_a", "city_b", "length", "colour", "toll", rows=rows)

    fits = write(tmp_path / "fits", cities=cities, tickets=tickets, map=rules, tracks=tracks(56))
    assert len(maps.load(fits).tracks) == 56
    over = write(tmp_path / "over", cities=cities, tickets=tickets, map=rules, tracks=tracks(57))
    assert refusal(over, "tracks.csv").startswith("line 58, length: brings the ways to claim a track to 4161")
