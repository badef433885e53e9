"""Tasks and tracks are data that fits what is there."""

import pytest

from ttr_env import agents
from ttr_env.bots.built_in import HELD_OUT
from ttr_env.data import SEEDS
from ttr_env.tasks import definitions
from ttr_env.tasks.reserved import RESERVED_SEEDS

NAMES = [
    "nederland-2p", "nederland-3p", "nederland-4p", "nederland-5p", "nederland-neutral", "usa-2p", "nordic-3p",
    "mini-2p", "unseen",
]  # fmt: skip


def test_the_tasks() -> None:
    assert definitions.names() == NAMES
    assert [board.map for board in definitions.load("unseen").boards] == ["nederland", "nordic", "usa"]
    assert definitions.load("nederland-neutral").boards[0].variant.neutral_player


def test_data_sets_hold_no_deal_of_a_test() -> None:
    assert SEEDS[-1] < RESERVED_SEEDS[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_task_can_be_played(name: str) -> None:
    task = definitions.load(name)
    for board in task.boards:
        assert board.variant.players == board.players  # its map has the digest, too
        assert board.variant.as_dict() == {**board.variant.as_dict(), **board.options}
    assert len(task.seeds) == task.deals and set(task.seeds) < set(RESERVED_SEEDS[: 2**16])


def test_a_map_that_changed_is_refused() -> None:
    board = definitions.Board("mini", "0123456789abcdef", {"players": 2})
    with pytest.raises(ValueError, match="the map 'mini' is 1cacbbaa0a37b549, and the task is for 0123456789abcdef"):
        board.variant  # noqa: B018


def test_opponents() -> None:
    assert definitions.OPPONENTS["held-out"] == HELD_OUT == ("blocker", "ticket_hoarder", "toll_hoarder", "stranger")
    for name in definitions.OPPONENTS["all"]:
        assert agents.make(name)
        assert definitions.with_version(name) == name  # none without a version that has more than one


def test_every_task_has_references() -> None:
    for name in NAMES:
        references = definitions.load(name).references
        assert references is not None
        assert references.ratings["planner:version=1"] == 1000 and set(references.ratings) == set(definitions.PUBLIC)
        assert references.shares["random"] < references.shares["planner:version=1"]


def test_an_unknown_task_is_refused() -> None:
    with pytest.raises(ValueError, match=r"task 'nederlnd-2p' is unknown \(did you mean 'nederland-2p'\?\)"):
        definitions.load("nederlnd-2p")


@pytest.mark.parametrize(
    ("track", "budget", "message"),
    [
        ("scrach", None, r"track 'scrach' is unknown \(did you mean 'scratch'\?\)"),
        ("scratch", 7, "budget: those of track 'scratch' are 1,500,000, 15,000,000, 150,000,000, not 7"),
        ("bot", 1_500_000, "budget: those of track 'bot' are none"),
        (None, 1_500_000, "budget: it belongs to a track"),
    ],
)
def test_bad_tracks_and_budgets_are_refused(track: str | None, budget: int | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        definitions.check_track(track, budget)
    definitions.check_track("scratch", 15_000_000)
    definitions.check_track("text", None)
