"""What the numbers of tasks are measured by, found from results of the public opponents: written to `references.json`.

Usage: `python -m ttr_env.tasks.references FOLDER`; rating and normalised score of all results there follow.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ttr_env.arena.ratings import fit
from ttr_env.tasks import definitions, results
from ttr_env.tasks.definitions import ANCHOR, LOWEST, PUBLIC
from ttr_env.tasks.figures import measured
from ttr_env.tasks.leaderboard import found_in
from ttr_env.tasks.results import Result

FILE = Path(__file__).with_name("references.json")


def references(told: Iterable[Result]) -> dict[str, Any]:
    """The references of each task for which there is a result of every public opponent."""
    by_task: dict[str, dict[str, Result]] = {}
    for result in told:
        if result.terms.agent in PUBLIC:
            by_task.setdefault(result.terms.task, {})[result.terms.agent] = result
    return {task: _of_task(found) for task, found in by_task.items() if set(found) == set(PUBLIC)}


def _of_task(found: dict[str, Result]) -> dict[str, Any]:
    wins = np.zeros((len(PUBLIC), len(PUBLIC)))
    for agent, result in found.items():
        for table in result.figures["tables"]:
            if table["against"] in PUBLIC:
                one, other = PUBLIC.index(agent), PUBLIC.index(table["against"])
                wins[one, other] += table["ahead"] * table["games"]
                wins[other, one] += (1 - table["ahead"]) * table["games"]
    ratings = fit(wins)
    ratings += 1000 - ratings[PUBLIC.index(ANCHOR)]
    shares = {name: found[name].figures["public"]["win_share"] for name in (LOWEST, ANCHOR)}
    return {"ratings": dict(zip(PUBLIC, np.round(ratings, 3).tolist(), strict=True)), "shares": shares}


def main(arguments: Sequence[str]) -> None:
    """Find the references, write them, and bring the results up to date."""
    [folder] = arguments
    files = found_in(Path(folder))
    FILE.write_text(json.dumps(references(files.values()), indent=1) + "\n", encoding="utf-8")
    for file, result in files.items():
        task = definitions.load(result.terms.task)
        results.write(replace(result, figures=measured(result.figures, task, result.terms.agent)), file)


if __name__ == "__main__":
    main(sys.argv[1:])
