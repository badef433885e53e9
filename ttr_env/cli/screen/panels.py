"""Parts of a screen, as Rich draws them. They show a `View`, so from a seat they show what that player knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.style import Style
from rich.table import Table
from rich.text import Text

from ttr_env.game import words
from ttr_env.game.knowledge import View, seen_cards
from ttr_env.game.types import Cards, Result
from ttr_env.game.words import Deed, by_rank, figure, points, score_columns, size
from ttr_env.maps.model import CARDS
from ttr_env.render.palette import CARD_STYLES, owner_style

TICKET_SIGNS = {"offered": "?", "open": " ", "failed": "✗", "done": "✓"}
_NAME = 16  # columns that a player's name takes at most
_HEADINGS = {"points": "pts", "trains": "train", "cards": "card", "tickets": "tick", "tolls": "toll", "loans": "loan"}


def mark(owner: int | str) -> Text:
    """The sign of a seat or the neutral player, such as <0>."""
    style = owner_style(owner)
    return Text(f"<{style.label}>", Style(color=style.mark, bgcolor=style.fill, bold=True))


def card(kind: str, text: str) -> Text:
    """Words on the ground of a card's colour."""
    style = CARD_STYLES[kind]
    return Text(f" {text} ", Style(color=style.ink, bgcolor=style.fill))


def cards(counts: Mapping[str, int]) -> Text:
    """Cards with their numbers, such as `red×3  blue`."""
    some = [card(kind, f"{kind}×{counts[kind]}" if counts[kind] > 1 else kind) for kind in CARDS if counts[kind]]
    return Text("").join(some) if some else Text("none", "dim")


def letters(counts: Mapping[str, int]) -> Text:
    """Cards in short, such as `R3 B1`."""
    some = []
    for kind in CARDS:
        style = CARD_STYLES[kind]
        if counts[kind]:
            some.append(Text(f"{style.letter}{counts[kind]}", Style(color=style.ink, bgcolor=style.fill)))
    return Text(" ").join(some) if some else Text("-", "dim")


def header(view: View) -> Text:
    """The map, the round, and what the game waits for."""
    text = Text(words.title(view.map, view.state), "bold", no_wrap=True, overflow="ellipsis")
    return text.append(f"  {words.progress(view.state)}", "not bold")


def players(view: View, names: Sequence[str], width: int) -> Table:
    """A line for each player, in so many columns."""
    state = view.state
    headings = _HEADINGS if state["tolls"] else {name: _HEADINGS[name] for name in tuple(_HEADINGS)[:4]}
    room = width - 5 - sum(len(heading) + 1 for heading in headings.values())
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("", no_wrap=True, width=4)
    table.add_column("", no_wrap=True, width=max(4, min(room, _NAME)), overflow="ellipsis")
    for heading in headings.values():
        table.add_column(heading, justify="right", no_wrap=True, width=len(heading))
    for seat, facts in enumerate(state["seats"]):
        moves = seat == state["player"]
        name = Text(names[seat], "bold" if moves else "")
        table.add_row(
            Text.assemble("▸" if moves else " ", mark(seat)), name, *(figure(facts, column) for column in headings)
        )
    if state["neutral"] is not None:
        table.add_row(Text.assemble(" ", mark("neutral")), "neutral", "", str(state["neutral"]["trains"]))
    return table


def hands(view: View) -> Text:
    """All hands in short, a line each; of a hidden one, the cards that everybody saw its player take."""
    lines = []
    for seat, facts in enumerate(view.state["seats"]):
        lines.append(Text.assemble(" ", mark(seat), " ", letters(seen_cards(facts)[1])))
    return Text("\n").join(lines)


def supply(view: View) -> Text:
    """The row and the piles."""
    state = view.state
    piles = f"deck {size(state['deck'])}, used {size(state['discard'])}, tickets {size(state['ticket_pile'])}"
    return Text.assemble(("Face up", "dim"), cards(state["face_up"]), (f"\nPiles   {piles}", "dim"))


def hand(view: View) -> Table:
    """The cards of the shown player; what does not fit into a line goes on below them."""
    row = Table.grid()
    row.add_row(Text("Hand   ", "dim"), cards(view.hand))
    return row


def pending(view: View) -> Text | None:
    """What a claim that waits for more shows: the cards that a tunnel turned up, or those laid down as a set."""
    claim = view.state["pending"]
    if claim is None:
        return None
    none: Cards = {}
    for title, shown in (("Turned up ", claim.get("turned_up", none)), ("Set    ", claim.get("chosen", none))):
        if any(shown.values()):
            return Text.assemble((title, "dim"), cards(shown))
    return None


def deed(deed: Deed, names: Sequence[str]) -> Text:
    """A line of the log."""
    return Text.assemble(mark(deed.seat), (f" {names[deed.seat]} ", "bold"), deed.text)


def scores(result: Result, names: Sequence[str]) -> Table:
    """The final scores, best first."""
    columns = score_columns(result)
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("")
    table.add_column("")
    table.add_column("final scores", no_wrap=True, overflow="ellipsis", max_width=_NAME)
    for column in columns:
        table.add_column(words.HEADINGS[column], justify="right", style="bold" if column == "total" else "")
    for seat in by_rank(result):
        line = result["seats"][seat]
        won = "bold" if seat in result["winners"] else ""
        cells = [str(points(line, column)) for column in columns]
        table.add_row(f"{line['rank']}.", mark(seat), Text(names[seat], won), *cells)
    return table


def narrow_scores(result: Result) -> Table:
    """The final scores with a column for each player, best first."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(Text("final scores", "dim"))
    for seat in by_rank(result):
        table.add_column(mark(seat), justify="right", min_width=4)
    for part in score_columns(result):
        cells = [str(points(result["seats"][seat], part)) for seat in by_rank(result)]
        table.add_row(words.HEADINGS[part], *cells, style="bold" if part == "total" else "")
    return table


def verdict(result: Result, names: Sequence[str]) -> Text:
    """Who won."""
    winners = [names[seat] for seat in result["winners"]]
    verb = "wins" if len(winners) == 1 and winners != ["you"] else "win"
    sentence = f"{' and '.join(winners)} {verb}."
    return Text(sentence[0].upper() + sentence[1:], "bold")
