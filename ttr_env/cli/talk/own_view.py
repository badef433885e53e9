"""What a person asks to see: tickets, the board, and what a decision did to the hand."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from rich.text import Text

from ttr_env.cli.screen import panels
from ttr_env.cli.screen.chart import Chart
from ttr_env.cli.talk.menus import trains_needed
from ttr_env.cli.talk.wording import filled, route_name
from ttr_env.game import Game
from ttr_env.maps.model import CARDS
from ttr_env.render.view import View, standings, view


def tickets(game: Game, seat: int) -> Text:
    """A player's tickets, and how far away each of them is."""
    seen = view(game, seat)
    held: list[int] = seen.state["seats"][seat]["tickets"]
    needs = dict(zip(held, trains_needed(game, seat), strict=True))
    lines = []
    for standing, ticket in standings(seen, seat):
        facts, need = game.map.tickets[ticket], needs.get(ticket)
        note = standing
        if standing == "open":
            note = "out of reach" if need is None else f"{need} trains away"
        sign = panels.TICKET_SIGNS[standing]
        lines.append(Text(f" [{sign}] {route_name(game.map, facts):<34} {facts.points:>2} points  {note}"))
    return Text("\n").join(lines) if lines else Text("no tickets yet", "dim")


def in_short(game: Game, seat: int, width: int) -> Text | None:
    """A player's open tickets, as many in a line as fit, each with its points and the trains that it still needs."""
    held: list[int] = game.information_state(seat)["seats"][seat]["tickets"]
    wanted = []
    for ticket, need in zip(held, trains_needed(game, seat), strict=True):
        if need != 0:
            facts, far = game.map.tickets[ticket], "lost" if need is None else f"{need} to go"
            wanted.append(f"{route_name(game.map, facts)} +{facts.points} ({far})")
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


def gained(before: Game, after: Game, seat: int) -> Text:
    """The cards that a player has more of afterwards."""
    hands = [game.information_state(seat)["seats"][seat]["hand"] for game in (before, after)]
    return panels.cards({card: max(0, hands[1][card] - hands[0][card]) for card in CARDS})
