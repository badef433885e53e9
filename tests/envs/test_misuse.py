"""What is no action, and a seat that does not exist, are refused by every environment alike."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import ttr_env
from ttr_env.errors import IllegalActionType

ID = "ttr_env/Nederland-v0"
NO_NUMBERS = [3.0, 18.7, np.float32(18), "18", None, [18], True]


@pytest.mark.parametrize("action", NO_NUMBERS)
@pytest.mark.parametrize("illegal", ["end", "replace"])
def test_what_is_no_whole_number_is_refused_and_the_episode_stays(action: Any, illegal: str) -> None:
    env: Any = gymnasium.make(ID, illegal=illegal).unwrapped
    _, info = env.reset(seed=1)
    before = env.game.snapshot()
    with pytest.raises(IllegalActionType) as refused:
        env.step(action)
    assert env.game.snapshot() == before
    assert not env.step(int(info["action_mask"].argmax()))[4]["illegal_action"]
    with pytest.raises(IllegalActionType) as by_the_game:
        ttr_env.Game(seed=1).step(action)
    assert str(refused.value) == str(by_the_game.value)
    assert "game.index() gives the number of a described action" in str(refused.value)


@pytest.mark.parametrize("action", NO_NUMBERS)
def test_so_it_is_by_the_turn_based_environment(action: Any) -> None:
    env = ttr_env.raw_env()
    env.reset(seed=1)
    before = env.game.snapshot()
    with pytest.raises(IllegalActionType):
        env.step(action)
    assert env.game.snapshot() == before


@pytest.mark.parametrize("actions", [[3.0, 3.0], [18.5, 18], ["18", "18"], [None, None], [True, False]])
def test_so_it_is_by_the_vector_environment(actions: list[Any]) -> None:
    envs: Any = gymnasium.make_vec(ID, num_envs=2).unwrapped
    envs.reset(seed=1)
    before = [envs.game(row).snapshot() for row in range(2)]
    with pytest.raises(ValueError, match="2 whole numbers are needed"):
        envs.step(np.array(actions))
    assert [envs.game(row).snapshot() for row in range(2)] == before


@pytest.mark.needs("ray")
def test_so_it_is_by_the_environment_of_rllib() -> None:
    from ttr_env.learning.rllib.env import RLlibEnv

    env = RLlibEnv()
    env.reset(seed=1)
    with pytest.raises(IllegalActionType):
        env.step({"player_0": 18.7})
    seen, *_ = env.step({"player_0": np.array(18)})
    assert seen
    env.close()
    with pytest.raises(gymnasium.error.ClosedEnvironmentError):
        env.step(dict.fromkeys(env.possible_agents, 18))


MAKERS = {
    "single": lambda **options: gymnasium.make(ID, **options),
    "aec": ttr_env.env,
    "raw aec": ttr_env.raw_env,
    "parallel": ttr_env.parallel_env,
}


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize(
    ("perspective", "error", "message"),
    [
        (7, ValueError, "perspective: the seats are 0 to 2, not 7"),
        (-1, ValueError, "perspective: the seats are 0 to 2, not -1"),
        ("me", ValueError, "perspective: a seat, or None"),
        (0.5, TypeError, "perspective: a whole number is needed"),
    ],
)
@pytest.mark.parametrize("mode", [None, "ansi"])
def test_a_perspective_of_nobody_is_refused_at_once(
    name: str, perspective: Any, error: type[Exception], message: str, mode: str | None
) -> None:
    with pytest.raises(error, match=message):
        MAKERS[name](players=3, render_mode=mode, perspective=perspective)
