"""Named tasks with reserved deals and fixed opponents, results that anybody can verify, and tables of them.

>>> from ttr_env import tasks
>>> tasks.load("mini-2p").about
'a small board for two players, on which learning shows in seconds'
"""

from ttr_env.tasks.definitions import Task, Track, load, names, tracks

__all__ = ["Task", "Track", "load", "names", "tracks"]
