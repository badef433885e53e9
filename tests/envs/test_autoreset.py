"""What follows an episode in the vector environment, beside Gymnasium's own vector environments, and its wrappers."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers

from tests.helpers.seen import same

ID = "ttr_env/Nederland-v0"
OWN = "tests.agents.test_agents:FirstLegal"
NEXT_STEP, DISABLED = AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED


def choose(masks: np.ndarray, step: int) -> np.ndarray:
    return np.array([np.flatnonzero(mask)[step % mask.sum()] for mask in masks])


def same_infos(ours: dict[str, Any], theirs: dict[str, Any]) -> bool:
    """Whether our infos say what Gymnasium's do of the rows that these are for: after a reset of some, of these."""
    names = {name for name in theirs if not name.startswith("_")}
    return ours.keys() == names and all(
        np.array_equal(ours[name][theirs[f"_{name}"]], theirs[name][theirs[f"_{name}"]]) for name in names
    )


@pytest.mark.parametrize("mode", [NEXT_STEP, DISABLED])
@pytest.mark.parametrize(
    "options",
    [
        {"max_decisions": 40, "reward": "dense"},
        {"players": 3, "features": "actions", "max_decisions": 30},
        {"players": 3, "opponents": [OWN, "racer"], "max_decisions": 45, "reward": "dense"},
        {"opponents": "planner", "mask": "observation", "illegal": "replace", "max_decisions": 90},
    ],
    ids=str,
)
def test_equals_gymnasiums_own_vector_environment(mode: AutoresetMode, options: dict[str, Any]) -> None:
    rows = 3
    ours = gymnasium.make_vec(ID, num_envs=rows, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([lambda: gymnasium.make(ID, **options)] * rows, autoreset_mode=mode)
    one, other = (envs.reset(seed=20) for envs in (ours, theirs))
    ends = 0
    for step in range(90):
        assert same(one[0], other[0]) and same_infos(one[-1], other[-1])
        actions = choose(ours.unwrapped.action_masks(), step)
        if step % 17 == 16:
            actions[step % rows] = int((~ours.unwrapped.action_masks()[step % rows]).argmax())  # may be illegal
        one, other = (envs.step(actions.copy()) for envs in (ours, theirs))
        for mine, reference in zip(one[1:4], other[1:4], strict=True):
            assert np.allclose(mine, reference, atol=1e-6)
        ended = one[2] | one[3]
        ends += int(ended.sum())
        if mode is DISABLED and ended.any():
            one, other = (envs.reset(options={"reset_mask": ended.copy()}) for envs in (ours, theirs))
    assert ends > 3


def test_rows_that_are_over_wait_for_a_reset_where_that_is_disabled() -> None:
    envs = gymnasium.make_vec(ID, num_envs=2, autoreset_mode=DISABLED).unwrapped
    envs.reset(seed=1)
    masks = envs.action_masks()
    _, _, terminated, _, _ = envs.step(np.array([masks[0].argmax(), (~masks[1]).argmax()]))
    assert terminated.tolist() == [False, True]
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"rows \[1\] are over"):
        envs.step(envs.action_masks().argmax(axis=1))
    envs.reset(options={"reset_mask": terminated})
    assert not envs.step(envs.action_masks().argmax(axis=1))[2].any()


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, "NextStep", DISABLED])
def test_the_mode_is_told_where_wrappers_look_for_it(mode: Any) -> None:
    envs = gymnasium.make_vec(ID, num_envs=2, autoreset_mode=mode)
    assert envs.metadata["autoreset_mode"] is AutoresetMode(mode)
    assert gymnasium.make_vec(ID, num_envs=2).metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="choose one of NextStep, SameStep, Disabled"):
        gymnasium.make_vec(ID, num_envs=2, autoreset_mode="never")


def transform(envs: Any) -> Any:
    space = gymnasium.spaces.Box(-1, 1, envs.single_observation_space.shape, np.float32)
    return wrappers.TransformObservation(envs, lambda seen: 2 * seen - 1, single_observation_space=space)


OBSERVATION_WRAPPERS = {
    "normalize": wrappers.NormalizeObservation,
    "transform": transform,
    "rescale": lambda envs: wrappers.RescaleObservation(envs, np.float32(-1), np.float32(1)),
    "dtype": lambda envs: wrappers.DtypeObservation(envs, np.float64),
    "flatten": wrappers.FlattenObservation,
}


@pytest.mark.parametrize("name", OBSERVATION_WRAPPERS)
def test_gymnasiums_wrappers_of_observations(name: str) -> None:
    envs: Any = gymnasium.make_vec(ID, num_envs=3, autoreset_mode=NEXT_STEP, max_decisions=12)
    wrapped = wrappers.RecordEpisodeStatistics(OBSERVATION_WRAPPERS[name](envs))
    observations, infos = wrapped.reset(seed=1)
    ends = 0
    for _ in range(30):
        assert observations.shape == wrapped.observation_space.shape and np.isfinite(observations).all()
        observations, _, terminated, truncated, infos = wrapped.step(infos["action_mask"].argmax(axis=1))
        ended = terminated | truncated
        ends += int(ended.sum())
        if ended.any():
            assert (infos["episode"]["l"][ended] >= 4).all()
    assert ends >= 6
