"""What a person asks to see: tickets, the board, and what a decision did to the hand."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from rich.text import Text

from ttr_env.cli.screen import panels
from ttr_env.cli.screen.chart import Chart
from ttr_env.game.knowledge import View
from ttr_env.game.words import route_name
from ttr_env.maps.model import CARDS


def tickets(seen: View) -> Text:
    """The shown player's tickets, and how far away each of them is."""
    lines = []
    for standing in seen.tickets:
        ticket, note = seen.map.tickets[standing.ticket], standing.how
        if note == "open":
            note = "out of reach" if standing.trains is None else f"{standing.trains} trains away"
        sign = panels.TICKET_SIGNS[standing.how]
        lines.append(Text(f" [{sign}] {route_name(seen.map, ticket):<34} {ticket.points:>2} points  {note}"))
    return Text("\n").join(lines) if lines else Text("no tickets yet", "dim")


def in_short(seen: View, width: int) -> Text | None:
    """The open tickets, as many in a line as fit, each with its points and the trains that it still needs."""
    wanted = []
    for standing in seen.tickets:
        if standing.how == "open":
            ticket, far = (
                seen.map.tickets[standing.ticket],
                "lost" if standing.trains is None else f"{standing.trains} to go",
            )
            wanted.append(f"{route_name(seen.map, ticket)} +{ticket.points} ({far})")
    title = "Tickets "
    lines = filled(wanted, width - len(title))
    return Text.assemble((title, "dim"), f"\n{' ' * len(title)}".join(lines)) if lines else None


def board(seen: View, names: Sequence[str]) -> Group:
    """The map, and below it who owns what."""
    owned: dict[int | str, list[str]] = {}
    for track, owner in zip(seen.map.tracks, seen.state["owners"], strict=True):
        if owner is not None:
            owned.setdefault(owner, []).append(f"{route_name(seen.map, track)} {track.length}")
    lines = []
    for owner in sorted(owned, key=str):
        name = "neutral" if isinstance(owner, str) else names[owner]
        lines.append(Text.assemble(panels.mark(owner), (f" {name}: ", "bold"), "; ".join(owned[owner])))
    free = Text("· free track, in its colour", "dim")
    return Group(Chart(seen.map, seen.state["owners"], seen.latest), free, *lines)


def gained(before: View, after: View) -> Text:
    """The cards that the shown player has more of afterwards."""
    return panels.cards({card: max(0, after.hand[card] - before.hand[card]) for card in CARDS})


def filled(items: Sequence[str], width: int) -> list[str]:
    """Items in lines of at most this width, none of them broken in two.

    >>> filled(["one", "two", "three"], 9)
    ['one; two;', 'three']
    """
    lines: list[str] = []
    for number, item in enumerate(items, start=1):
        ended = item + ";" * (number < len(items))
        if lines and len(lines[-1]) + 1 + len(ended) <= width:
            lines[-1] += f" {ended}"
        else:
            lines.append(ended)
    return lines
