"""What is true is found true, and whatever was changed is named."""

import gzip
import importlib.metadata
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.networks import random_scorer
from ttr_env import Game
from ttr_env.agents import policy_file
from ttr_env.arena import tables
from ttr_env.errors import RecordError
from ttr_env.tasks import definitions, results, testing
from ttr_env.tasks.results import Result, Terms
from ttr_env.tasks.verifying import other_versions, verify

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
    assert report.true and report.agent_asked and told[-1] == (50, 50)


def renamed(result: Result, name: str, file: Path, **others: Any) -> Path:
    """The games of an agent as those of another one; the ones against that other one are left out."""
    own = result.terms.agent
    records = [
        {**record, "agents": [name if seated == own else seated for seated in record["agents"]]}
        for record in result.records
        if name not in record["agents"]
    ]
    written = replace(
        result,
        terms=replace(result.terms, agent=name),
        records=records,
        games=len(records),
        digest=results.digest(records),
        **others,
    )
    results.write(written, file)
    return file


@pytest.mark.parametrize(
    ("name", "asked"), [("champion:version=2", None), ("ismcts:iterations=2", "ismcts:iterations=2")]
)
def test_games_of_somebody_else_under_the_name_of_a_built_in_agent(
    name: str, asked: str | None, result: Result, tmp_path: Path
) -> None:
    told = told_of(renamed(result, name, tmp_path / "renamed.jsonl.gz"), asked)
    assert re.search(rf"^game 1 \(against random on mini\): decision \d+ of {re.escape(name)} is \d+", told)


@pytest.mark.parametrize(
    ("name", "message"),
    [("planner:version=7", "version must be 1 or 2, not 7"), ("champion:version=1", "cannot play 'mini'")],
)
def test_a_built_in_agent_that_is_not_there(name: str, message: str, result: Result, tmp_path: Path) -> None:
    assert message in told_of(renamed(result, name, tmp_path / "renamed.jsonl.gz"))


@pytest.mark.parametrize("name", ["racer", "planner:version=1", "mine:Mine", "policy:mine.npz", "exec:planner"])
def test_another_agent_than_the_result_s_is_not_asked(name: str, result_file: Path) -> None:
    with pytest.raises(ValueError, match=f"the result is of agent 'planner:version=2', and not of '{name}'"):
        verify(result_file, name)
    assert verify(result_file, "planner").agent_asked


def test_search_by_time_is_not_asked_again(result: Result, tmp_path: Path) -> None:
    file = renamed(result, "ismcts:seconds=0.2", tmp_path / "renamed.jsonl.gz")
    for agent in (None, "ismcts:seconds=0.2"):
        report = verify(file, agent)
        assert report.true and report.unasked == "it searches by time"


def test_an_agent_that_is_not_built_in_is_asked_when_it_is_named(result: Result, tmp_path: Path) -> None:
    file = renamed(result, "tests.helpers.odd_agents:Good", tmp_path / "renamed.jsonl.gz")
    report = verify(file)
    assert report.true and "--agent alone" in (report.unasked or "")
    assert re.search(r"decision \d+ of tests.helpers.odd_agents:Good", told_of(file, "tests.helpers.odd_agents:Good"))


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A test of an agent that draws chance in every decision."""
    file = tmp_path_factory.mktemp("searched") / "ismcts.jsonl.gz"
    terms = Terms.of(definitions.load("mini-2p"), "ismcts:iterations=5", definitions.PUBLIC, deals=1)
    testing.run(terms, file)
    return file


def test_an_agent_that_draws_chance_is_made_anew_for_each_opponent(searched: Path) -> None:
    report = verify(searched, "ismcts:iterations=5")
    assert report.true and report.agent_asked


def test_a_search_is_not_asked_because_a_file_names_it(searched: Path) -> None:
    report = verify(searched)
    assert report.true and "it searches" in (report.unasked or "")


def test_seeds_of_agents_are_those_of_the_format(
    searched: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terms, file = results.read(searched).terms, tmp_path / "old.jsonl.gz"
    with monkeypatch.context() as before:
        before.setattr(tables, "own_seed", lambda seed, place: seed + place)
        before.setattr(results, "FORMAT", 1)
        testing.run(terms, file)
    results.write(replace(results.read(file), format=1, resumed=None), file)
    assert results.read(file).digest != results.read(searched).digest
    assert verify(file, terms.agent).agent_asked and verify(file, terms.agent).true


def test_a_policy_is_told_by_its_file_wherever_that_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name, file = "seconds=1.npz", tmp_path / "policy.jsonl.gz"
    policy_file.save(random_scorer(), Path(name))
    testing.run(Terms.of(definitions.load("mini-2p"), f"policy:{name}", definitions.PUBLIC, deals=1), file)
    (tmp_path / "elsewhere").mkdir()
    shutil.copy(name, "elsewhere")
    for place in (name, f"elsewhere/{name}"):
        report = verify(file, f"policy:{place}")
        assert report.true and report.agent_asked
    with pytest.raises(ValueError, match="the result is of agent"):
        verify(file, f"policy:{name},temperature=0.5")
    policy_file.save(random_scorer(seed=1), Path(name))
    with pytest.raises(ValueError, match=r"the SHA-256 of its file is \w{64}, and that of the result's is \w{64}"):
        verify(file, f"policy:{name}")


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


def the_last_ones(records: Records) -> None:
    del records[48:]


def the_first_deal(records: Records) -> None:
    del records[:2]


def one_in_the_middle(records: Records) -> None:
    del records[44:46]


def the_last_against_one(records: Records) -> None:
    del records[8:10]


def all_against_one(records: Records) -> None:
    del records[:10]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (the_last_ones, r"says that it is complete, and has 48 of 50 games"),
        (the_first_deal, r"^game 1 \(against random on mini\): deals of the test before it are missing"),
        (
            one_in_the_middle,
            r"^game 45 \(against champion:version=2 on mini\): deals of the test before it are missing",
        ),
        (the_last_against_one, r"^game 9 \(against greedy on mini\): deals of the test before it are missing"),
        (all_against_one, r"^game 1 \(against greedy on mini\): deals of the test before it are missing"),
    ],
)
def test_deals_that_were_left_out(
    change: Callable[[Records], None], message: str, result: Result, tmp_path: Path
) -> None:
    """Also of a test that says it was stopped: it has the first deals, and not those that went well."""
    for complete in (True, False) if change is not the_last_ones else (True,):
        file = forged(result, tmp_path / "forged.jsonl.gz", change, complete=complete)
        assert re.search(message, told_of(file))


def test_a_whole_test_is_complete(result: Result, tmp_path: Path) -> None:
    file = forged(result, tmp_path / "forged.jsonl.gz", lambda records: None, complete=False)
    assert "says that it is not complete, and has 50 of 50 games" in told_of(file)


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


def test_versions_that_are_others_are_named(result: Result) -> None:
    assert other_versions(result) is None
    versions = {**result.made_with["versions"], "numpy": "1.0", "torch": "2.0"}
    told = other_versions(replace(result, made_with={"versions": versions}))
    assert told == f"numpy 1.0 (here {importlib.metadata.version('numpy')}), torch 2.0 (here None)"


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
