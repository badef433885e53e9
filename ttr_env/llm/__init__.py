"""Language models at the table: an agent that asks one, and games for what trains them.

>>> from ttr_env import Game, agents, llm
>>> model = llm.TextAgent(lambda prompt: "Draw tickets" if "- Draw tickets" in prompt else "anything")
>>> game = agents.play(Game("nederland", players=2, seed=7), [model, "random"])
>>> model.tally.unreadable > 0
True
"""

from ttr_env.llm.agent import TextAgent
from ttr_env.llm.episode import Episode
from ttr_env.llm.trl import TicketToRide
from ttr_env.text import Tally, Task

__all__ = ["Episode", "Tally", "Task", "TextAgent", "TicketToRide"]
