"""The game in OpenSpiel: its own test of games, its bots, and what states say of themselves."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.bots import uniform_random
from open_spiel.python.observation import make_observation

import ttr_env.openspiel
from tests.helpers.variants import EVERYWHERE, variant_name
from tests.helpers.without import run_without
from ttr_env.errors import install_command


def load(**parameters: Any) -> Any:
    return pyspiel.load_game("ttr", parameters)


def played(state: Any, decisions: int, seed: int = 0) -> Any:
    """The state after so many random decisions."""
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


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


def test_the_parameters_are_those_of_a_game() -> None:
    game = pyspiel.load_game("ttr(map=usa,players=3,features=planning)")
    assert game.num_players() == 3
    assert game.observation_tensor_size() == ttr_env.observation.size("usa", "planning")
    assert game.num_distinct_actions() == ttr_env.Game("usa").num_actions
    assert load(tolls=False).new_initial_state().position.variant.tolls is False
    assert load().new_initial_state().position.variant.tolls is True


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"players": 9}, "players: Nederland is for 2 to 5 players, not 9"),
        ({"deals": -1}, "deals: 0 for a new deal .* not -1"),
        ({"map": "nowhere"}, "'nowhere' is no map"),
        ({"features": "actions"}, 'features: "actions" are no vector'),
        ({"max_decisions": 0}, "max_decisions: at least 1"),
    ],
)
def test_bad_parameters_are_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load(**parameters)


def test_states_are_dealt_anew_and_repeat_with_the_seed() -> None:
    game, same = load(players=3, rng_seed=5), load(players=3, rng_seed=5)
    deals = [str(game.new_initial_state()) for _ in range(3)]
    assert len(set(deals)) == 3
    assert deals == [str(same.new_initial_state()) for _ in range(3)]


def test_copies_take_no_deal_away() -> None:
    game, same = load(rng_seed=5), load(rng_seed=5)
    state, second = game.new_initial_state(), game.new_initial_state()
    assert str(state.clone()) == str(state) == str(game.deserialize_state(state.serialize()))
    assert str(state) == str(same.new_initial_state())
    assert str(second) == str(same.new_initial_state())
    assert str(game.new_initial_state()) == str(same.new_initial_state())


def test_a_restored_state_draws_the_same_cards() -> None:
    game = load(players=2)
    state = game.new_initial_state()
    while state.position.phase != "turn":
        state.apply_action(state.legal_actions()[0])
    restored = game.deserialize_state(state.serialize())
    for each in (state, restored):
        each.apply_action(0)
    assert str(state) == str(restored)


def test_actions_are_sentences_that_can_be_looked_up() -> None:
    state = played(load().new_initial_state(), 40)
    for action in state.legal_actions():
        sentence = state.action_to_string(action)
        assert sentence == state.position.text(action)
        assert state.string_to_action(sentence) == action
        assert state.struct_to_actions(state.action_to_struct(action)) == [action]


def test_an_illegal_action_is_refused_and_nothing_changes() -> None:
    state = load().new_initial_state()
    before = str(state)
    with pytest.raises(ttr_env.IllegalAction, match="keep_tickets"):
        state.apply_action(0)
    assert str(state) == before and state.history() == []


def test_observations_are_ours() -> None:
    game = load(players=4)
    state = played(game.new_initial_state(), 30)
    observer = make_observation(game)
    for player in range(4):
        expected = state.position.observe(player)
        observer.set_from(state, player)
        assert np.array_equal(observer.tensor, expected)
        assert np.allclose(state.observation_tensor(player), expected)
        assert np.allclose(pyspiel.State.observation_tensor(state, player), expected)  # as its C++ code asks
        assert state.observation_string(player).startswith(ttr_env.text.position(state.position, player))
        known = json.loads(state.to_observation_struct(player).to_json())
        assert known == json.loads(json.dumps(state.position.information_state(player)))
    assert observer.dict["owner"].shape == ttr_env.observation.shapes("nederland")["owner"]
    assert state.observation_tensor() == state.observation_tensor(state.current_player())


@pytest.mark.parametrize("player", [3, 7, 10**6, -1, -2, -4])
def test_nothing_is_shown_to_a_seat_that_is_not_there(player: int) -> None:
    game = load(players=3)
    state = played(game.new_initial_state(), 10)
    message = f"player: the seats are 0 to 2, not {player}"
    observer = make_observation(game)
    for show in (
        state.observation_tensor,
        lambda player: observer.set_from(state, player),
        lambda player: observer.string_from(state, player),
    ):
        with pytest.raises(ValueError, match=message):
            show(player)
    for show in (state.observation_string, lambda player: pyspiel.State.observation_tensor(state, player)):
        with pytest.raises((ValueError, pyspiel.SpielError), match=r"player"):
            show(player)


def test_where_nobody_is_to_move_a_view_needs_a_player() -> None:
    """OpenSpiel's own games refuse the rest as well."""
    over = played(load(max_decisions=10).new_initial_state(), 10)
    for state in (over, load(deals=2).new_initial_state()):
        with pytest.raises(ValueError, match="player: nobody is to move here; say whose view is wanted"):
            state.observation_tensor()
        with pytest.raises(ValueError, match="player: the seats are 0 to 1, not -4"):
            state.observation_tensor(-4)
        assert len(state.observation_tensor(0)) == state.get_game().observation_tensor_size()
    assert np.allclose(over.observation_tensor(1), over.position.observe(1))


