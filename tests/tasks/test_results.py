"""Files of results are somebody's claim: whatever stands in them is looked at, and does not take much room."""

import gzip
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ttr_env.errors import RecordError
from ttr_env.tasks import definitions, leaderboard, results, testing
from ttr_env.tasks.figures import figures
from ttr_env.tasks.results import Result
from ttr_env.tasks.verifying import verify

TRAINED = {"win_share": 0.5, "interval": [0.4, 0.6], "decisions": 10**7, "runs": 1}
WITHOUT_RATING = {
    "games": 10, "win_share": 0.5, "interval": [0.4, 0.6], "mean_total": 1.0, "mean_total_interval": None,
    "ahead": 0.5, "ahead_error": None,
}  # fmt: skip


def changed(value: Any, path: tuple[str | int, ...], to: Any) -> Any:
    """JSON with another value in one place."""
    if not path:
        return to
    copy = json.loads(json.dumps(value))
    place = copy
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return copy


def write(head: Any, records: list[Any], file: Path) -> Path:
    lines = [head, *records]
    file.write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    return file


@pytest.mark.parametrize(
    ("path", "to", "message"),
    [
        (("format",), 3, "a result of format 1 or 2"),
        (("benchmark",), 7, "benchmark: it is of version 7, and this is 0"),
        (("task",), "atlantis", "task 'atlantis' is unknown"),
        (("boards",), "x", "boards: a list"),
        (("boards",), [5], r"boards\[0\] has to be an object, and not 5"),
        (("boards",), [{}], r"boards\[0\] lacks 'map'"),
        (("boards", 0, "players"), "x", "players: a whole number"),
        (("deals",), True, "deals: a whole number from 0 is needed, not True"),
        (("opponents",), [[1]], r"opponents\[0\]: a name"),
        (("agent",), "\x1b[31mevil", "agent: a name of 1 to 500 letters that can be printed"),
        (("agent",), "a | b |\n| c", "agent: a name of 1 to 500 letters that can be printed"),
        (("agent",), "x" * 3000, "agent: a name"),
        (("agent_digest",), "00", "agent_digest: 64 digits"),
        (("agent_digest",), "0" * 64, "agent_digest: planner:version=2 comes from no file"),
        (("track",), ["a"], "track: a name"),
        (("track",), "bla<script>", "track 'bla<script>' is unknown"),
        (("budget",), -5, "budget: a whole number from 1"),
        (("budget",), 7, "budget: it belongs to a track"),
        (("beaten",), [], "beaten: an object is needed"),
        (("beaten",), {"best_response": {"win_share": 5}}, "best_response needs"),
        (("beaten",), {"best_response": {**TRAINED, "win_share": 5}}, "win_share: a number from 0 to 1"),
        (("beaten",), {"best_response": {**TRAINED, "interval": [0.6, 0.4]}}, "the lower end comes first"),
        (("complete",), 1, "complete: true or false"),
        (("resumed",), "no", "resumed: true or false"),
        (("games",), -1, "games: a whole number from 0"),
        (("sha256",), "x", "sha256: 64 digits"),
        (("versions",), {"numpy": "\x1b"}, "versions.numpy: a name"),
        (("hardware",), 5, "hardware: an object"),
        (("figures",), {}, "figures lacks 'tables'"),
        (("figures", "tables"), 5, "tables: a list"),
        (("figures", "tables", 0, "against"), {}, r"tables\[0\]: against: a name"),
        (("figures", "public"), "x", "public: it has to be an object"),
        (("figures", "public"), [1], "public: it has to be an object"),
        (("figures", "public", "win_share"), 1e308, "public: win_share: a number from 0 to 1"),
        (("figures", "public", "interval"), [0.9, 0.1], "public: interval: the lower end comes first"),
        (("figures", "public", "interval"), [0.0, 0.001], "public: interval: the share, .* is not in it"),
        (("figures", "held_out"), {**WITHOUT_RATING, "rating": 1.0}, "held_out: it lacks 'rating_error'"),
        (("figures", "public", "rating"), "zz", "public: rating: a number"),
        (("figures", "public", "rating"), 1e308, "public: rating: a number"),
        (("figures", "held_out"), {"win_share": 0.5}, "held_out: it lacks 'games'"),
    ],
)
def test_first_lines(path: tuple[str | int, ...], to: Any, message: str, result: Result, tmp_path: Path) -> None:
    head = changed(result.as_dict(), path, to)
    with pytest.raises(RecordError, match=f"forged.jsonl.gz is damaged or no result: .*{message}"):
        verify(write(head, result.records, tmp_path / "forged.jsonl.gz"))
    (tmp_path / "forged.jsonl.gz").unlink()
    (tmp_path / "forged.json").write_text(json.dumps(head))
    with pytest.raises(ValueError, match=f"forged.json is damaged or no result: .*{message}"):
        leaderboard.found_in(tmp_path)


