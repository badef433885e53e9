"""The arena on the screen: a bar while agents play, and tables of what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ttr_env.arena.contest import Results, Stopped, evaluate
from ttr_env.arena.matchups import comparable, worth_telling
from ttr_env.arena.waiting import bar
from ttr_env.engine.scoring import PARTS
from ttr_env.options import MapLike

if TYPE_CHECKING:
    from ttr_env.arena.ratings import Standing

_TOLD = ("total", "start")  # in the standings; the same for all, as every deal is played from every seat
_NOTHING = 1e-6  # an error of rounding
_SHORT = {  # headings of parts of the score; the others go by their name
    "tickets": "won",
    "tickets_failed": "lost",
    "toll_bonus": "tolls",
    "longest_path": "path",
    "most_tickets": "most",
    "completed": "tickets",
}


def evaluate_with_bar(
    console: Console, agents: Sequence[str], against: Sequence[str], map: MapLike, **options: Any
) -> Results:
    """What `evaluate` gives, with a bar while games are played; Ctrl-C ends them early."""
    with bar(console, "games") as show:
        try:
            return evaluate(agents, against, map, progress=show, **options)
        except Stopped as stopped:
            console.print("Stopped; here is what has been played.")
            return stopped.results
        except KeyboardInterrupt as error:
            raise ValueError("no deal was played from every seat, so there is nothing to report") from error


def print_results(results: Results, console: Console) -> None:
    """How every agent did against each other one, where its points came from, and who is how strong."""
    _print_matchups(results, console)
    _print_means(results, console)
    _print_standings(results, console)
    _print_pairs(results, console)
    _print_replies(results, console)


def _print_matchups(results: Results, console: Console) -> None:
    table = _table("Wins against each opponent", ("agent", "against", "games", "wins", "95 % interval", "total"))
    found = worth_telling(results.matchups)
    for each in found:
        table.add_row(
            told(each.agent),
            Text(", ".join(map(short, each.against)) or "itself"),
            f"{each.games:,}",
            f"{each.win_rate:.1%}",
            _interval(each.interval),
            f"{each.total:.1f}",
        )
    players = found[0].players
    even = f" Equals would win {found[0].even:.1%} each." if players > 2 else ""
    table.caption = f"{players} players; every deal is played from every seat, and intervals are over deals.{even}"
    console.print(table)


def _print_standings(results: Results, console: Console) -> None:
    """Who is how strong, where win rates can be compared: not those of agents that met different ones."""
    peers = comparable(results.tables, results.tables[0].names[0])
    if len(peers) < 2:
        return
    table = _table("Standings", ("agent", "games", "wins", "95 % interval", "total", "rating"))
    for standing in results.standings:
        if standing.name in peers:
            table.add_row(
                told(standing.name),
                f"{standing.games:,}",
                f"{standing.win_rate:.1%}",
                _interval(standing.interval),
                f"{standing.means['total']:.1f}",
                _rating(standing, results.pairs.get(standing.name, {})),
            )
    table.caption = "Ratings: 400 points are odds of ten to one; ± is one standard error, over deals."
    console.print(table)


def _print_means(results: Results, console: Console) -> None:
    """Where the points came from; parts that nobody has are left out."""
    ranked = results.standings
    parts = [part for part in PARTS if part not in _TOLD and any(standing.means[part] for standing in ranked)]
    table = _table("Means a game", ("agent", *(_SHORT.get(part, part) for part in parts), "decisions"))
    for standing in ranked:
        means = (f"{standing.means[part]:.1f}" for part in parts)
        table.add_row(told(standing.name), *means, f"{standing.decisions:.0f}")
    console.print(table)


def _print_pairs(results: Results, console: Console) -> None:
    """Who finished ahead of whom, among more than two who met each other."""
    if len(comparable(results.tables, results.tables[0].names[0])) <= 2:
        return
    names = [standing.name for standing in results.standings]
    table = _table("Who finishes ahead of whom", ("agent", *map(told, names)))
    for name in names:
        table.add_row(told(name), *(_share(results.pairs.get(name, {}).get(other)) for other in names))
    console.print(table)


def _print_replies(results: Results, console: Console) -> None:
    """How well models could be understood, where any played."""
    if not results.replies:
        return
    table = _table("Replies", ("agent", "replies", "unreadable", "fallbacks", "cut short"))
    for name, tally in results.replies.items():
        table.add_row(
            told(name), f"{tally.replies:,}", f"{tally.rate:.1%}", f"{tally.fallbacks:,}", f"{tally.cut_short:,}"
        )
    console.print(table)


def _table(title: str, headings: Sequence[str | Text]) -> Table:
    table = Table(title=title)
    for heading in headings:
        table.add_column(heading, justify="left" if heading in ("agent", "against") else "right")
    return table


def told(name: str) -> Text:
    """An agent's name in a table on the screen, where brackets in it are no markup."""
    return Text(short(name))


def short(name: str) -> str:
    """An agent's name in a table: of a long path, the end, and nothing that would steer a terminal.

    >>> short("policy:/home/me/projects/trains/runs/mine/policy.npz")
    'policy:…/mine/policy.npz'
    """
    kind, found, path = name.partition(":")
    parts = path.split("/")
    return printable(f"{kind}:…/{'/'.join(parts[-2:])}" if found and len(parts) > 3 else name)


def printable(text: str) -> str:
    """A text with a question mark for each character that cannot be seen.

    >>> printable("plan" + chr(27) + "[2Jner")
    'plan?[2Jner'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _rating(standing: Standing, met: dict[str, list[int]]) -> str:
    """A rating with its error; nobody knows how far those who won, or lost, every game are from the others.

    Where all deals came out alike they say nothing of how far the rating may be off.
    """
    wins, level, losses = (sum(counts) for counts in zip(*met.values(), strict=True)) if met else (0, 0, 0)
    if not level and not (wins and losses):
        return f"beyond {standing.rating:+.0f}"
    unknown = standing.rating_error is None or standing.rating_error < _NOTHING
    error = "?" if unknown else f"{standing.rating_error:.0f}"
    return f"{standing.rating:+.0f} ± {error}"


def _interval(interval: tuple[float, float]) -> str:
    """An interval of shares in per cent."""
    low, high = interval
    return f"{100 * low:.1f} to {100 * high:.1f}"


def _share(tally: list[int] | None) -> str:
    return f"{ahead(tally):.1%}" if tally else ""


def ahead(tally: Sequence[int]) -> float:
    """The share of games in which one finished ahead of another, level counted half.

    >>> ahead([6, 2, 2])
    0.7
    """
    wins, level, losses = tally
    return (wins + level / 2) / (wins + level + losses)
