# %% [markdown]
# # RLlib
#
# Every player an agent of RLlib, one policy for all of them, and RLlib's own module for action masks.

# %%
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from ttr_env.learning.rllib.env import RLlibEnv

# %% [markdown]
# The environment tells the agents that are to move what they see, with the mask beside it.

# %%
env = RLlibEnv({"players": 3})
seen, infos = env.reset(seed=7)
[(agent, told)] = seen.items()
print(agent, {name: part.shape for name, part in told.items()})

# %% [markdown]
# A game at random: whoever is asked answers.

# %%
import numpy as np

rng, ended = np.random.default_rng(0), False
while not ended:
    actions = {who: int(rng.choice(np.flatnonzero(each["action_mask"]))) for who, each in seen.items()}
    seen, rewards, terminated, truncated, infos = env.step(actions)
    ended = terminated["__all__"] or truncated["__all__"]
print(rewards)

# %% [markdown]
# A configuration that trains all seats as one policy. `config.build_algo().train()` is one update; it starts Ray, so it
# is not run here. `python -m training.rllib --config rllib` is the quick way, with runners of our own.

# %%
spec = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"head_fcnet_hiddens": [64, 64]})
config = (
    PPOConfig()
    .environment(RLlibEnv, env_config={"players": 3})
    .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **_: "shared")
    .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": spec}))
    .training(train_batch_size_per_learner=512, minibatch_size=128)
)
config.validate()
