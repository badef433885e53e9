"""A game as a page for a browser: one file of HTML that asks nobody for anything.

Style, script and data are written into the file. Its policy lets nothing run but this one script.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from ttr_env.agents.base import Actor
from ttr_env.errors import PageError
from ttr_env.game import Game, records, words
from ttr_env.game.files import in_one_piece
from ttr_env.options import check_perspective

from .palette import SEAT_STYLES
from .svg import night
from .telling import Telling, capital, told_apart
from .thinking import Panel

_SCRIPTS = ("board.js", "chart.js", "common.js", "figures.js", "opinions.js", "scores.js", "replay.js")
_STYLES = ("base.css", "replay.css")
_SLOT = re.compile(r"<!--(\w+)-->")
_HEIGHT = 760  # pixels in a notebook

Along = Callable[[Sequence[int]], Iterable[int]]  # passes numbers on, and may show how far they have come


class Page:
    """A page; `str(page)` is its HTML, and a notebook shows it."""

    def __init__(self, html: str) -> None:
        self._html = html

    def __str__(self) -> str:
        return self._html

    def save(self, path: str | Path) -> None:
        """Write the page to a file; one that is there already stays as it was until this one is complete."""
        target = Path(path)
        try:
            with in_one_piece(target) as place:
                place.write_text(self._html, encoding="utf-8")
        except OSError as error:
            raise PageError(f"{target} cannot be written: {error.strerror or error}") from error

    def _repr_html_(self) -> str:
        frame = f'sandbox="allow-scripts allow-downloads" width="100%" height="{_HEIGHT}" frameborder="0"'
        return f'<iframe title="A game to step through" {frame} srcdoc="{html.escape(self._html)}"></iframe>'


def page_of(
    game: Game,
    players: Sequence[str],
    perspective: int | str | None = None,
    explain: Sequence[str | Actor] = (),
    along: Along = iter,
) -> Page:
    """The page of a game between players with these names.

    `along` is given the numbers of its positions, and passes them on one by one; the other arguments are those of
    `render.page`.
    """
    seat = check_perspective(perspective, game.players)
    telling, panel = Telling(seat, _given(players)), Panel([explain] if isinstance(explain, str) else explain)
    opinions: list[list[dict[str, Any]] | None] = []
    history = game.history()
    for number in along(range(len(game.actions) + 1)):
        position = next(history)
        telling.tell(position)
        if number < len(game.actions) and panel.names:
            asked = seat in (None, position.player)  # what is thought of a decision tells of the hand behind it
            opinions.append(panel.ask(position, game.actions[number]) if asked else None)
    data = _data(telling, panel, opinions, players)
    if seat is None:  # whoever has the record can look at everything
        data["record"] = {**game.record(), "agents": list(players)}
    return Page(_assembled(words.title(game.map, game.snapshot()), data))


def _given(players: Sequence[str]) -> Sequence[str]:
    """The names for the pictures, which have words of their own for those who have none."""
    return [] if list(players) == records.names({"players": len(players)}) else players


def _data(telling: Telling, panel: Panel, opinions: Sequence[Any], players: Sequence[str]) -> dict[str, Any]:
    """All that the page shows, in plain JSON types."""
    seats = [
        {"name": name, "told": capital(told), "fill": style.fill, "mark": style.mark}
        for name, told, style in zip(players, told_apart(players), SEAT_STYLES, strict=False)
    ]
    return {
        "perspective": telling.perspective,
        "seats": seats,
        "size": telling.size,
        "areas": telling.areas,
        "pieces": telling.stock.since(),
        "frames": telling.frames,
        "statuses": telling.statuses,
        "moves": telling.moves,
        "parts": telling.score_parts(),
        "scores": telling.scores,
        "agents": panel.names,
        "sentences": panel.sentences,
        "opinions": opinions,
    }


def _assembled(title: str, data: Mapping[str, Any]) -> str:
    style, script = _joined(_STYLES) + night(), _joined(_SCRIPTS)
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {
        "title": html.escape(title),
        "policy": f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        "style": f"<style>{style}</style>",
        "data": f'<script type="application/json" id="game">{_json(data)}</script>',
        "script": f"<script>{script}</script>",
    }
    return _SLOT.sub(lambda slot: parts[slot[1]], _read("replay.html"))


def _json(data: Mapping[str, Any]) -> str:
    """JSON that cannot end the element that it stands in."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("</", "<\\/").replace("<!--", "\\u003c!--")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _joined(names: Iterable[str]) -> str:
    return "\n".join(map(_read, names))


def _read(name: str) -> str:
    return (files("ttr_env.render") / "static" / name).read_text(encoding="utf-8")
