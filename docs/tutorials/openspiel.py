# %% [markdown]
# # OpenSpiel
#
# `import ttr_env.openspiel` registers the game, and OpenSpiel's algorithms that are written in Python play it.

# %%
import numpy as np
import pyspiel
from open_spiel.python.algorithms import evaluate_bots
from open_spiel.python.bots import uniform_random

import ttr_env.openspiel

game = pyspiel.load_game("ttr(map=nederland,players=2,rng_seed=7)")
state = game.new_initial_state()
for action in state.legal_actions()[:3]:
    print(action, state.action_to_string(action))

# %%
bots = [uniform_random.UniformRandomBot(seat, np.random.RandomState(seat)) for seat in range(2)]
print(evaluate_bots.evaluate_bots(state, bots, np.random))

# %% [markdown]
# Agents of ours play in a state, too: its `position` is a `Game`, with the same numbers of actions.

# %%
from ttr_env import agents

state = game.new_initial_state()
planner, rng = agents.make("planner"), np.random.default_rng(0)
while not state.is_terminal():
    if state.current_player() == 0:
        action = planner.act(state.position)
    else:
        action = int(rng.choice(state.legal_actions()))
    state.apply_action(action)
print(state.returns())
