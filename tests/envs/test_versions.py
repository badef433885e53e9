"""The four modules that PettingZoo would call `..._v0`: alike, each with its map."""

import inspect
import itertools
import pickle
from types import ModuleType
from typing import Any

import pytest
from pettingzoo.test import parallel_api_test

import ttr_env
from ttr_env import maps, mini_v0, nederland_v0, nordic_v0, usa_v0
from ttr_env.engine.numbering import numbering

MODULES = {"mini": mini_v0, "nederland": nederland_v0, "nordic": nordic_v0, "usa": usa_v0}
every_module = pytest.mark.parametrize(("board", "module"), MODULES.items())


def most(board: str) -> int:
    """Three players, or as many as can play there."""
    return min(3, maps.load(board).rules.players[1])


@every_module
def test_a_module_has_its_map(board: str, module: ModuleType) -> None:
    players = most(board)
    for env in (module.env(players=players), module.raw_env(players=players), module.parallel_env(players=players)):
        env.reset(seed=1)
        assert env.unwrapped.game.snapshot() == ttr_env.Game(board, players=players, seed=1).snapshot()
        assert env.unwrapped.metadata["name"] == module.raw_env.metadata["name"] == f"{board}_v0"


@every_module
@pytest.mark.parametrize("kind", ["env", "raw_env", "parallel_env"])
def test_the_map_is_fixed(board: str, module: ModuleType, kind: str) -> None:
    for wanted in ("usa", "nordic", board):
        with pytest.raises(TypeError, match=rf"^map: it is fixed here, to {board}; ttr_env.env\(map=...\)"):
            getattr(module, kind)(map=wanted)


@every_module
def test_raw_env_is_a_class_of_its_own(board: str, module: ModuleType) -> None:
    env = module.raw_env()
    assert isinstance(env, module.raw_env) and isinstance(env, ttr_env.raw_env)
    assert not any(isinstance(env, other.raw_env) for other in MODULES.values() if other is not module)
    assert isinstance(module.env().unwrapped, module.raw_env)


@every_module
@pytest.mark.parametrize("kind", ["env", "raw_env"])
def test_copies_by_pickle_play_on(board: str, module: ModuleType, kind: str) -> None:
    env: Any = getattr(module, kind)(players=2)
    env.reset(seed=1)
    other = pickle.loads(pickle.dumps(env))
    assert isinstance(other.unwrapped, module.raw_env)
    for each in (env, other):
        each.step(int(each.unwrapped.game.legal_actions()[0]))
    assert env.unwrapped.game.snapshot() == other.unwrapped.game.snapshot()


def test_a_subclass_keeps_the_map() -> None:
    class Mine(usa_v0.raw_env):
        pass

    assert Mine().metadata["name"] == "usa_v0"


# What libraries do with the modules -------------------------------------------------------------


@every_module
@pytest.mark.filterwarnings("ignore::UserWarning")  # PettingZoo's suite warns of every Dict observation
def test_pettingzoos_suite_of_parallel_environments(board: str, module: ModuleType) -> None:
    parallel_api_test(module.parallel_env(players=most(board)), num_cycles=60)


@every_module
def test_the_parallel_environment_plays_the_same_game(board: str, module: ModuleType) -> None:
    parallel, plain = module.parallel_env(players=2, reward="dense"), module.env(players=2, reward="dense")
    parallel.reset(seed=3)
    plain.reset(seed=3)
    for _ in range(40):
        mover, action = plain.agent_selection, plain.unwrapped.sample()
        plain.step(action)
        others = dict.fromkeys(parallel.agents, 0)  # what the others do does not count
        seen, rewards, _, _, infos = parallel.step(others | {mover: action})
        assert parallel.unwrapped.game == plain.unwrapped.game and rewards == plain.unwrapped.rewards
        assert infos[mover]["active_agent"] == plain.agent_selection
        assert [agent for agent in seen if seen[agent]["action_mask"].any()] == [plain.agent_selection]


@every_module
def test_who_reads_the_docstring_of_the_module_learns_the_actions(board: str, module: ModuleType) -> None:
    """PettingZoo's tutorial for language models reads it as the rules of the game."""
    told = inspect.getmodule(module.env().unwrapped).__doc__
    for _, spans in itertools.groupby(numbering(maps.load(board)), lambda span: span.kind):
        numbers = [number for span in spans for number in (span.first, span.end - 1)]
        first, last = min(numbers), max(numbers)
        assert f"\n- {first}: " in told if first == last else f"\n- {first} to {last}: " in told
