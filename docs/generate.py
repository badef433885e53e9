"""Writes the tables of the documentation, and `configs/base.yaml`, from the code: `python -m docs.generate`.

A table stands between `<!-- NAME -->` and `<!-- end -->` in a page; a test checks that none is out of date.
"""

from __future__ import annotations

import enum
import inspect
import itertools
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args, get_type_hints

from docs import base_config
from ttr_env import Batch, maps, options
from ttr_env.engine import slices
from ttr_env.engine.numbering import numbering
from ttr_env.envs.single import SingleAgentEnv
from ttr_env.envs.vector import GameVectorEnv
from ttr_env.game import observation
from ttr_env.maps.model import CARDS
from ttr_env.observation import ACTION_COLUMNS, COLUMNS_VERSION, HIDDEN_COLUMNS, STATE_COLUMNS, Column
from ttr_env.tasks import leaderboard, load, names, tracks

FEATURES_PAGE, BENCHMARK_PAGE = "action-features", "benchmark"
RESULTS = Path(__file__).parent / "benchmark"
_NAMES = ("mini", "nederland", "nordic", "usa", FEATURES_PAGE, BENCHMARK_PAGE)
PAGES = {name: Path(__file__).parent / f"{name}.md" for name in _NAMES}


def observation_table(name: str) -> str:
    """Every slice of the observation vector."""
    board = maps.load(name)
    places = observation.layout(board, "planning", tolls_visible=True)
    shapes = observation.shapes(board, "planning", tolls_visible=True)
    rows = []
    for part, place in places.items():
        features = "base" if part in slices.BASE else "planning" if part in slices.PLANNING else "tolls_visible"
        start = place.start if features != "tolls_visible" else "the end"
        rows.append((f"`{part}`", place.stop - place.start, shapes[part], start, slices.MEANINGS[part], features))
    base, planning = observation.size(board), observation.size(board, "planning")
    sizes = f'\n\n{base} entries with `features="base"`, {planning} with `features="planning"`.'
    return _table(("slice", "entries", "shape", "from", "meaning", "features"), rows) + sizes


def action_table(name: str) -> str:
    """Every range of action indices."""
    board = maps.load(name)
    meanings = _meanings(board)
    rows, end = [], 0
    for kind, spans in itertools.groupby(numbering(board), lambda span: span.kind):
        first, end = end, max(span.end for span in spans)
        rows.append((f"`{kind}`", first if end == first + 1 else f"{first} to {end - 1}", meanings[kind]))
    return _table(("kind", "index", "meaning"), rows) + f"\n\n{end} actions in all."


def _meanings(board: maps.Map) -> dict[str, str]:
    """What the kinds of actions mean, and what tells those of one kind apart."""
    keeps = next(span for span in numbering(board) if span.kind == "keep_tickets")
    sets = ", number of locomotives and number of sets" if board.rules.sets else " and number of locomotives"
    return {
        "draw_deck": "take a card from the deck",
        "draw_face_up": "take a face-up card: " + ", ".join(CARDS),
        "draw_tickets": "draw tickets to choose from",
        "pass": "nothing else is possible",
        "keep_tickets": f"keep the offered slots whose bits are set in index - {keeps.first - keeps.meanings[0]}",
        "claim": f"claim a track: by track, colour{sets}",
        "neutral_claim": "the neutral player takes the lower, the higher track",
        "tunnel_pay": "pay what the tunnel asks for, with so many locomotives: 0 and up",
        "tunnel_decline": "take back the cards laid down at the tunnel",
        "set_card": "put a card into a set: " + ", ".join(CARDS),
    }


def option_table(name: str) -> str:
    """The options of the environments, the same on every map."""
    rows = [
        ("all", *_parameter(SingleAgentEnv, "map")),
        *(("all", *row) for row in _declared(options.TableOptions)),
        *(("AEC, single agent", *row) for row in _declared(options.EnvOptions) if row[0] in _DRAWN),
        *(("Gymnasium", *_parameter(SingleAgentEnv, name)) for name in ("seat", "opponents")),
        *(("Gymnasium", *row) for row in _declared(options.MaskOptions)),
        ("vector", *_parameter(GameVectorEnv, "autoreset_mode")),
        ("vector, `Batch`", *_parameter(Batch, "threads")),
    ]
    cells = [(f"`{name}`", f"`{kind}`", f"`{default}`", where, meaning) for where, name, kind, default, meaning in rows]
    return _table(("option", "type", "default", "where", "meaning"), cells)


