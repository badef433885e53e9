"""Ratings and normalised scores stand where they are fixed."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ttr_env.tasks import definitions
from ttr_env.tasks.definitions import PUBLIC, References, Task
from ttr_env.tasks.figures import measured, rate, told_rating

RATINGS = dict(zip(PUBLIC, (200.0, 500.0, 800.0, 1000.0, 1300.0), strict=True))


def task(monkeypatch: pytest.MonkeyPatch) -> Task:
    shares = {"random": 0.1, "planner:version=1": 0.6}
    monkeypatch.setattr(Task, "references", property(lambda _: References(RATINGS, shares)))
    return definitions.load("mini-2p")


def numbers(share: float, ahead: float) -> dict[str, Any]:
    public = {"win_share": share, "ahead": ahead, "ahead_error": 0.01, "games": 10_000}
    return {"public": public, "tables": [{"against": name} for name in PUBLIC]}


def test_normalised_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [measured(numbers(share, 0.5), task(monkeypatch), "mine")["public"] for share in (0.1, 0.35, 0.6)]
    assert [each["normalised"] for each in found] == pytest.approx([0, 50, 100])


def test_the_anchor_has_1000(monkeypatch: pytest.MonkeyPatch) -> None:
    public = measured(numbers(0.6, 0.5), task(monkeypatch), "planner:version=1")["public"]
    assert (public["rating"], public["rating_error"]) == (1000, 0)


def test_ratings_are_what_would_give_these_results() -> None:
    for rating in (300.0, 1000.0, 1500.0):
        chances = [1 / (1 + 10 ** ((other - rating) / 400)) for other in RATINGS.values()]
        assert rate(float(np.mean(chances)), list(RATINGS.values()), 10**9) == pytest.approx(rating, abs=0.1)


def test_who_never_lost_has_a_rating() -> None:
    low, high = (rate(share, [1000.0], 100) for share in (0.0, 1.0))
    assert -1000 < low < 0 and 2000 < high < 3000


def test_the_rating_of_who_lost_every_game_is_told_as_a_bound() -> None:
    nothing = {"rating": -1211.0, "rating_error": 0.0}
    assert told_rating(nothing, "random") == "beyond -1211"
    assert told_rating({"rating": 1000.0, "rating_error": 0.0}, "planner:version=1") == "1000 ± 0"


def test_without_all_public_opponents_nothing_is_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    some = numbers(0.5, 0.5)
    some["tables"].pop()
    assert "rating" not in measured(some, task(monkeypatch), "mine")["public"]
    assert "rating" in measured(some, task(monkeypatch), PUBLIC[-1])["public"]  # which does not meet itself
    assert measured({**some, "public": None}, task(monkeypatch), "mine")["public"] is None


def test_the_error_of_a_rating_follows_from_that_of_the_share(monkeypatch: pytest.MonkeyPatch) -> None:
    at = task(monkeypatch)
    public = measured(numbers(0.5, 0.5), at, "mine")["public"]
    moved = measured(numbers(0.5, 0.51), at, "mine")["public"]
    assert moved["rating"] - public["rating"] == pytest.approx(public["rating_error"], rel=0.05)


def test_references_are_the_tasks_own() -> None:
    first, second = (definitions.load(name).references for name in ("mini-2p", "nederland-2p"))
    assert first != second and replace(definitions.load("mini-2p"), name="none").references is None
