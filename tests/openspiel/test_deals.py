"""Few deals, picked by chance: games whose whole tree OpenSpiel's exact tools can walk."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import cfr, exploitability

import ttr_env.openspiel

BOARD = "tests/openspiel/three_cities"


def load(deals: int, **parameters: Any) -> Any:
    return pyspiel.load_game("ttr", {"map": BOARD, "deals": deals, **parameters})


def leaves(state: Any, recalled: tuple[tuple[str, int], ...] = ((), ())) -> Iterator[tuple[Any, Any]]:
    """Every decision below a state, with what the player to move has known and done before."""
    if state.is_terminal():
        return
    mover = state.current_player()
    for action in state.legal_actions():
        after = recalled
        if mover >= 0:
            own = (*recalled[mover], (state.information_state_string(), action))
            after = (own, recalled[1]) if mover == 0 else (recalled[0], own)
        yield from leaves(state.child(action), after)
    if mover >= 0:
        yield state, recalled[mover]


def test_the_root_picks_one_of_the_seeds() -> None:
    game = load(3, rng_seed=5)
    root = game.new_initial_state()
    assert root.is_chance_node() and root.chance_outcomes() == [(deal, pytest.approx(1 / 3)) for deal in range(3)]
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert [root.action_to_string(deal) for deal in root.legal_actions()] == ["Deal 0", "Deal 1", "Deal 2"]
    for deal in range(3):
        assert root.child(deal).position == ttr_env.Game(BOARD, seed=5 + deal)
    with pytest.raises(ttr_env.IllegalAction, match="the deals are 0 to 2, not 3"):
        root.apply_action(3)


def test_the_rest_follows_from_the_seed() -> None:
    pyspiel.random_sim_test(load(3), num_sims=3, serialize=True, verbose=False)
    pyspiel.random_sim_test(load(3, map="nederland"), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
def test_information_states_have_perfect_recall() -> None:
    pasts, legal = defaultdict(set), defaultdict(set)
    for state, recalled in leaves(load(2).new_initial_state()):
        pasts[state.information_state_string()].add(recalled)
        legal[state.information_state_string()].add(tuple(state.legal_actions()))
    assert len(pasts) > 500
    assert all(len(each) == 1 for each in (*pasts.values(), *legal.values()))


def test_information_states_hide_what_the_player_cannot_know() -> None:
    state = load(2, map="nederland").new_initial_state()
    rng = np.random.default_rng(0)
    for _ in range(40):
        state.apply_action(int(rng.choice(state.legal_actions())))
    for player in range(2):
        others = [state.resample_from_infostate(player, rng.random) for _ in range(3)]
        assert {other.information_state_string(player) for other in others} == {state.information_state_string(player)}
        assert len({other.information_state_string(1 - player) for other in others}) > 1


def test_a_secret_choice_makes_no_difference_to_the_others() -> None:
    root = load(1, map="nederland").new_initial_state().child(0)
    several = [
        root.child(action) for action in root.legal_actions() if len(root.position.describe(action).tickets) == 3
    ]
    assert len({state.information_state_string(1) for state in several}) == 1
    assert len({state.information_state_string(0) for state in several}) == len(several) > 1


def test_information_states_are_the_same_wherever_the_map_lies(tmp_path: Path) -> None:
    shutil.copytree(BOARD, tmp_path / "three_cities")
    here, there = (load(1, map=str(board)).new_initial_state().child(0) for board in (BOARD, tmp_path / "three_cities"))
    assert here.information_state_string() == there.information_state_string()
    assert str(tmp_path) not in there.information_state_string()
    digest = here.position.map.digest
    assert json.loads(here.information_state_string())["map"] == f"three_cities@{digest}"
    built_in = load(1, map="nederland").new_initial_state().child(0)
    assert json.loads(built_in.information_state_string())["map"] == "nederland"


def test_its_rl_environment_tells_whole_states() -> None:
    env = rl_environment.Environment(load(2), include_full_state=True)
    step = env.reset()
    game, state = pyspiel.deserialize_game_and_state(step.observations["serialized_state"])
    assert game.deals == 2 and state.current_player() == step.observations["current_player"]


def test_without_deals_the_past_is_not_kept() -> None:
    state = pyspiel.load_game("ttr").new_initial_state()
    with pytest.raises(ValueError, match="deals=N"):
        state.information_state_string(0)


@pytest.mark.slow
def test_exact_exploitability_over_the_deals() -> None:
    game = load(2)
    assert exploitability.exploitability(game, policy.UniformRandomPolicy(game)) == pytest.approx(17 / 21)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(4):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.2
