# %% [markdown]
# # A map of your own
#
# A board is a folder with three tables and a page of numbers. The quickest way to a new one is to make it from a seed.

# %%
from pathlib import Path

from ttr_env import Game, MapError, agents, maps

board = maps.generate(7, cities=12)
print(board.title, len(board.cities), len(board.tracks), len(board.tickets))
board.save("my-board")
print(sorted(file.name for file in Path("my-board").iterdir()))

# %% [markdown]
# Change what you like in the files. What is wrong is named by file, line and field.

# %%
tickets = Path("my-board", "tickets.csv")
whole = tickets.read_text()
tickets.write_text(whole + "Atlantis,Lemuria,9\n")
try:
    maps.load(Path("my-board"))
except MapError as error:
    print(error)
tickets.write_text(whole)

# %% [markdown]
# A map goes wherever a name goes: games, batches, environments, agents, the arena.

# %%
game = agents.play(Game(Path("my-board"), players=2, seed=1), ["planner", "greedy"])
print([seat["total"] for seat in game.result()["seats"]])

# %%
import gymnasium

import ttr_env

env = gymnasium.make("ttr_env/Nederland-v0", map=Path("my-board"), opponents="racer")
observation, info = env.reset(seed=1)
print(observation.shape, int(info["action_mask"].sum()))
