"""The screen on which a game is watched: the board, the players, the row, and a log of what was done."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, ConsoleDimensions, ConsoleOptions, Group, RenderableType, RenderResult
from rich.layout import Layout
from rich.padding import Padding
from rich.text import Text

from ttr_env.cli.screen import panels
from ttr_env.cli.screen.chart import Chart
from ttr_env.cli.screen.story import Story, merged
from ttr_env.game.knowledge import View
from ttr_env.game.words import Deed

_TALL = 28  # rows from which there is room for the players' hands


class Log:
    """The latest deeds, as many as there is room for, the last one at the bottom."""

    def __init__(self, deeds: Sequence[Deed], names: Sequence[str]) -> None:
        self.deeds, self.names = deeds, names

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.height or len(self.deeds)
        lines: list[Text] = []
        for deed in reversed(merged(self.deeds[-2 * room :])):
            wrapped = panels.deed(deed, self.names).wrap(console, options.max_width)
            if len(lines) + len(wrapped) > room:
                break
            lines = [*wrapped, *lines]
        yield Text("\n").join(lines)


def screen(story: Story, index: int, size: ConsoleDimensions, footer: str) -> Layout:
    """The position with this index, as it fills a terminal."""
    seen = View.of(story.positions[index])
    width = max(44, min(64, round(size.width * 0.46)))  # of the column beside the map
    top = Group(*_facts(seen, story.names, width, tall=size.height >= _TALL), Text("─" * width, "dim"))
    whole, body, column = Layout(), Layout(), Layout()
    column.split_column(Layout(top, size=_height(top, width)), Layout(Log(story.deeds[:index], story.names)))
    body.split_row(
        Layout(Chart(seen.map, seen.state["owners"], seen.latest)),
        Layout(Padding(column, (0, 0, 0, 1)), size=width + 1),
    )
    title = panels.header(seen).append(f"   decision {index}", "dim")
    keys = Text(footer, "dim", no_wrap=True, overflow="ellipsis")
    whole.split_column(Layout(title, size=1), body, Layout(keys, size=1))
    return whole


def _facts(seen: View, names: Sequence[str], width: int, tall: bool) -> list[RenderableType]:
    """What stands beside the map, above the log."""
    if seen.result is not None:
        return [panels.narrow_scores(seen.result), panels.verdict(seen.result, names)]
    facts: list[RenderableType] = [panels.players(seen, names, width), "", panels.supply(seen)]
    return [*facts, "", panels.hands(seen)] if tall else facts


def _height(part: RenderableType, width: int) -> int:
    """How many lines a part takes."""
    console = Console(width=width, color_system=None)
    return len(console.render_lines(part, console.options, pad=False))
