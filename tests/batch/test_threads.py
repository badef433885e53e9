"""Threads that share work."""

import threading

import pytest

from ttr_env.batch.threads import Crew


def test_every_worker_works_every_time() -> None:
    crew, done = Crew(helpers=2), []
    for _ in range(50):
        done.clear()
        crew.run(done.append)
        assert sorted(done) == [0, 1, 2]


@pytest.mark.parametrize("culprit", [0, 1])
def test_an_error_reaches_the_caller_and_the_crew_goes_on(culprit: int) -> None:
    crew = Crew(helpers=1)

    def fail(worker: int) -> None:
        if worker == culprit:
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        crew.run(fail)
    done: list[int] = []
    crew.run(done.append)
    assert sorted(done) == [0, 1]


def test_helpers_leave_with_the_crew() -> None:
    before = set(threading.enumerate())  # helpers of other crews among them, who may be about to leave
    crew = Crew(helpers=3)
    helpers = set(threading.enumerate()) - before
    assert len(helpers) == 3
    del crew
    for helper in helpers:
        helper.join(timeout=5)
    assert not any(helper.is_alive() for helper in helpers)
