"""Data sets that somebody has changed: each is one clear error, and nothing of it is shown."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import json
import os
import re
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.data.conftest import AGENTS, broken, cut
from ttr_env import data
from ttr_env.data.manifest import MAX_GAMES
from ttr_env.errors import BadAgent, RecordError


def overflow(told: dict[str, Any]) -> None:
    """Counts whose sum, in 64 bits, is that of no actions at all."""
    told["counts"][:] = [2**62] * 4 + [0] * (len(told["counts"]) - 4)
    told["actions"], told["probability"] = [], []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines, _: lines[1]["actions"].__setitem__(30, 600), "jsonl.gz, line 2: step 30: action 600"),
        (lambda lines, _: lines[0]["actions"].__setitem__(3, 10**30), "line 1: actions: a list of whole numbers"),
        (lambda lines, _: lines[0]["actions"].__setitem__(3, 1.5), "line 1: actions: a list of whole"),
        (lambda lines, _: lines[0].update(actions="all"), "line 1: actions: a list of"),
        (lambda lines, _: lines[0].update(actions=[]), "line 1: actions: from 1 to 2,000 are needed, and there are 0"),
        (lambda lines, _: lines[0].update(seed=-1), "line 1: seed: 1099514773504 is needed, not -1"),
        (lambda lines, _: lines[0].update(players=5), "line 1: players: 2 is needed, not 5"),
        (lambda lines, _: lines[0].pop("map"), "line 1: map: 'nederland' is needed, not None"),
        (
            lambda lines, _: lines[0].update(agents=["planner", "me"]),
            r"line 1: agents: \['planner', 'greedy'\] is needed",
        ),
        (lambda lines, _: lines.__setitem__(0, [1]), "line 1: a record is a dictionary, not list"),
        (lambda lines, _: lines.pop(), "has 1 games, not 2"),
        (lambda _, told: told.update(format=99), "manifest.json is damaged or no manifest: format 99 is unknown"),
        (lambda _, told: told.update(map_digest="other"), "map_digest: the games were played on another"),
        (lambda _, told: told.update(map="nowhere"), "manifest.json: map: 'nowhere' is no map"),
        (lambda _, told: told.update(players=7), "manifest.json is damaged or no manifest: agents: 7 are needed"),
        (lambda _, told: told.update(players="2"), "manifest.json is damaged or no manifest: players: '2' is not of"),
        (lambda _, told: told.pop("seed"), "manifest.json is damaged or no manifest: 'seed' is missing"),
        (lambda _, told: told.update(more=1), "manifest.json is damaged or no manifest: 'more' is unknown"),
        (lambda _, told: told["shards"][1].update(file="../x"), "file '../x' is none of a data set"),
        (lambda _, told: told["shards"][1].update(games=0), "part-00001.jsonl.gz has 0 games, not 2"),
        (lambda _, told: told["shards"][1].update(file=told["shards"][0]["file"]), "part-00001.jsonl.gz is its place"),
        (lambda _, told: told["shards"].append(told["shards"][0]), "file 'part-00000.jsonl.gz' is none"),
        (lambda _, told: told["shards"][0].update(decisions=10**9), "decisions: 2 games have not 1000000000 of them"),
        (
            lambda _, told: told["shards"][0].update(decisions=77),
            "jsonl.gz has 2\\d\\d decisions, not 77 as the manifest",
        ),
        (lambda _, told: told["shards"][0].update(thoughts=["mean"]), "thoughts: without a teacher there are none"),
        (lambda _, told: told["shards"][0].update(thoughts=["me"]), "thoughts: there are probability, mean, error"),
        (lambda _, told: told["shards"][0].update(thoughts=[["mean"]]), "thoughts: all of it must be str"),
        (lambda _, told: told.update(shard_size=0), "shard_size: a number from 1"),
        (lambda _, told: told.update(shard_size=1), "part-00000.jsonl.gz has 2 games, not 1"),
        (lambda _, told: told.update(games=0), "games: a number from 1"),
        (lambda _, told: told.update(games=4), "file 'part-00002|part-00002.jsonl.gz has 1 games, not 0"),
        (lambda _, told: told.update(seed=2**22), "seed: a number from 0"),
        (lambda _, told: told.update(versions={"numpy": []}), "versions: all of them must be texts"),
        (lambda lines, told: cut(lines, told, 1), "line 1: actions: they end before the game does"),
        (lambda lines, _: lines.__setitem__(1, lines[0]), "line 2: seed: "),
        (lambda lines, _: lines.reverse(), "line 1: seed: "),
        (lambda lines, _: lines[1]["agents"].reverse(), "line 2: agents: "),
        (lambda lines, _: lines[0].update(agents=[["planner"], "greedy"]), "line 1: agents: "),
        (lambda lines, _: lines[0].update(players=2.0), "line 1: players: 2 is needed, not 2.0"),
        (lambda lines, _: lines[0].update(seed=float(lines[0]["seed"])), "line 1: seed: "),
        (lambda lines, _: lines[0]["actions"].__setitem__(0, True), "line 1: actions: a list of whole numbers"),
        (lambda lines, _: lines[0]["actions"].__setitem__(0, "7"), "line 1: actions: a list of whole numbers"),
        (lambda lines, _: lines[0]["actions"].extend([0] * 2000), "line 1: actions: from 1 to 2,000 are needed"),
        (lambda lines, _: lines[0].update(start=[[0]] * 300), "line 1: has more than 200 lists"),
        (
            lambda lines, _: lines[0].update(note="x" * 2**17),
            "has a line that is too long: line 1 has more than 131,072",
        ),
        (lambda _, told: told["shards"].__setitem__(1, "x"), "shards: all of it must be dict"),
    ],
    ids=itertools.count(),
)
def test_a_damaged_data_set_is_one_clear_error(folder: Path, tmp_path: Path, change: Any, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        list(data.load(broken(folder, tmp_path / "broken", change)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda told: told["counts"].__setitem__(0, 7000), "counts: there are 616 actions"),
        (lambda told: told["counts"].__setitem__(0, -1), "counts: there are 616 actions"),
        (lambda told: told["counts"].__setitem__(0, 600), "actions: .* are needed, as the counts say"),
        (lambda told: overflow(told), "counts: there are 616 actions"),
        (lambda told: told["counts"].pop(), "counts: .* are needed, one for each decision"),
        (lambda told: told["choices"].__setitem__(3, 9999), "choices: there are 616 actions"),
        (
            lambda told: told["choices"].__setitem__(3, 615),
            "line 1: teacher: step 3: it would do, or thinks of, what is",
        ),
        (
            lambda told: told["actions"].__setitem__(0, 615),
            "line 1: teacher: step 0: it would do, or thinks of, what is",
        ),
        (lambda told: told["actions"].__setitem__(0, told["actions"][1]), "actions: one is there twice"),
        (lambda told: told["values"].__setitem__(0, "7"), "values: a list of numbers is needed"),
        (lambda told: told["values"].__setitem__(0, True), "values: a list of numbers is needed"),
        (lambda told: told["values"].__setitem__(0, 1e300), "values: finite numbers are needed"),
        (lambda told: told["values"].__setitem__(0, 10**400), "values: finite numbers are needed"),
        (lambda told: told["values"].__setitem__(0, float("inf")), "line 1: is not JSON, which has no Infinity"),
        (lambda told: told["values"].__setitem__(0, float("nan")), "line 1: is not JSON, which has no NaN"),
        (lambda told: told["probability"].__setitem__(0, [1]), "probability: a list of numbers is needed"),
        (lambda told: told.update(mean=told["probability"]), "teacher: 'mean' is unknown here"),
        (lambda told: told["actions"].__setitem__(0, 5000), "actions: there are 616 actions"),
        (lambda told: told["probability"].pop(), "probability: "),
        (lambda told: told.update(probability="high"), "probability: a list of numbers"),
        (lambda told: told.update(values=["high"] * len(told["values"])), "line 1: teacher: values: a list of numbers"),
        (lambda told: told.clear(), "choices: a list of whole numbers"),
    ],
    ids=itertools.count(),
)
def test_a_teacher_s_words_are_not_trusted_either(taught: Path, tmp_path: Path, change: Any, message: str) -> None:
    where = broken(taught / "network", tmp_path / "broken", lambda lines, _: change(lines[0]["teacher"]))
    with pytest.raises(RecordError, match=message):
        list(data.load(where))


def test_foreign_files_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(
        RecordError, match=r"manifest.json cannot be read: No such file or directory; .* is no data set"
    ):
        data.load(tmp_path)
    (tmp_path / "manifest.json").write_bytes(b"\x80\x04\x95nothing")
    with pytest.raises(RecordError, match=r"manifest.json is not JSON"):
        data.load(tmp_path)
    where = broken(folder, tmp_path / "cut", lambda *_: None)
    part = where / "part-00001.jsonl.gz"
    part.write_bytes(part.read_bytes()[:-20])
    with pytest.raises(RecordError, match=r"part-00001.jsonl.gz is damaged or another file"):
        list(data.load(where))
    manifest = json.loads((where / "manifest.json").read_text())
    for content, message in ((b"no gzip", "is no gzip file"), (part.read_bytes(), "is cut off")):
        part.write_bytes(content)
        manifest["shards"][1]["sha256"] = hashlib.sha256(content).hexdigest()
        (where / "manifest.json").write_text(json.dumps(manifest))
        with pytest.raises(RecordError, match=message):
            list(data.load(where))
    part.unlink()
    with pytest.raises(RecordError, match=r"part-00001.jsonl.gz cannot be read"):
        list(data.load(where))


def test_a_number_that_json_writes_and_no_machine_holds(taught: Path, tmp_path: Path) -> None:
    where = broken(taught / "network", tmp_path / "broken", lambda *_: None)
    for written, message in (("1e999", "values: finite numbers"), ("9" * 5000, "has a number of thousands of digits")):
        with_text(
            where,
            lambda text, written=written: re.sub(rb'"values": ?\[', b'"values":[' + written.encode() + b",", text),
        )
        with pytest.raises(RecordError, match=f"line 1: .*{message}"):
            list(data.load(where))
        with_text(where, lambda text, written=written: text.replace(written.encode() + b",", b""))
    assert list(data.load(where))


def with_text(folder: Path, change: Callable[[bytes], bytes]) -> None:
    """Change the first file of a data set as text."""
    part = folder / "part-00000.jsonl.gz"
    part.write_bytes(gzip.compress(change(gzip.decompress(part.read_bytes()))))
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["shards"][0]["sha256"] = hashlib.sha256(part.read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("bomb", "message"),
    [
        (b"[" + b"{}," * 2**24 + b"{}]", "has a line that is too long: line 1 has more than 16,777,216 bytes"),
        (b"[" + b"{}," * 2**21 + b"{}]", "line 1: has more than 200 lists and dictionaries"),
        (b"\n" * 2**26, "line 1: is not JSON"),
        (b"{}\n" * 2**20, "line 1: format: 1 is needed"),
        (b" " * 2**27, "has a line that is too long"),
    ],
    ids=["a long line", "many dictionaries", "empty lines", "many lines", "a blank line"],
)
def test_a_small_file_does_not_take_all_memory(taught: Path, tmp_path: Path, bomb: bytes, message: str) -> None:
    where = broken(taught / "network", tmp_path / "broken", lambda *_: None)
    with_text(where, lambda _: bomb)
    tracemalloc.start()
    try:
        with pytest.raises(RecordError, match=message):
            list(data.load(where))
        assert tracemalloc.get_traced_memory()[1] < 2**26
    finally:
        tracemalloc.stop()


def test_what_is_no_file_is_not_waited_for(folder: Path, tmp_path: Path) -> None:
    where = broken(folder, tmp_path / "broken", lambda *_: None)
    for name in ("part-00001.jsonl.gz", "manifest.json"):
        (where / name).unlink()
        os.mkfifo(where / name)
        with pytest.raises(RecordError, match=f"{name} cannot be read: it is no file, but a folder, a pipe"):
            list(data.load(where))


def test_a_teacher_that_nobody_could_learn_from_is_refused(tmp_path: Path) -> None:
    for name, message in (
        ("Illegal", "it thinks of action"),
        ("Endless", "are not finite numbers"),
        ("Twice", "it thinks of an action twice"),
    ):
        with pytest.raises(BadAgent, match=f"teacher 'tests.data.odd_teachers:{name}': step 0: .*{message}"):
            data.write(tmp_path / name, AGENTS, games=1, teacher=f"tests.data.odd_teachers:{name}")


def test_more_files_than_a_manifest_can_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="shard_size: at least 32 is needed for 1,048,576 games, not 31"):
        data.write(tmp_path / "new", AGENTS, games=MAX_GAMES, shard_size=31)
    assert not (tmp_path / "new").exists()
