"""The options that every training program takes."""

from __future__ import annotations

import argparse
from pathlib import Path


def make_parser(program: str, description: str) -> argparse.ArgumentParser:
    """A parser with these options; a program may add its own."""
    parser = argparse.ArgumentParser(prog=program, description=description)
    parser.add_argument("--config", required=True, help="a configuration file, or the name of one in configs/")
    parser.add_argument(
        "--set", action="append", default=[], metavar="SECTION.FIELD=VALUE", help="change a field of the configuration"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="the run's folder (default: runs/CONFIG)")
    parser.add_argument("--resume", action="store_true", help="go on from the folder's checkpoint")
    return parser
