"""RLlib's own check of multi-agent environments, on our adapter."""

from pathlib import Path

import gymnasium
import numpy as np
import pytest
import ray
import torch
from ray import tune
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.algorithms.ppo.ppo_catalog import PPOCatalog
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

from ttr_env import Game
from ttr_env.learning.rllib.env import RLlibEnv


@pytest.mark.parametrize("players", [2, 4])
def test_rllibs_own_check(players: int) -> None:
    check_multiagent_environments(RLlibEnv({"players": players}))


def test_the_loser_sees_the_loss() -> None:
    env = RLlibEnv({"players": 3})
    seen, _ = env.reset(seed=1)
    received = dict.fromkeys(env.possible_agents, 0.0)
    rng = np.random.default_rng(0)
    ended = False
    while not ended:
        ((mover, view),) = seen.items()
        assert view["action_mask"].dtype == np.float32
        action = int(rng.choice(np.flatnonzero(view["action_mask"])))
        seen, rewards, ends, _, infos = env.step({mover: action})
        for agent, reward in rewards.items():
            received[agent] += reward
        ended = ends["__all__"]
    assert list(seen) == env.possible_agents
    assert sorted(received.values()) == pytest.approx([-0.5, -0.5, 1.0])
    assert all("total" in infos[agent] for agent in env.possible_agents)


# RLlib's own module for masks -------------------------------------------------------------------


def masked_ppo() -> PPOConfig:
    """RLlib's example of masks, as it is, over our environment."""
    module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"head_fcnet_hiddens": [32]})
    return (
        PPOConfig()
        .environment(RLlibEnv, env_config={"players": 2, "max_decisions": 60})
        .env_runners(num_env_runners=0)
        .training(train_batch_size=120, minibatch_size=60, num_epochs=1)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **_: "shared")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": module}))
        .debugging(seed=0)
    )


@pytest.mark.slow
def test_rllibs_module_for_masks_takes_only_legal_actions_also_under_tune(tmp_path: Path) -> None:
    # "local": without it, Ray looks for a cluster, and a test beside this one may have one
    ray.init("local", num_cpus=2, include_dashboard=False, logging_level="ERROR")
    try:
        rates = tune.grid_search([1e-4, 1e-3])
        tuner = tune.Tuner(
            "PPO",
            param_space=masked_ppo().training(lr=rates),
            run_config=tune.RunConfig(stop={"training_iteration": 1}, storage_path=str(tmp_path), verbose=0),
        )
        results = tuner.fit()
    finally:
        ray.shutdown()
    assert not results.errors and len(results) == 2
    for result in results:
        # 60 decisions, of both players: an illegal action would have ended the episode before
        assert result.metrics["env_runners"]["episode_len_mean"] == 60


def test_the_single_environment_has_the_keys_of_rllibs_module() -> None:
    env = gymnasium.make("ttr_env/Nederland-v0", mask="observation", observation_key="observations")
    module = ActionMaskingTorchRLModule(
        observation_space=env.observation_space,
        action_space=env.action_space,
        model_config={"head_fcnet_hiddens": [32]},
        catalog_class=PPOCatalog,
    )
    observation, _ = env.reset(seed=1)
    seen = {name: torch.as_tensor(value, dtype=torch.float32)[None] for name, value in observation.items()}
    with torch.no_grad():
        logits = module.forward_inference({Columns.OBS: seen})[Columns.ACTION_DIST_INPUTS]
    assert observation["action_mask"][int(logits.argmax())]


def test_episodes_begin_in_positions_here_too() -> None:
    game = Game(seed=1)
    game.step(int(game.legal_actions()[0]))
    seen, _ = RLlibEnv().reset(options={"snapshot": game.snapshot()})
    assert list(seen) == [f"player_{game.player}"]
