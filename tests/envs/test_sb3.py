"""The single-agent environment with Stable-Baselines3 and sb3-contrib as they are."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from tests.helpers.variants import EVERYWHERE, variant_name

ID = "ttr_env/Nederland-v0"


@pytest.mark.parametrize("features", ["base", "actions"])
@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_sb3_checker(options: dict, features: str) -> None:
    check_env(gymnasium.make(ID, **options, features=features).unwrapped)


def masked_envs() -> VecEnv:
    return DummyVecEnv([lambda: Monitor(gymnasium.make(ID, players=2))] * 2)


def test_masks_are_found_through_wrappers() -> None:
    envs = masked_envs()
    envs.reset()
    assert is_masking_supported(envs)
    masks = get_action_masks(envs)
    assert masks.shape == (2, envs.action_space.n) and masks.dtype == np.bool_ and masks.any(axis=1).all()


class LegalOnly(gymnasium.Wrapper):
    """Fails on the first illegal action."""

    def step(self, action):
        assert self.get_wrapper_attr("action_masks")()[action]
        return super().step(action)


@pytest.mark.slow
def test_maskable_ppo_takes_only_legal_actions_at_full_width() -> None:
    envs = DummyVecEnv([lambda: LegalOnly(gymnasium.make(ID, players=2, reward="dense"))] * 4)
    model = MaskablePPO("MlpPolicy", envs, n_steps=128, batch_size=128, n_epochs=2, seed=0, device="cpu")
    model.learn(1024)
    observations = envs.reset()
    for _ in range(100):
        actions, _ = model.predict(observations, action_masks=get_action_masks(envs))
        observations, *_ = envs.step(actions)


ALGORITHMS: dict[str, tuple[type[Any], dict[str, Any]]] = {
    "PPO": (PPO, {"n_steps": 128, "batch_size": 128, "n_epochs": 1}),
    "A2C": (A2C, {"n_steps": 64}),
    "DQN": (DQN, {"learning_starts": 50, "buffer_size": 1000, "train_freq": 16}),
}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_algorithms_without_masks_play_whole_games_where_illegal_actions_are_replaced(name: str) -> None:
    kind, options = ALGORITHMS[name]
    envs = DummyVecEnv([lambda: Monitor(gymnasium.make(ID, players=2, illegal="replace", features="planning"))])
    model = kind("MlpPolicy", envs, seed=0, device="cpu", policy_kwargs={"net_arch": [16]}, **options)
    model.learn(256)
    assert np.mean([episode["l"] for episode in model.ep_info_buffer]) > 20  # with illegal="end" it is about 1


def test_the_mask_in_the_observation_fits_policies_for_dictionaries() -> None:
    envs = DummyVecEnv([lambda: gymnasium.make(ID, players=2, mask="observation")])
    model = MaskablePPO("MultiInputPolicy", envs, n_steps=32, batch_size=32, n_epochs=1, seed=0, device="cpu")
    model.learn(32)
    assert set(envs.reset()) == {"observation", "action_mask"}
