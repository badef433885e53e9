"""Intervals that hold what they promise, and comparisons that are fair."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import ttr_env
from tests.arena.test_evaluate import finish
from ttr_env import arena
from ttr_env.arena import intervals
from ttr_env.arena.matchups import comparable, matchups, worth_telling
from ttr_env.arena.ratings import rate
from ttr_env.arena.reporting import write_folder
from ttr_env.arena.showing import print_results
from ttr_env.arena.tables import Played
from ttr_env.engine.scoring import RANK


def test_ten_wins_in_ten_games_are_no_certainty() -> None:
    low, high = intervals.of_share(np.ones(5), games=10)
    assert 0.5 < low < 0.6 and high == 1.0
    assert intervals.of_share(np.zeros(5), games=10) == pytest.approx((1 - high, 1 - low))
    assert intervals.of_share(np.array([1.0]), games=2) == (0.0, 1.0)


def test_never_narrower_than_over_deals_and_never_as_if_there_were_more_games() -> None:
    rng = np.random.default_rng(0)
    for deals in (2, 5, 30, 400):
        shares = rng.integers(0, 3, size=deals) / 2
        low, high = intervals.of_share(shares, games=2 * deals)
        half = 1.96 * shares.std(ddof=1) / np.sqrt(deals)
        assert low <= max(0.0, shares.mean() - half) and min(1.0, shares.mean() + half) <= high
    split = np.full(50, 0.5)  # whoever has the better seat wins: the deals say nothing of the agents
    low, high = intervals.of_share(split, games=100)
    assert low < 0.42 and high > 0.58


@pytest.mark.parametrize("share", [0.02, 0.5, 0.85, 0.98])
@pytest.mark.parametrize("alike", [0.0, 0.6])
@pytest.mark.parametrize("deals", [20, 100])
def test_they_cover_what_is_true(share: float, alike: float, deals: int) -> None:
    """In 95 % of cases, whether the two games of a deal have much in common or nothing."""
    rng = np.random.default_rng([deals, int(100 * share), int(10 * alike)])
    covered, repeats = 0, 1500
    for _ in range(repeats):
        first, other = (rng.random((2, deals)) < share).astype(float)
        second = np.where(rng.random(deals) < alike, first, other)
        low, high = intervals.of_share((first + second) / 2, games=2 * deals)
        covered += low <= share <= high
    assert covered / repeats > 0.93


def test_deals_are_the_same_at_every_table() -> None:
    values, deals = np.array([1.0, 0.0, 1.0, 1.0]), np.array([0, 1, 0, 1])
    assert intervals.by_deal(values, deals).tolist() == [1.0, 0.5]


def test_the_interval_of_a_mean_is_about_that_of_the_normal_distribution() -> None:
    means = np.random.default_rng(3).normal(100, 20, size=400)
    low, high = intervals.of_mean(means)
    assert (high - low) / 2 == pytest.approx(1.96 * 20 / 20, rel=0.15) and low < means.mean() < high
    assert intervals.of_mean(means) == (low, high)


@pytest.mark.parametrize("deals", [2, 3, 5, 10, 30])
@pytest.mark.parametrize("leaning", [False, True])
def test_intervals_of_means_cover_what_is_true(deals: int, leaning: bool) -> None:
    """In 95 % of cases, however few deals there are; a little less often where most deals are below the mean."""
    rng = np.random.default_rng([deals, leaning])
    repeats = 600
    drawn = rng.gamma(4, 10, size=(repeats, deals)) if leaning else rng.normal(40, 20, size=(repeats, deals))
    covered = [low <= 40 <= high for low, high in map(intervals.of_mean, drawn)]
    assert np.mean(covered) > (0.92 if leaning else 0.93)


@pytest.mark.parametrize("deals", [2, 3, 5, 10, 30])
def test_errors_of_means_cover_what_is_true(deals: int) -> None:
    drawn = np.random.default_rng(deals).normal(0.5, 0.2, size=(4000, deals))
    errors = np.array([intervals.error_of_mean(means) for means in drawn])
    covered = np.abs(drawn.mean(axis=1) - 0.5) <= 1.96 * errors
    assert 0.94 < covered.mean() < 0.96


def test_a_single_deal_says_nothing_of_others(tmp_path: Path) -> None:
    assert intervals.of_mean(np.array([17.5])) is None and intervals.error_of_mean(np.array([0.5])) is None
    one = arena.evaluate(["planner", "planner:version=1"], games=2)
    assert one.matchups[0].total_interval is None
    standing = one.as_dict()["agents"][0]
    assert standing["mean_total_ci"] is None and standing["rating_error"] is None
    write_folder(tmp_path, one)
    [row, _] = csv.DictReader((tmp_path / "results.csv").read_text().splitlines())
    assert row["mean_total_ci_low"] == row["mean_total_ci_high"] == row["rating_error"] == "" != row["ci_low"]


@pytest.mark.slow
@pytest.mark.parametrize("deals", [3, 8])
def test_errors_of_ratings_cover_what_is_true(deals: int) -> None:
    """Of two agents, whose true difference is known, in games of which each deal has four."""
    rng = np.random.default_rng(deals)
    true, repeats, covered = 400 * np.log10(0.6 / 0.4), 60, 0
    for _ in range(repeats):
        won = rng.random((4 * deals, 1)) < 0.6
        ranks = np.where(np.hstack([won, ~won]), 1, 2)
        scores = np.zeros((len(won), 2, len(ttr_env.SCORES)), np.int64)
        scores[:, :, RANK] = ranks
        games = np.arange(len(won))
        table = Played(("a", "b"), games, scores, games, [])
        ratings, errors = rate(["a", "b"], [_four_a_deal(table)])
        covered += abs(ratings[0] - ratings[1] - true) <= 1.96 * 2 * errors[0]
    assert covered / repeats > 0.85


def _four_a_deal(table: Played) -> Played:
    """The same games as those of a table at which four seats make four games a deal."""

    class Four(Played):
        @property
        def deals(self) -> np.ndarray:
            return self.games // 4

    return Four(table.names, table.games, table.scores, table.lengths, table.records)


@pytest.fixture(scope="module")
def star() -> arena.Results:
    return arena.evaluate(["planner"], against=["racer", "random"], games=12, players=3)


def test_wins_against_each_opponent(star: arena.Results) -> None:
    told = worth_telling(star.matchups)
    assert [(each.agent, each.against) for each in told] == [("planner", ("racer",)), ("planner", ("random",))]
    assert all(each.games == 12 and each.even == pytest.approx(1 / 3) for each in told)
    racers = star.matchups[1]
    assert racers.agent == "racer" and racers.win_rate == pytest.approx((1 - told[0].win_rate) / 2)
    assert star.as_dict()["matchups"][0]["ci"] == list(told[0].interval)
    low, high = told[0].total_interval
    assert low <= told[0].total <= high


def test_three_at_a_table_are_all_told(tmp_path: Path) -> None:
    played = finish(("greedy", "racer", "random"), 6, tmp_path).played()
    told = worth_telling(matchups([played]))
    assert [each.agent for each in told] == ["greedy", "racer", "random"]
    assert sum(each.win_rate for each in told) == pytest.approx(1)


def _met(*tables: tuple[str, ...]) -> list[Played]:
    nothing = np.zeros(0, np.int64)
    return [Played(names, nothing, nothing, nothing, []) for names in tables]


def test_who_can_be_compared() -> None:
    everybody = _met(("a", "b"), ("a", "c"), ("b", "c"))
    assert comparable(everybody, "a") == {"a", "b", "c"}
    star = _met(("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"))
    assert comparable(star, "a") == {"a", "b"}
    assert comparable(_met(("a", "c"), ("a", "d")), "a") == {"a"}
    assert comparable(_met(("a", "c"), ("b", "c"), ("b", "d")), "a") == {"a"}


def _printed(results: arena.Results) -> str:
    text = io.StringIO()
    print_results(results, Console(file=text, width=120))
    return text.getvalue()


def test_nobody_is_ranked_among_those_who_met_others(star: arena.Results) -> None:
    text = _printed(star)
    assert "Wins against each opponent" in text and "Equals would win 33.3% each" in text
    assert "Standings" not in text and "ahead of whom" not in text
    both = _printed(arena.evaluate(["planner", "racer"], against=["random"], games=4))
    standings = both[both.index("Standings") :]
    assert "racer" in standings and "random" not in standings


def test_a_rating_that_nothing_bounds_has_no_error() -> None:
    text = _printed(arena.evaluate(["planner", "random"], games=10))
    assert "beyond +" in text and "± 0" not in text and "one standard error" in " ".join(text.split())


def test_nothing_is_beyond_that_was_not_won_or_lost_throughout() -> None:
    one_deal = (arena.evaluate(["planner", "planner:version=1"], games=2, seed=seed) for seed in range(1, 40))
    split = next(each for each in one_deal if each.standings[0].win_rate == 0.5)
    assert "beyond" not in _printed(split) and "+0 ± ?" in _printed(split)
    three = arena.evaluate(["planner", "planner:version=1", "random"], games=20)
    lines = [line for line in _printed(three).splitlines() if "│ random" in line]
    assert any("beyond -" in line for line in lines)
