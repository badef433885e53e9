"""Writes the tables of the documentation, and `configs/base.yaml`, from the code: `python -m docs.generate`.

A table stands between `<!-- NAME -->` and `<!-- end -->` in a page; a test checks that none is out of date.
"""

from __future__ import annotations

import re
from pathlib import Path

from docs import base_config
from ttr_env import maps
from ttr_env.engine import layout, slices
from ttr_env.engine.board import special_actions
from ttr_env.game import actions, observation
from ttr_env.maps.model import CARDS

PAGES = {name: Path(__file__).parent / f"{name}.md" for name in ("nederland", "nordic", "usa")}  # by map


def observation_table(name: str) -> str:
    """Every slice of the observation vector."""
    board = maps.load(name)
    places = observation.layout(board, "planning", tolls_visible=True)
    rows = ["| slice | entries | from | meaning | features |", "|---|---|---|---|---|"]
    for part, place in places.items():
        features = "base" if part in slices.BASE else "planning" if part in slices.PLANNING else "tolls_visible"
        start = place.start if features != "tolls_visible" else "the end"
        rows.append(f"| `{part}` | {place.stop - place.start} | {start} | {slices.MEANINGS[part]} | {features} |")
    base, planning = observation.size(board), observation.size(board, "planning")
    rows.append(f'\n{base} entries with `features="base"`, {planning} with `features="planning"`.')
    return "\n".join(rows)


def action_table(name: str) -> str:
    """Every range of action indices."""
    board = maps.load(name)
    table = actions.table(board)
    rows = [
        ("draw_deck", layout.DRAW_DECK, layout.DRAW_DECK, "take a card from the deck"),
        ("draw_face_up", layout.DRAW_FACE_UP, layout.DRAW_FACE_UP + 8, "take a face-up card: " + ", ".join(CARDS)),
        ("draw_tickets", layout.DRAW_TICKETS, layout.DRAW_TICKETS, "draw tickets to choose from"),
        ("pass", layout.PASS, layout.PASS, "nothing else is possible"),
        (
            "keep_tickets",
            layout.KEEP,
            layout.CLAIM - 1,
            f"keep the offered slots whose bits are set in index - {layout.KEEP - 1}",
        ),
        ("claim", layout.CLAIM, table.neutral - 1, f"claim a track: by track, {_payment(board)}"),
    ]
    last = table.neutral - 1
    for kind, count, meaning in _special(board):
        if count:
            rows.append((kind, last + 1, last + count, meaning))
            last += count
    lines = ["| kind | index | meaning |", "|---|---|---|"]
    for kind, first, last, meaning in rows:
        lines.append(f"| `{kind}` | {first if first == last else f'{first} to {last}'} | {meaning} |")
    lines.append(f"\n{table.size} actions in all.")
    return "\n".join(lines)


def _payment(board: maps.Map) -> str:
    """What tells the claims of a track apart."""
    if board.rules.sets:
        return "colour, number of locomotives and number of sets"
    return "colour and number of locomotives"


def _special(board: maps.Map) -> list[tuple[str, int, str]]:
    """The actions that only some maps have, how many they are, and what they mean."""
    count = special_actions(board.rules)
    return [
        ("neutral_claim", count["neutral"], "the neutral player takes the lower, the higher track"),
        ("tunnel_pay", count["tunnel"], "pay what the tunnel asks for, with so many locomotives: 0 and up"),
        ("tunnel_decline", count["decline"], "take back the cards laid down at the tunnel"),
        ("set_card", count["set"], "put a card into a set: " + ", ".join(CARDS)),
    ]


TABLES = {"observation table": observation_table, "action table": action_table}


def with_tables(text: str, name: str) -> str:
    """A page with its tables as the code would write them."""
    for title, write in TABLES.items():
        pattern = re.compile(f"(<!-- {title} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not pattern.search(text):
            raise ValueError(f"the page of {name} has no place for its {title}")
        table = write(name)
        text = pattern.sub(lambda match, table=table: f"{match[1]}{table}\n{match[2]}", text)  # type: ignore[misc]
    return text


if __name__ == "__main__":
    for name, page in PAGES.items():
        page.write_text(with_tables(page.read_text(encoding="utf-8"), name), encoding="utf-8")
    base_config.FILE.write_text(base_config.text(), encoding="utf-8")
