"""The experiment on luck tells luck of the deal from luck of the draw."""

import numpy as np
import pytest

from training.examples import luck


@pytest.mark.parametrize("of_deal", [0.0, 0.2, 0.6])
def test_the_part_of_the_deal_is_found_again(of_deal: float) -> None:
    rng = np.random.default_rng(1)
    chances = 0.5 + np.sqrt(of_deal) * 0.5 * rng.choice([-1, 1], (2000, 2))
    wins = (rng.random((2000, 2, 12)) < chances[:, :, None]).astype(float)
    assert luck.part_of_deal(wins) == pytest.approx(of_deal, abs=0.03)


def test_it_tells_what_it_found(capsys: pytest.CaptureFixture[str]) -> None:
    luck.main(["greedy", "random", "--deals", "2", "--draws", "2"])
    told = capsys.readouterr().out
    assert "greedy wins 100.0% of 8 games" in told
    assert "both seats are won in 100.0%, one in 0.0%, neither in 0.0%" in told
