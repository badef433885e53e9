# %% [markdown]
# # Stable-Baselines3
#
# `MaskablePPO` of sb3-contrib learns against a bot, is saved, and plays in the arena.

# %%
from sb3_contrib import MaskablePPO

from ttr_env.learning.sb3 import LearnerVecEnv

# %% [markdown]
# `LearnerVecEnv` plays many games in one compiled step. Opponents are drawn for every game, by these weights.

# %%
env = LearnerVecEnv(games=64, opponents={"random": 1.0, "greedy": 1.0}, players=2, features="planning", seed=0)
model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=512, learning_rate=1e-3, seed=0, device="cpu")
model.learn(2 * 64 * 32)

# %% [markdown]
# A saved model is an agent: `sb3:FILE`. Opening one runs code that is in it, so open only your own.

# %%
model.save("model.zip")

from ttr_env import Game, agents

game = agents.play(Game("nederland", players=2, seed=7), ["sb3:model.zip", "random"])
print([seat["total"] for seat in game.result()["seats"]])

# %% [markdown]
# Two updates teach little. `ttr evaluate --agents sb3:model.zip --against random greedy` says how much; `ttr train`
# trains for minutes, with a league, checkpoints and evaluation.
