"""Records: saved as JSON, replayed anywhere, and refused with the step at which they fail."""

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import Batch, Game, RecordError, maps


def played(decisions: int = 10**6, seed: int = 4, **options: Any) -> Game:
    """A game after random decisions, or at its end."""
    game, rng = Game(seed=seed, **options), random.Random(seed)
    for _ in range(decisions):
        if game.player < 0:
            break
        game.step(rng.choice(game.legal_actions()))
    return game


@pytest.fixture
def record() -> dict[str, Any]:
    """Of a game for 3, after 40 decisions."""
    return played(40, players=3).record()


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_a_saved_record_replays_to_the_same_end(options: dict[str, Any], tmp_path: Path) -> None:
    game = played(**options)
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game.record()))
    replayed = Game.replay(json.loads(file.read_text()))
    assert replayed.snapshot() == game.snapshot()
    assert replayed.result() == game.result()
    assert replayed.record() == game.record()


def test_a_record_holds_what_is_needed_and_no_more() -> None:
    game = Game("nederland", players=2, seed=7, neutral_player=True)
    game.step(18)
    assert game.record() == {
        "format": 1,
        "map": "nederland",
        "map_digest": game.map.digest,
        "players": 2,
        "tolls": True,
        "neutral_player": True,
        "seed": 7,
        "start": None,
        "actions": [18],
    }


def test_history_leads_from_the_beginning_to_here(tiny_board: Path) -> None:
    start = played(30, players=3)
    begun_later = Game.from_snapshot(start.snapshot())
    begun_later.step(int(begun_later.legal_actions()[0]))
    for game in (played(40, players=3), begun_later, played(map=tiny_board), Game(seed=1)):
        *_, last = positions = [position.copy() for position in game.history()]
        assert last == game and last.record() == game.record()
        assert [len(position.actions) for position in positions] == list(range(len(game.actions) + 1))


def test_a_record_may_begin_with_a_snapshot() -> None:
    start = played(50, players=4)
    game = Game.from_snapshot(start.snapshot())
    for _ in range(20):
        game.step(game.legal_actions()[-1])
    record = json.loads(json.dumps(game.record()))
    assert (record["seed"], record["start"]) == (None, start.snapshot())
    assert len(record["actions"]) == 20
    replayed = Game.replay(record)
    assert replayed.snapshot() == game.snapshot()
    assert replayed.record() == record


def test_games_of_a_batch_have_records_too() -> None:
    batch = Batch("nederland", games=2, seed=1)
    for _ in range(30):
        batch.step(batch.sample())
    game = batch.game(1)
    game.step(game.legal_actions()[0])
    assert Game.replay(game.record()).snapshot() == game.snapshot()


@pytest.mark.parametrize("step", [0, 17, 39])
@pytest.mark.parametrize("action", [11, -1, 616, 2**80, True, 1.0, "12", None], ids=repr)
def test_a_record_is_refused_at_the_step_that_fails(record: dict[str, Any], step: int, action: Any) -> None:
    record["actions"][step] = action
    with pytest.raises(RecordError, match=f"^step {step}: action"):
        Game.replay(record)


def test_a_record_that_goes_on_after_the_end_is_refused() -> None:
    record = played().record()
    record["actions"].append(0)
    with pytest.raises(RecordError, match=f"^step {len(record['actions']) - 1}: action 0 .*the game is over"):
        Game.replay(record)


@pytest.mark.parametrize("key", Game(seed=0).record())
def test_every_key_is_needed(record: dict[str, Any], key: str) -> None:
    del record[key]
    with pytest.raises(RecordError, match=f"^step 0: '{key}' is missing"):
        Game.replay(record)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("format", 2, "format 2 is unknown; this version reads format 1"),
        ("format", "1", "format '1' is unknown"),
        ("map", "atlantis", "'atlantis' is no map"),
        ("map", 5, ""),
        ("map", None, ""),
        ("map_digest", "0123456789abcdef", "another version of Nederland, '0123456789abcdef'"),
        ("players", 6, "players: Nederland is for 2 to 5 players, not 6"),
        ("players", "3", "players: a whole number is needed, not '3'"),
        ("neutral_player", True, "neutral_player: .* 2 players, not 3"),
        ("tolls", "no", "tolls: True or False is needed, not 'no'"),
        ("seed", None, "seed: a seed or a start is needed"),
        ("seed", -1, "seed: a whole number from 0"),
        ("seed", "7", "seed: a whole number is needed, not '7'"),
        ("start", {"format": 1}, "snapshot: 'map' is missing"),
        ("start", [], "snapshot: a dictionary is needed, not list"),
        ("actions", None, "actions must be a list, not NoneType"),
        ("actions", "12", "actions must be a list, not str"),
    ],
    ids=repr,
)
def test_what_is_wrong_before_the_first_step(record: dict[str, Any], key: str, value: Any, message: str) -> None:
    record[key] = value
    with pytest.raises(RecordError, match=f"^step 0: .*{message}"):
        Game.replay(record)


@pytest.mark.parametrize("record", [None, [], "{}", 5], ids=repr)
def test_a_record_is_a_dictionary(record: Any) -> None:
    with pytest.raises(RecordError, match=f"^step 0: a record is a dictionary, not {type(record).__name__}"):
        Game.replay(record)


def test_a_board_that_was_changed_since_is_noticed(tiny_board: Path) -> None:
    game = Game(tiny_board, seed=1)
    game.step(game.legal_actions()[0])
    record = game.record()
    assert Game.replay(record).snapshot() == game.snapshot()
    tickets = tiny_board / "tickets.csv"
    tickets.write_text(tickets.read_text().replace("A,D,3", "A,D,4"))
    with pytest.raises(RecordError, match="another version of Tiny"):
        Game.replay(record)


@pytest.mark.parametrize(("key", "value"), [("players", 4), ("tolls", False), ("neutral_player", True)])
def test_the_start_has_the_options_of_the_record(key: str, value: Any) -> None:
    record = Game.from_snapshot(played(20, players=3).snapshot()).record()
    record[key] = value
    with pytest.raises(RecordError, match=f"^step 0: start: its {key} is .*, but the record's is {value}"):
        Game.replay(record)


def test_the_players_of_a_record_are_written_as_those_of_its_start() -> None:
    record = {**Game.from_snapshot(Game(seed=7).snapshot()).record(), "players": 2.0}
    with pytest.raises(RecordError, match=r"start: its players is 2, but the record's is 2\.0"):
        Game.replay(record)


def test_a_start_on_another_map_is_found_however_long_the_names_are(tmp_path: Path) -> None:
    folders = [tmp_path / ("a" * 80) / name for name in ("one", "other")]
    for folder in folders:
        shutil.copytree(Path(maps.__file__).parent / "mini", folder)
    one, other = (Game(str(folder), players=2, seed=1) for folder in folders)
    record = Game.from_snapshot(one.snapshot()).record()
    assert Game.replay(dict(record)).snapshot() == one.snapshot()
    with pytest.raises(RecordError, match="start: its map is"):
        Game.replay({**record, "start": other.snapshot()})
