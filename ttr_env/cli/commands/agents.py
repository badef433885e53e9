"""`ttr agents`: who there is to play against."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from ttr_env import agents


def show() -> None:
    """Print a table of all agents."""
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for name, line in agents.describe().items():
        table.add_row(name, line)
    Console(highlight=False).print(table)
