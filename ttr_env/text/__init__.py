"""The game in words: rules, positions and actions as text, and replies read back into actions.

>>> from ttr_env import Game, text
>>> game = Game("nederland", players=2, seed=7)
>>> game.step(text.parse(game, "keep all"))
>>> game.step(text.parse(game, "keep all"))
>>> text.to_text(game, 2)
'Take a white card'
>>> text.parse(game, "I take a WHITE card.")
2
"""

from ttr_env.errors import UnreadableReply
from ttr_env.text.parsing import parse
from ttr_env.text.position import as_json, legal, position, to_text
from ttr_env.text.prompts import Task, prompt, retry
from ttr_env.text.replies import steps
from ttr_env.text.rules import rules
from ttr_env.text.tally import Tally

__all__ = [
    "Tally",
    "Task",
    "UnreadableReply",
    "as_json",
    "legal",
    "parse",
    "position",
    "prompt",
    "retry",
    "rules",
    "steps",
    "to_text",
]
