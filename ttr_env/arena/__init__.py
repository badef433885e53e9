"""Agents against agents: `evaluate` lets them play, and says who is how strong. It needs no torch.

>>> from ttr_env import arena
>>> results = arena.evaluate(["greedy", "random"], games=20, seed=1)
>>> [standing.name for standing in results.standings]
['greedy', 'random']
"""

from ttr_env.arena.contest import Results, Stopped, evaluate

__all__ = ["Results", "Stopped", "evaluate"]
