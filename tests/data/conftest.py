"""Data sets to load, and to break."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from ttr_env import data

AGENTS = ["planner", "greedy"]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of five games in three files."""
    folder = tmp_path_factory.mktemp("games")
    data.write(folder, AGENTS, games=5, shard_size=2, seed=3)
    return folder


@pytest.fixture(scope="session")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with what two kinds of teachers think."""
    folder = tmp_path_factory.mktemp("taught")
    data.write(folder / "network", ["racer", "greedy"], games=1, teacher="champion")
    return folder


def broken(folder: Path, target: Path, change: Any) -> Path:
    """A copy of a data set in which the first file's lines are changed, and its digest is right."""
    target.mkdir()
    for file in folder.iterdir():
        (target / file.name).write_bytes(file.read_bytes())
    manifest = json.loads((target / "manifest.json").read_text())
    first = target / manifest["shards"][0]["file"]
    lines = [json.loads(line) for line in gzip.decompress(first.read_bytes()).splitlines()]
    change(lines, manifest)
    first.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    manifest["shards"][0]["sha256"] = hashlib.sha256(first.read_bytes()).hexdigest()
    (target / "manifest.json").write_text(json.dumps(manifest))
    return target


def cut(lines: list[Any], manifest: dict[str, Any], decisions: int) -> None:
    """End the first game so many decisions earlier, in the lines and in what the manifest says."""
    del lines[0]["actions"][-decisions:]
    manifest["shards"][0]["decisions"] -= decisions