@pytest.mark.parametrize("share", [math.nan, math.inf])
def test_numbers_that_json_has_not(share: float, result: Result, tmp_path: Path) -> None:
    (tmp_path / "forged.json").write_text(
        json.dumps(changed(result.as_dict(), ("figures", "public", "win_share"), share))
    )
    with pytest.raises(RecordError, match=r"it is not JSON, which has no (NaN|Infinity)"):
        results.read(tmp_path / "forged.json")


@pytest.mark.parametrize(
    ("path", "to", "message"),
    [
        ((), [], "the record has to be an object"),
        (("agents",), 5, "agents: a list of at most 10"),
        (("agents",), [[]], r"agents\[0\]: a name"),
        (("agents",), ["\x1b"], r"agents\[0\]: a name"),
        (("map",), {}, "map: a name"),
        (("seed",), 10**400, "seed: a whole number from 0 is needed, not 1000"),
        (("seed",), 1.0, "seed: a whole number"),
        (("start",), "x", "start: a game of a test begins with its deal"),
        (("actions",), ["draw"], "actions: they are whole numbers"),
        (("actions",), [True], "actions: they are whole numbers"),
        (("actions",), [-1], "actions: they are whole numbers"),
        (("actions",), [2**15], "actions: they are whole numbers"),
        (("actions",), [0] * 2001, "actions: a list of at most 2,000"),
        (("note",), "hi", "the record: 'note' is no field of it"),
    ],
)
def test_records(path: tuple[str | int, ...], to: Any, message: str, result: Result, tmp_path: Path) -> None:
    records = [*result.records[:4], changed(result.records[4], path, to)]
    with pytest.raises(RecordError, match=f"game 5: .*{message}") as refused:
        results.read(write(result.as_dict(), records, tmp_path / "forged.jsonl.gz"))
    assert len(str(refused.value)) < 500


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([b"[" + b"[]," * 10_000 + b"[]]"], "game 51: it has more than 3,000 lists and dictionaries"),
        ([b"0" * 100_000], "has a line that is too long"),
        ([b"0" * 2**28], "has a line that is too long"),
        ([b"{}"] * 200_000, "game 51: the record lacks"),
    ],
    ids=["lists", "one line", "a long line", "many lines"],
)
def test_a_few_packed_bytes_do_not_take_much_memory(
    lines: list[bytes], message: str, result: Result, tmp_path: Path
) -> None:
    whole = [json.dumps(line).encode() for line in (result.as_dict(), *result.records)]
    file = tmp_path / "bomb.jsonl.gz"
    file.write_bytes(gzip.compress(b"\n".join([*whole, *lines])))
    with pytest.raises(RecordError, match=message):
        results.read(file)


def test_no_more_games_are_read_than_the_task_has(
    result: Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ttr_env.tasks.definitions.Task.most_games", 49)
    with pytest.raises(RecordError, match="it has more games than mini-2p, which has 49"):
        results.read(write(result.as_dict(), result.records, tmp_path / "long.jsonl.gz"))


def test_results_of_format_1_are_true_with_the_numbers_of_their_time(result: Result, tmp_path: Path) -> None:
    file, task = tmp_path / "old.jsonl.gz", definitions.load(result.terms.task)
    order = testing.sittings(result.terms)
    played = [
        (sitting.board.map, testing.replayed(sitting, records, tmp_path))
        for sitting, records in zip(order, testing.split(result, order), strict=True)
    ]
    numbers = figures(task, result.terms.agent, played, format=1)
    results.write(replace(result, figures=numbers, format=1, resumed=None), file)
    assert results.read(file).as_dict().keys() == result.as_dict().keys() - {"resumed"}
    assert verify(file).true
    results.write(replace(result, figures=numbers), file)
    assert "mean_total_interval" in (verify(file).difference or "")
