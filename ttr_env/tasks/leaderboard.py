"""Results side by side: as Markdown, and as a page with plots that needs nothing beside itself."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ttr_env.arena.showing import short
from ttr_env.tasks import definitions, results
from ttr_env.tasks.figures import told_rating
from ttr_env.tasks.results import ENDING, Result

HEADINGS = (
    "agent", "track", "budget", "deals", "wins", "95 %", "held-out", "total", "rating", "normalised", "best response",
    "search",
)  # fmt: skip
_MARKUP = re.compile(r"[\\`*_\[\]<>|&~$]")
_LEFT = 2  # columns of words; the others are numbers

NOTE = (
    "Wins: share of wins against the public opponents, with its interval of 95 % over deals; held-out: against those "
    f"that no training has met. Total: mean points. Rating: {definitions.ANCHOR} has 1000, and 400 points are odds of "
    f"ten to one. Normalised: {definitions.LOWEST} has 0, {definitions.ANCHOR} 100. Best response, search: what was "
    "won against the agent by a network that was trained against it alone, and by a search that knows it."
)


def found_in(folder: Path) -> dict[Path, Result]:
    """All results in a folder and those below it, by file, with their games or without; a folder without is refused."""
    files = sorted([*folder.rglob(f"*{ENDING}"), *folder.rglob("*.json")])
    if not files:
        raise ValueError(f"{folder} has no results: files NAME{ENDING} or NAME.json")
    return {file: _read(file) for file in files}


def _read(file: Path) -> Result:
    result = results.read(file)
    fault = _fault(result) if _is_present(result) else None
    if fault:
        raise ValueError(f"{file} is no result that can be compared: {fault}")
    return result


def _is_present(result: Result) -> bool:
    """Whether it is of the task's present version."""
    return definitions.load(result.terms.task).version == result.terms.version


def _fault(result: Result) -> str | None:
    """What is not so in a result, as far as can be seen without its games."""
    if result.complete and result.games != result.terms.games:
        return f"it says that it is complete, and has {result.games:,} of {result.terms.games:,} games"
    return result.terms.fault()


def is_compared(result: Result) -> bool:
    """Whether a result stands in a table: a whole test against the public opponents, of the task's present version."""
    return bool(result.complete and result.figures["public"] and _is_present(result))


def by_task(found: Iterable[Result]) -> dict[str, list[Result]]:
    """Results by task in the order of the tasks, the best first; only those that are compared."""
    order: dict[str, list[Result]] = {name: [] for name in definitions.names()}
    for result in filter(is_compared, found):
        order[result.terms.task].append(result)
    return {name: sorted(told, key=_strength, reverse=True) for name, told in order.items() if told}


def _strength(result: Result) -> tuple[float, float]:
    public = result.figures["public"]
    return public.get("rating", float("-inf")), public["win_share"]


def markdown(found: Iterable[Result]) -> str:
    """A table for each task.

    >>> markdown([]).startswith("Wins: share of wins")
    True
    """
    parts = [NOTE]
    for name, told in by_task(found).items():
        lines = [HEADINGS, ("---",) * _LEFT + ("---:",) * (len(HEADINGS) - _LEFT), *map(_escaped, told)]
        parts.append(f"### {name}\n\n{_about(name)}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines))
    return "\n\n".join(parts) + "\n"


def _escaped(result: Result) -> list[str]:
    """A row whose letters mean nothing in Markdown, so that a name makes neither columns nor markup."""
    return [_MARKUP.sub(r"\\\g<0>", cell) for cell in row(result)]


def _about(name: str) -> str:
    task = definitions.load(name)
    return f"{task.about[0].upper()}{task.about[1:]}; version {task.version}, {task.deals:,} deals."


def row(result: Result) -> tuple[str, ...]:
    """A result as a row of the table; what it does not say is left empty."""
    terms, public, held_out = result.terms, result.figures["public"], result.figures["held_out"]
    return (
        short(terms.agent),
        terms.track or "",
        f"{terms.budget:,}" if terms.budget else "",
        f"{terms.deals:,}",
        f"{public['win_share']:.1%}",
        _interval(public["interval"]),
        f"{held_out['win_share']:.1%}" if held_out else "",
        f"{public['mean_total']:.1f}",
        told_rating(public, terms.agent) if "rating" in public else "",
        f"{public['normalised']:.1f}" if "normalised" in public else "",
        *(_beaten((terms.beaten or {}).get(by)) for by in ("best_response", "search")),
    )


def _beaten(match: dict[str, Any] | None) -> str:
    return f"{match['win_share']:.1%} ({_interval(match['interval'])})" if match else ""


def _interval(ends: Sequence[float]) -> str:
    return f"{100 * ends[0]:.1f} to {100 * ends[1]:.1f}"


def page(found: Iterable[Result]) -> str:
    """The same tables as a page, each with a plot of the shares of wins."""
    from ttr_env.tasks.drawing import draw  # here, since it needs an extra

    sections = [
        f"<section><h2>{html.escape(name)}</h2><p>{html.escape(_about(name))}</p>{_table(told)}{draw(told)}</section>"
        for name, told in by_task(found).items()
    ]
    return _PAGE.format(note=html.escape(NOTE), sections="\n".join(sections))


def _table(told: Sequence[Result]) -> str:
    heads = "".join(f'<th scope="col">{html.escape(heading)}</th>' for heading in HEADINGS)
    rows = "".join(f"<tr>{''.join(_cells(row(result)))}</tr>" for result in told)
    return f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'


def _cells(cells: Sequence[Any]) -> list[str]:
    first, *others = (html.escape(str(cell)) for cell in cells)
    return [f'<th scope="row">{first}</th>', *(f"<td>{cell}</td>" for cell in others)]


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ttr-bench</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; color: #1d2a35; background: #fff; max-width: 84rem; margin: 0 auto;
  padding: 1rem; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ padding: 0.25rem 0.6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #dde3e8; }}
th[scope=row], th:first-child {{ text-align: left; }}
svg {{ max-width: 100%; height: auto; }}
</style>
</head>
<body>
<h1>ttr-bench</h1>
<p>{note}</p>
{sections}
</body>
</html>
"""
