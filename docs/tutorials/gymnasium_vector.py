# %% [markdown]
# # Gymnasium's vector environment
#
# One learner at each of many tables, opponents included, in one compiled call a step. Masks come in the infos.

# %%
import gymnasium
import numpy as np

import ttr_env

envs = gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=256, players=2, opponents="greedy", features="planning")
observations, infos = envs.reset(seed=7)
print(observations.shape, infos["action_mask"].shape)

# %% [markdown]
# A policy is any function from observations and masks to actions. This one knows a single thing: claiming a track,
# where that is possible, is better than drawing cards. Claims come behind all draws and all choices of tickets.

# %%
rng = np.random.default_rng(0)


def policy(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """A legal action for each table."""
    likes = np.where(np.arange(masks.shape[1]) > 42, 2.0, 1.0) + rng.random(masks.shape)
    return (likes * masks).argmax(axis=1)


# %% [markdown]
# Episodes begin anew in the step in which they end. What a game came to is in `final_info`, at the tables that ended.

# %%
totals: list[float] = []
wins: list[float] = []
while len(totals) < 500:
    observations, rewards, terminated, truncated, infos = envs.step(policy(observations, infos["action_mask"]))
    ended = terminated | truncated
    if ended.any():
        totals += infos["final_info"]["total"][ended].tolist()
        wins += (infos["final_info"]["rank"][ended] == 1).tolist()
print(f"{len(totals)} games: mean total {np.mean(totals):.0f}, {np.mean(wins):.0%} won against greedy")

# %% [markdown]
# Next: `training/examples/dqn_with_masks.py` learns at these tables, in one file. Wrappers of Gymnasium that change
# observations want `autoreset_mode="NextStep"`.

# %%
from gymnasium.wrappers.vector import RecordEpisodeStatistics

envs = RecordEpisodeStatistics(gymnasium.make_vec("ttr_env/USA-v0", num_envs=4, autoreset_mode="NextStep"))
observations, infos = envs.reset(seed=1)
