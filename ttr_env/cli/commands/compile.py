"""`ttr compile`: all kernels, with progress."""

from __future__ import annotations

import time

from rich.console import Console

from ttr_env.cli.kernels import PARTS, compile_all


def run() -> None:
    """Compile what is missing, and say how long it took."""
    console = Console(highlight=False)
    began = time.monotonic()
    with console.status(f"compiling {len(PARTS)} parts, which takes a minute or two the first time"):
        for name in compile_all():
            console.print(f"{time.monotonic() - began:4.0f} s  {name}")
