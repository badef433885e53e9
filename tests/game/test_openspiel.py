"""OpenSpiel's own test of games, run on ours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.helpers.openspiel_game import pyspiel
from tests.helpers.variants import EVERYWHERE, variant_name


def load(**parameters: Any) -> Any:
    return pyspiel.load_game("python_ttr", parameters)


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_random_simulation(options: dict[str, Any]) -> None:
    game = load(**options)
    ends = []

    def check(state: Any) -> None:
        """A saved state is the same state. OpenSpiel cannot save a Python game's own generator, so not `serialize`."""
        ends.append(state.is_terminal())
        if state.is_terminal() or state.move_number() % 10 == 0:
            restored = game.deserialize_state(state.serialize())
            assert str(restored) == str(state)
            assert restored.history() == state.history()

    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False, state_checker_fn=check)
    assert any(ends)


def test_states_are_dealt_anew_and_repeat_with_the_seed() -> None:
    game, same = load(players=3, rng_seed=5), load(players=3, rng_seed=5)
    deals = [str(game.new_initial_state()) for _ in range(3)]
    assert len(set(deals)) == 3
    assert deals == [str(same.new_initial_state()) for _ in range(3)]


def test_a_restored_state_draws_the_same_cards() -> None:
    game = load(players=2)
    state = game.new_initial_state()
    while state.position.phase != "turn":
        state.apply_action(state.legal_actions()[0])
    restored = game.deserialize_state(state.serialize())
    for each in (state, restored):
        each.apply_action(0)
    assert str(state) == str(restored)


def test_observations_are_ours() -> None:
    state = load(players=4).new_initial_state()
    for player in range(4):
        assert np.allclose(state.observation_tensor(player), state.position.observe(player))
    assert state.observation_string(0) != state.observation_string(1)


def test_returns_sum_to_nothing() -> None:
    state = load(players=5).new_initial_state()
    chance = np.random.default_rng(0)
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
    assert sorted(state.returns()) == pytest.approx([-0.25] * 4 + [1])
    assert np.argmax(state.returns()) in state.position.result()["winners"]