COPIES = [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))]


@pytest.mark.parametrize("deals", [0, 3])
@pytest.mark.parametrize("copied", COPIES, ids=["copy", "deepcopy", "pickle"])
def test_python_copies_states_and_games(copied: Callable[[Any], Any], deals: int) -> None:
    game = load(rng_seed=5, deals=deals)
    state = played(game.new_initial_state(), 20)
    game.new_initial_state()
    other = copied(state)
    assert str(other) == str(state) and other.history() == state.history()
    played(other, 10)
    assert str(played(state.clone(), 10)) == str(other) != str(state)
    same = copied(game)
    assert str(same) == str(game)
    assert str(played(same.new_initial_state(), 5)) == str(played(game.new_initial_state(), 5))


def test_a_saved_game_is_loaded_where_it_was_not_imported(tmp_path: Path) -> None:
    state = played(load().new_initial_state(), 5)
    (tmp_path / "saved").write_bytes(pickle.dumps([state.get_game(), state]))
    code = f"import pickle; print(pickle.load(open({str(tmp_path / 'saved')!r}, 'rb'))[1])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == state.position.snapshot()


def test_masks_are_ours() -> None:
    state = played(load(players=3).new_initial_state(), 30)
    mover = state.current_player()
    assert state.legal_actions_mask() == state.position.action_mask().tolist()
    for player in range(3):
        assert state.legal_actions(player) == (state.legal_actions() if player == mover else [])
        assert state.legal_actions_mask(player) == pyspiel.State.legal_actions_mask(state, player)
    assert state.legal_actions() == pyspiel.State.legal_actions(state)  # as its C++ code asks


def test_nothing_hidden_is_shown() -> None:
    state = played(load(players=3).new_initial_state(), 60)
    for player in range(3):
        for seed in range(4):
            other = state.resample_from_infostate(player, np.random.default_rng(seed).random)
            assert str(other) != str(state)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.current_player() == state.current_player() and other.history() == []
            if player == state.current_player():
                assert other.legal_actions_mask() == state.legal_actions_mask()
                sentences = [
                    [each.action_to_string(action) for action in state.legal_actions()] for each in (state, other)
                ]
                assert sentences[0] == sentences[1]


def test_returns_sum_to_nothing() -> None:
    state = load(players=5).new_initial_state()
    assert state.returns() == [0.0] * 5
    chance = np.random.default_rng(0)
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
    assert sorted(state.returns()) == pytest.approx([-0.25] * 4 + [1])
    assert np.argmax(state.returns()) in state.position.result()["winners"]
    assert state.legal_actions() == [] and not any(state.legal_actions_mask())


def test_a_game_that_is_cut_off_is_worth_nothing() -> None:
    game = load(max_decisions=10)
    state = played(game.new_initial_state(), 10)
    assert state.is_terminal() and not state.position.over
    assert state.returns() == [0.0, 0.0] and game.max_game_length() == 10


def uniform(seed: int) -> Any:
    return mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=np.random.RandomState(seed))


def bots(game: Any, kind: str) -> list[Any]:
    """A bot of OpenSpiel's against its random one."""
    random = uniform_random.UniformRandomBot(1, np.random.RandomState(1))
    if kind == "random":
        return [uniform_random.UniformRandomBot(0, np.random.RandomState(0)), random]
    if kind == "mcts":
        return [mcts.MCTSBot(game, 1.0, 2, uniform(0), random_state=np.random.RandomState(0)), random]
    searcher = ismcts.ISMCTSBot(
        game, uniform(0), 1.0, 2, random_state=np.random.RandomState(0), use_observation_string=not game.deals
    )
    return [searcher, random]


@pytest.mark.slow
@pytest.mark.parametrize("deals", [0, 3])
@pytest.mark.parametrize("kind", ["random", "mcts", "ismcts"])
def test_bots_of_openspiel_play_whole_games(kind: str, deals: int) -> None:
    game = load(map="tests/openspiel/three_cities", deals=deals) if deals else load()
    players = bots(game, kind)
    state = game.new_initial_state()
    if state.is_chance_node():
        state.apply_action(0)
    while not state.is_terminal():
        state.apply_action(players[state.current_player()].step(state))
    assert state.position.over and sum(state.returns()) == pytest.approx(0)


def test_its_rl_environment_plays_it() -> None:
    env = rl_environment.Environment(load(max_decisions=30), seed=0)
    step = env.reset()
    rng = np.random.default_rng(0)
    while not step.last():
        player = step.observations["current_player"]
        step = env.step([int(rng.choice(step.observations["legal_actions"][player]))])
    assert step.rewards == [0.0, 0.0]


def test_without_openspiel_the_import_says_what_to_install() -> None:
    done = run_without(["pyspiel"], "import ttr_env.openspiel")
    told = f"ImportError: ttr_env.openspiel needs OpenSpiel: {install_command('openspiel')}"
    assert done.stderr.splitlines()[-1] == told
