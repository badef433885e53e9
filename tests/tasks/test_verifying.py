"""What is true is found true, and whatever was changed is named."""

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ttr_env import Game
from ttr_env.errors import RecordError
from ttr_env.tasks import definitions, results, testing
from ttr_env.tasks.results import Result, Terms
from ttr_env.tasks.verifying import verify

Records = list[dict[str, Any]]


def forged(result: Result, file: Path, change: Callable[[Records], None], **others: Any) -> Path:
    """A result whose games somebody has changed, with a first line that fits them."""
    records = json.loads(json.dumps(result.records))
    change(records)
    written = replace(result, records=records, games=len(records), digest=results.digest(records), **others)
    results.write(written, file)
    return file


def told_of(file: Path, agent: str | None = None) -> str:
    """What is said to be wrong with a result."""
    report = verify(file, agent)
    assert not report.true
    return report.difference or ""


def test_a_true_result(result_file: Path) -> None:
    told: list[tuple[int, int]] = []
    report = verify(result_file, progress=lambda done, of: told.append((done, of)))
    assert report.true and not report.agent_asked and told[-1] == (50, 50)


def test_the_agent_can_be_asked_too(result_file: Path) -> None:
    report = verify(result_file, "planner")
    assert report.true and report.agent_asked
    assert re.search(
        r"^game 1 \(against random on mini\): decision \d+ of planner:version=2 is \d+", told_of(result_file, "racer")
    )


def test_search_by_time_is_not_asked_again(result_file: Path) -> None:
    report = verify(result_file, "ismcts:seconds=0.2")
    assert report.true and not report.agent_asked


def test_a_move_of_an_opponent_that_it_would_not_make(result: Result, tmp_path: Path) -> None:
    """Another legal move of the greedy one, after which the game was played on: it replays, and is not true."""

    def change(records: Records) -> None:
        record = records[13]  # the fourth against greedy
        assert "greedy" in record["agents"]
        game = Game.replay({**record, "actions": []})
        for step, action in enumerate(record["actions"]):
            others = [int(other) for other in game.legal_actions() if other != action]
            if step > 10 and record["agents"][game.player] == "greedy" and others:
                game.step(others[0])
                break
            game.step(action)
        while not game.over:
            game.step(int(game.legal_actions()[0]))
        record["actions"] = list(game.actions)

    file = forged(result, tmp_path / "forged.jsonl.gz", change)
    assert re.search(r"^game 14 \(against greedy on mini\): decision \d+ of greedy is \d+", told_of(file))


def test_an_illegal_move_of_the_agent(result: Result, tmp_path: Path) -> None:
    def change(records: Records) -> None:
        records[0]["actions"][0] = 186

    assert re.search(
        r"^game 1 .*decision 0 of planner:version=2 is 186, and would be",
        told_of(forged(result, tmp_path / "forged.jsonl.gz", change)),
    )


def cut_short(records: Records) -> None:
    records[3]["actions"] = records[3]["actions"][:-1]


def goes_on(records: Records) -> None:
    records[3]["actions"].append(0)


def another_deal(records: Records) -> None:
    records[4]["seed"] = 7


def a_deal_twice(records: Records) -> None:
    records[4:6] = records[2:4]


def one_seat_alone(records: Records) -> None:
    del records[5]


def other_seats(records: Records) -> None:
    records[4]["agents"] = [*reversed(records[4]["agents"])]


def another_map(records: Records) -> None:
    records[4]["map_digest"] = "bde55a0534a5819a"


def no_actions(records: Records) -> None:
    records[4]["actions"] = ["draw"]


def another_order(records: Records) -> None:
    records[0], records[40] = records[40], records[0]


def strangers(records: Records) -> None:
    records[4]["agents"] = ["planner:version=2", "nobody"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (cut_short, r"^game 4 .*decisions, and ends after"),
        (goes_on, r"^game 4 .*decisions, and ends after"),
        (another_deal, r"^game 5 \(against random on mini\): its deal, 7, is none of the task's"),
        (a_deal_twice, r"^game 5 .*was played before, or out of order"),
        (one_seat_alone, r"^game 5 .*not played from every seat"),
        (other_seats, r"^game 6 .*was played before, or out of order"),
        (another_map, r"^game 5 .*map_digest is 'bde55a0534a5819a'"),
        (no_actions, r"^game 5 .*actions: they are whole numbers"),
        (another_order, r"not in the order of the test"),
        (strangers, r"is no part of the test"),
    ],
)
def test_changed_games(change: Callable[[Records], None], message: str, result: Result, tmp_path: Path) -> None:
    assert re.search(message, told_of(forged(result, tmp_path / "forged.jsonl.gz", change)))


def test_changed_numbers(result: Result, tmp_path: Path) -> None:
    figures = json.loads(json.dumps(result.figures))
    figures["public"]["win_share"] += 0.01
    file = forged(result, tmp_path / "forged.jsonl.gz", lambda records: None, figures=figures)
    assert re.search(r"^figures.public.win_share is 0\.\d+, and by the games 0\.\d+", told_of(file))


def test_deals_that_were_left_out(result: Result, tmp_path: Path) -> None:
    def leave_out(records: Records) -> None:
        del records[8:10]

    assert re.search(
        r"says that it is complete, and has 48 of 50 games",
        told_of(forged(result, tmp_path / "forged.jsonl.gz", leave_out)),
    )


def test_a_wrong_checksum(result: Result, tmp_path: Path) -> None:
    file = tmp_path / "forged.jsonl.gz"
    results.write(replace(result, digest="0" * 64), file)
    assert re.search("the checksum", told_of(file))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 0}, "it is of version 0 of mini-2p; this is version 1"),
        ({"boards": []}, "its boards are not those of mini-2p"),
        ({"deals": 10**9}, "deals; those of mini-2p are 1 to 2,000"),
        ({"opponents": ["random"]}, "are not those of the tests"),
    ],
)
def test_changed_terms(changes: dict[str, Any], message: str, result: Result, tmp_path: Path) -> None:
    file = tmp_path / "forged.jsonl.gz"
    results.write(replace(result, terms=replace(result.terms, **changes)), file)
    assert re.search(message, told_of(file))


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"{}", id="not packed"),
        pytest.param(b"\x1f\x8b", id="cut off"),
        pytest.param(gzip.compress(b"{}\n"), id="nothing in it"),
        pytest.param(gzip.compress(b'{"format": 1}\n[]\n'), id="no terms"),
        pytest.param(b"[" * 10**5, id="deep"),
        pytest.param(b"\xff" * 9, id="no text"),
    ],
)
def test_what_is_no_result_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "broken.jsonl.gz"
    file.write_bytes(content)
    with pytest.raises(RecordError, match=r"broken.jsonl.gz is damaged or no result"):
        verify(file)


def test_without_games_nothing_can_be_verified(result: Result, tmp_path: Path) -> None:
    results.write(result.without_games(), tmp_path / "planner.json")
    assert results.read(tmp_path / "planner.json") == result.without_games()
    with pytest.raises(RecordError, match="has no games; they are needed to verify it"):
        verify(tmp_path / "planner.json")


@pytest.mark.parametrize("task", ["nederland-neutral", "nordic-3p", "unseen"])
def test_every_kind_of_task(task: str, tmp_path: Path) -> None:
    terms = Terms.of(definitions.load(task), "racer", definitions.OPPONENTS["all"], deals=1)
    played = testing.run(terms, tmp_path / "racer.jsonl.gz")
    assert verify(tmp_path / "racer.jsonl.gz", "racer").true
    assert played.figures["held_out"]["games"] == played.figures["public"]["games"]  # it does not meet itself
