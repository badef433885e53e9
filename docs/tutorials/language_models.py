# %% [markdown]
# # Language models
#
# The game in words: what a model is shown, what it answers, and what becomes of the answer.

# %%
from ttr_env import Game, agents, llm, text

game = Game("nederland", players=2, seed=7)
print(text.rules(game)[:300])
print(text.prompt(game)[:600])

# %% [markdown]
# A reply is a sentence, and is read only if it means exactly one legal action.

# %%
print(text.parse(game, "I think I should keep all of them.\nMove: keep all"))
try:
    text.parse(game, "Take a red card")
except text.UnreadableReply as error:
    print(error.reason)

# %% [markdown]
# A model as an agent: any function from a prompt to a reply. This one stands for a call of a model.


# %%
def ask(prompt: str) -> str:
    """Takes the last of the moves that it is shown."""
    return prompt.split("Legal moves:\n")[1].splitlines()[-2].removeprefix("- ")


model = llm.TextAgent(ask, llm.Task(legal="list", scope="decision"))
game = agents.play(Game("nederland", players=2, seed=7), [model, "random"])
print([seat["total"] for seat in game.result()["seats"]], model.tally.rate)

# %% [markdown]
# Games of strong agents are text to fine-tune on: prompts and completions, one a line.

# %%
from ttr_env import data

data.write("games", ["planner", "planner"], games=2)
lines = data.to_text("games", "games.jsonl")
print(f"{lines} decisions in words")
