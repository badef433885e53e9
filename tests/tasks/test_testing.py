"""Tests are played whole, can be stopped, and go on to the same result."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from ttr_env import Game
from ttr_env.arena.tables import Table
from ttr_env.tasks import definitions, results, testing
from ttr_env.tasks.figures import told_rating
from ttr_env.tasks.reserved import RESERVED_SEEDS
from ttr_env.tasks.results import Result, Terms
from ttr_env.tasks.verifying import verify


def test_every_deal_is_played_from_every_seat_against_every_opponent(result: Result) -> None:
    assert result.complete and result.games == len(result.records) == 5 * 2 * 5
    seated = [(record["seed"] - RESERVED_SEEDS[0], *record["agents"]) for record in result.records]
    own = "planner:version=2"
    pairs = [(pair, deal) for name in definitions.PUBLIC for deal in range(5) for pair in ((own, name), (name, own))]
    assert seated == [(deal, *pair) for pair, deal in pairs]


def test_records_replay(result: Result) -> None:
    for record in result.records[::7]:
        assert Game.replay(record).over


def test_figures_follow_from_the_records(result: Result) -> None:
    for table in result.figures["tables"]:
        records = [record for record in result.records if table["against"] in record["agents"]]
        shares, totals = [], []
        for record in records:
            told, seat = Game.replay(record).result(), record["agents"].index(result.terms.agent)
            shares.append((seat in told["winners"]) / len(told["winners"]))
            totals.append(told["seats"][seat]["total"])
        assert table["win_share"] == pytest.approx(sum(shares) / len(shares))
        assert table["mean_total"] == pytest.approx(sum(totals) / len(totals))
    public = result.figures["public"]
    assert public["win_share"] == pytest.approx(sum(each["win_share"] for each in result.figures["tables"]) / 5)
    assert public["interval"][0] < public["win_share"] < public["interval"][1]
    assert result.figures["held_out"] is None


def test_a_test_that_was_stopped_goes_on(terms: Terms, result: Result, tmp_path: Path) -> None:
    file, told = tmp_path / "stopped.jsonl.gz", []

    def stop(finished: int, total: int) -> None:
        told.append((finished, total))
        if finished > 20:
            raise KeyboardInterrupt

    with pytest.raises(testing.Stopped):
        testing.run(terms, file, stop)
    halfway = results.read(file)
    assert not halfway.complete and 20 <= halfway.games < 50 and halfway.games % 2 == 0
    assert halfway.records == result.records[: halfway.games] and verify(file).true
    again = testing.run(terms, file, lambda finished, total: told.append((finished, total)))
    assert told[-1] == (50, 50)
    assert again.records == result.records and again.figures == result.figures and again.complete
    assert again.resumed and not result.resumed
    assert results.read(file) == again


def test_only_an_unbroken_beginning_is_saved(terms: Terms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are played side by side may end in any order."""
    play, file = Table.play, tmp_path / "stopped.jsonl.gz"

    def stopped_after(*games: int) -> Callable[..., Iterator[int]]:
        def begin(table: Table, asked: Sequence[int]) -> Iterator[int]:
            if not set(games) <= set(asked):  # it takes up what was saved before
                yield from play(table, asked)
                return
            yield from play(table, games)
            raise KeyboardInterrupt

        return begin

    for games, saved in (((2, 3), None), ((0, 1, 4, 5), 2), ((2, 3, 8, 9), 4)):
        with monkeypatch.context() as stopping:
            stopping.setattr(Table, "play", stopped_after(*games))
            with pytest.raises(testing.Stopped):
                testing.run(terms, file)
        assert (results.read(file).games if file.exists() else None) == saved
    assert verify(file).true and testing.run(terms, file).complete


def test_a_finished_test_is_not_played_again(terms: Terms, result: Result, result_file: Path) -> None:
    def refuse(finished: int, total: int) -> None:
        raise AssertionError("something is played")

    assert testing.run(terms, result_file, refuse) == result


def test_another_test_does_not_overwrite_a_result(result_file: Path) -> None:
    other = Terms.of(definitions.load("mini-2p"), "racer", definitions.PUBLIC, deals=5)
    before = result_file.read_bytes()
    with pytest.raises(ValueError, match="is the result of another test; choose another name"):
        testing.run(other, result_file)
    assert result_file.read_bytes() == before


def test_nobody_plays_against_itself(tmp_path: Path) -> None:
    terms = Terms.of(definitions.load("mini-2p"), "random", definitions.PUBLIC, deals=2)
    result = testing.run(terms, tmp_path / "random.jsonl.gz")
    assert {table["against"] for table in result.figures["tables"]} == set(definitions.PUBLIC) - {"random"}
    others = sum(table["win_share"] for table in result.figures["tables"])
    assert result.figures["public"]["win_share"] == pytest.approx((others + 0.5) / 5)


def test_the_interval_of_what_is_credited_is_none(tmp_path: Path) -> None:
    """Whoever wins nothing but the even share that it is credited with cannot have won less than that."""
    task = definitions.load("nordic-3p")
    figures = testing.run(Terms.of(task, "random", definitions.PUBLIC, deals=4), tmp_path / "r.jsonl.gz").figures
    assert all(table["win_share"] == 0 for table in figures["tables"])
    low, high = figures["public"]["interval"]
    assert low == pytest.approx(1 / 15) == figures["public"]["win_share"] and low < high


def test_a_single_deal_tells_no_errors(tmp_path: Path) -> None:
    terms = Terms.of(definitions.load("mini-2p"), "planner", definitions.PUBLIC, deals=1)
    file = tmp_path / "planner.jsonl.gz"
    public = testing.run(terms, file).figures["public"]
    assert public["mean_total_interval"] is public["ahead_error"] is public["rating_error"] is None
    assert told_rating(public, "planner:version=2").endswith(" ± ?")
    assert results.read(file).figures["public"] == public and verify(file).true


@pytest.mark.parametrize("given", ["deals", "budget"])
def test_numbers_of_thousands_of_digits_are_refused(given: str) -> None:
    task = definitions.load("mini-2p")
    with pytest.raises(TypeError, match=rf"{given}: a whole number is needed, and less than 2\*\*1000"):
        Terms.of(task, "random", definitions.PUBLIC, **{"track": "scratch", given: 10**5000})


@pytest.mark.parametrize("name", ["policy:a\nb.npz", "policy:\x1b[2J.npz", "policy:" + "x" * 500])
def test_names_that_cannot_be_printed_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="agent: a name of 1 to 500 letters that can be printed is needed"):
        Terms.of(definitions.load("mini-2p"), name, definitions.PUBLIC)


@pytest.mark.parametrize("deals", [0, 2001, -1])
def test_deals_that_a_task_does_not_have_are_refused(deals: int) -> None:
    with pytest.raises(ValueError, match=r"deals: mini-2p has 2,000"):
        Terms.of(definitions.load("mini-2p"), "random", definitions.PUBLIC, deals)


def test_an_agent_that_cannot_play_there_is_refused_at_once(tmp_path: Path) -> None:
    terms = Terms.of(definitions.load("mini-2p"), "champion:version=1", definitions.PUBLIC, deals=2)
    with pytest.raises(ValueError, match="trained on 'nederland' and cannot play 'mini'"):
        testing.run(terms, tmp_path / "champion.jsonl.gz")
    assert list(tmp_path.iterdir()) == []