def column_table(columns: Iterable[Column]) -> str:
    """The columns of action features."""
    rows = [
        (place, f"`{column.name}`", column.group, "-1 to 1" if column.signed else "0 to 1", column.meaning)
        for place, column in enumerate(columns)
    ]
    version = f"\n\nVersion {COLUMNS_VERSION}, {len(rows)} columns."
    return _table(("column", "name", "group", "range", "meaning"), rows) + version


def task_table() -> str:
    """The tasks of the benchmark."""
    rows = []
    for task in map(load, names()):
        boards = ", ".join(f"`{board.map}` ({board.digest})" for board in task.boards)
        players = " or ".join(sorted({str(board.players) for board in task.boards}))
        rows.append((f"`{task.name}`", task.version, task.about, players, f"{task.deals:,}", boards))
    return _table(("task", "version", "what it is", "players", "deals", "maps (digests)"), rows)


def track_table() -> str:
    """The tracks of the benchmark."""
    rows = [
        (f"`{track.name}`", track.about, ", ".join(f"{budget:,}" for budget in track.budgets) or "none")
        for track in tracks().values()
    ]
    return _table(("track", "what an agent may use", "budgets"), rows)


_DRAWN = options.EnvOptions.__annotations__.keys() - options.TableOptions.__annotations__.keys()


def _declared(kind: Any) -> Iterable[tuple[str, str, str, str]]:
    """Name, type, default and meaning of the options that a `TypedDict` declares."""
    declared_as = (options.Sight(), options.Episode(), options.Masking())
    defaults = {
        **options.GAME_DEFAULTS,
        **{name: value for each in declared_as for name, value in asdict(each).items()},
    }
    for name, hint in get_type_hints(kind, include_extras=True).items():
        declared, meaning, *_ = get_args(hint)
        yield name, _type(declared), _python(defaults.get(name)), meaning


def _parameter(kind: type, name: str) -> tuple[str, str, str, str]:
    """Name, type, default and meaning of a parameter of a constructor, which its docstring explains."""
    make: Any = kind.__init__  # type: ignore[misc]
    explained = re.search(rf"^    {name}: (.*?)(?=\n    \S|\Z)", inspect.getdoc(make) or "", re.DOTALL | re.MULTILINE)
    assert explained, f"the docstring of {kind.__name__} does not explain {name}"
    meaning = re.sub(r"\s+", " ", explained[1]).removesuffix(".")
    default = inspect.signature(make).parameters[name].default
    return name, _type(get_type_hints(make)[name]), _python(default), meaning


def _type(kind: Any) -> str:
    """A type as it is written, without the modules that its parts come from."""
    return re.sub(r"[\w.]+\.(\w+)", r"\1", kind.__name__ if isinstance(kind, type) else str(kind))


def _python(value: Any) -> str:
    value = value.value if isinstance(value, enum.Enum) else value
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _table(header: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """A table in Markdown, in which a cell can have a bar, as in `int | None`."""
    lines = [[str(cell).replace("|", "\\|") for cell in line] for line in (header, *rows)]
    head, *body = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join([head, "|" + "---|" * len(header), *body])


TABLES: dict[str, Callable[[str], str]] = {"observation table": observation_table, "action table": action_table}
TABLES_ON: dict[str, dict[str, Callable[[str], str]]] = {
    "nederland": {"option table": option_table, **TABLES},
    "mini": TABLES,
    "nordic": TABLES,
    "usa": TABLES,
    BENCHMARK_PAGE: {
        "task table": lambda _: task_table(),
        "track table": lambda _: track_table(),
        "leaderboard": lambda _: leaderboard.markdown(leaderboard.found_in(RESULTS).values()).rstrip(),
    },
    FEATURES_PAGE: {
        "state columns": lambda _: column_table(STATE_COLUMNS),
        "action columns": lambda _: column_table(ACTION_COLUMNS),
        "hidden columns": lambda _: column_table(HIDDEN_COLUMNS),
    },
}


def with_tables(text: str, name: str) -> str:
    """A page with its tables as the code would write them."""
    for title, write in TABLES_ON[name].items():
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
