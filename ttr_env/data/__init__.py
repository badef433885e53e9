"""Games to learn from: data sets of records, and the arrays that are replayed from them.

>>> from tempfile import TemporaryDirectory
>>> from ttr_env import data
>>> with TemporaryDirectory() as folder:
...     told = data.write(folder, ["planner", "greedy"], games=4)
...     for decisions in data.load(folder, "planning", batch_size=64):
...         shape = decisions.observations.shape
...         break
>>> told.games, shape
(4, (64, 1407))
"""

from ttr_env.data.exporting import to_minari, to_parquet, to_text
from ttr_env.data.loading import Dataset, Decisions, load
from ttr_env.data.manifest import SEEDS, Manifest
from ttr_env.data.writing import write

__all__ = [
    "SEEDS",
    "Dataset",
    "Decisions",
    "Manifest",
    "load",
    "to_minari",
    "to_parquet",
    "to_text",
    "write",
]
