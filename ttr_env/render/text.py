"""A view as text for a terminal, about 100 characters wide, with ANSI colours or plain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ttr_env.game import words
from ttr_env.game.knowledge import View, seen_cards
from ttr_env.game.types import Result
from ttr_env.game.words import by_rank, figure, points, score_columns, size
from ttr_env.maps import Map, Track
from ttr_env.maps.model import CARDS

from .palette import CARD_STYLES, owner_style

_WIDTH = 104
_SIGNS = {"offered": "[?]", "open": "[ ]", "failed": "[-]", "done": "[x]"}


def draw(view: View, colour: bool) -> str:
    """The position in lines."""
    pen = _Pen(colour)
    lines = [*_header(view), "", *_supply(view, pen), "", *_players(view, pen), ""]
    lines += [*_routes(view, pen), "", *(_scores(view.result, pen) if view.result else _hand(view, pen)), ""]
    return "\n".join(line.rstrip() for line in lines + _tickets(view))


class _Pen:
    """Writes in colours, or plainly."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def paint(self, text: str, ground: str, ink: str) -> str:
        """The text on a coloured ground."""
        if not self.colour:
            return text
        red, green, blue = bytes.fromhex(ground[1:])
        letters = ";".join(map(str, bytes.fromhex(ink[1:])))
        return f"\x1b[48;2;{red};{green};{blue}m\x1b[38;2;{letters}m{text}\x1b[0m"

    def card(self, text: str, kind: str) -> str:
        return self.paint(text, CARD_STYLES[kind].fill, CARD_STYLES[kind].ink)

    def owner(self, text: str, owner: int | str) -> str:
        return self.paint(text, owner_style(owner).fill, owner_style(owner).mark)

    def cards(self, counts: Mapping[str, int]) -> str:
        """Counts by letter, such as `P1 W2`."""
        some = [self.card(f"{CARD_STYLES[kind].letter}{counts[kind]}", kind) for kind in CARDS if counts[kind]]
        return " ".join(some) or "none"


def _header(view: View) -> list[str]:
    title, progress = words.title(view.map, view.state), words.progress(view.state)
    lines = [title + progress.rjust(_WIDTH - len(title))]
    lines.append(words.status(view.state, view.result["winners"] if view.result else []))
    if view.last:
        lines.append(f"Last: {view.last}")
    pending = view.state["pending"]
    return [*lines, f"Waits: {words.pending_note(view.map, pending)}"] if pending else lines


def _supply(view: View, pen: _Pen) -> list[str]:
    state = view.state
    row = [pen.card(kind, kind) for kind in CARDS for _ in range(state["face_up"][kind])]
    cards = f"deck {size(state['deck'])}, used {size(state['discard'])}"
    tickets = f"tickets {size(state['ticket_pile'])}, refused {size(state['ticket_discard'])}"
    return [f"Face up: {' '.join(row) or 'none'}", f"Piles:   {cards}; {tickets}"]


def _players(view: View, pen: _Pen) -> list[str]:
    state = view.state
    columns = ["points", "trains", "cards", "tickets"] + (["tolls", "loans"] if state["tolls"] else [])
    lines = ["Players     " + "".join(f"{name:>9}" for name in columns)]
    for seat, facts in enumerate(state["seats"]):
        mark = ">" if seat == state["player"] else " "
        figures = "".join(f"{figure(facts, name):>9}" for name in columns)
        which, cards = seen_cards(facts)
        lines.append(f"{mark} {pen.owner(f'<{seat}>', seat)} player{figures}  {which} {pen.cards(cards)}")
    neutral = state["neutral"]
    if neutral is not None:
        note = words.neutral_note(view.map, neutral)
        lines.append(f"  {pen.owner('<N>', 'neutral')} neutral{neutral['trains']:>17}  {note}")
    letters = ", ".join(f"{CARD_STYLES[kind].letter} {kind}" for kind in CARDS)
    return [*lines, f"Cards: {letters}"]


def _routes(view: View, pen: _Pen) -> list[str]:
    """All routes in two columns."""
    map, tolls = view.map, view.state["tolls"]
    routes = [
        _route(map, index, view.state["owners"], tolls, pen)
        for index, partner in enumerate(map.partners)
        if partner is None or partner > index
    ]
    half = (len(routes) + 1) // 2
    lines = ["".join(routes[index::half]) for index in range(half)]
    kinds = "; T tunnel, F1 ferry with 1 locomotive" if map.rules.tunnels else ""
    return [f"Routes: {'length, toll, tracks' if tolls else 'length, tracks'}{kinds}", *lines]


def _route(map: Map, index: int, owners: Sequence[int | str | None], tolls: bool, pen: _Pen) -> str:
    """The line of a route, filled up to the width of a column."""
    track, partner = map.tracks[index], map.partners[index]
    start = f"{words.ends(map, track):<30.30} {track.length} " + (f" {track.toll} " if tolls else "")
    tracks, seen = "", len(start)
    for each in (index,) if partner is None else (index, partner):
        owner, colour = owners[each], map.tracks[each].colour
        label = colour + _kind(map.tracks[each]) if owner is None else f"<{owner_style(owner).label}>"
        tracks += " " + (pen.card(label, colour) if owner is None else pen.owner(label, owner))
        seen += 1 + len(label)
    return start + tracks + " " * (_WIDTH // 2 - seen)


def _kind(track: Track) -> str:
    return " T" if track.tunnel else f" F{track.ferry}" if track.ferry else ""


def _hand(view: View, pen: _Pen) -> list[str]:
    """The cards of the shown player; what does not fit into a line goes on below them."""
    title = f"Hand of player {view.shown}: "
    lines: list[list[str]] = [[]]
    for kind in CARDS:
        entry = f"{kind} {view.hand[kind]}"
        if len(title) + len(", ".join([*lines[-1], entry])) >= _WIDTH:
            lines.append([])
        if view.hand[kind]:
            lines[-1].append(entry)
    painted = [", ".join(pen.card(entry, entry.split()[0]) for entry in line) for line in lines if line]
    return (title + f",\n{' ' * len(title)}".join(painted or ["none"])).splitlines()


def _scores(result: Result, pen: _Pen) -> list[str]:
    names = score_columns(result)
    lines = ["Final scores" + "".join(f"{words.HEADINGS[name]:>9}" for name in names)]
    for seat in by_rank(result):
        scores = result["seats"][seat]
        figures = "".join(f"{points(scores, name):>9}" for name in names)
        lines.append(f"{scores['rank']}. {pen.owner(f'<{seat}>', seat)} player{figures}")
    return lines


def _tickets(view: View) -> list[str]:
    entries = []
    for standing in view.tickets:
        ticket = view.map.tickets[standing.ticket]
        entries.append(f"{_SIGNS[standing.how]} {words.ends(view.map, ticket)} {ticket.points}")
    signs = ", ".join(f"{sign} {standing}" for standing, sign in _SIGNS.items())
    half = (len(entries) + 1) // 2
    lines = ["".join(entry.ljust(_WIDTH // 2) for entry in entries[index::half]) for index in range(half)]
    return [f"Tickets of player {view.shown} ({signs}):", *(lines or ["none"])]
