"""Checkpoints of runs on RLlib: folders, each complete or not there at all."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ray.rllib.algorithms import Algorithm

from ttr_env.errors import CheckpointError

_ABOUT = "ttr-env.json"  # beside RLlib's own files


@dataclass(frozen=True)
class Checkpoint:
    """Where a run can go on from."""

    path: Path
    updates: int
    steps: int


def folder_of(run: Path) -> Path:
    """Where a run keeps its checkpoints."""
    return run / "checkpoints"


def save(algorithm: Algorithm, run: Path, updates: int, steps: int, sight: str) -> None:
    """Write a checkpoint; those before it go when it is complete."""
    target = folder_of(run) / f"update-{updates:06}"
    unfinished = target.with_suffix(".part")
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        algorithm.save_to_path(str(unfinished.resolve()))
        about = {"updates": updates, "steps": steps, "sight": sight, "files": _sizes(unfinished)}
        (unfinished / _ABOUT).write_text(json.dumps(about))
        if target.exists():
            shutil.rmtree(target)
        unfinished.rename(target)
    except OSError as error:
        raise CheckpointError(f"{target} cannot be written: {error.strerror or error}") from error
    for other in target.parent.iterdir():
        if other != target:
            shutil.rmtree(other, ignore_errors=True)


def latest(run: Path, sight: str) -> Checkpoint:
    """The last complete checkpoint of a run, if its network sees what this version shows."""
    complete = sorted(folder_of(run).glob("update-*[0-9]"))
    if not complete:
        raise CheckpointError(f"there is no checkpoint in {folder_of(run)} to go on from; leave out --resume to start")
    path = complete[-1]
    try:
        about: dict[str, Any] = json.loads((path / _ABOUT).read_text())
        found = Checkpoint(path, int(about["updates"]), int(about["steps"]))
        if about["files"] != _sizes(path):  # RLlib goes on without what it does not find
            raise ValueError("files are missing, or not whole")
    except (OSError, ValueError, KeyError) as error:
        raise CheckpointError(f"{path} is damaged: {error}") from error
    if about["sight"] != sight:
        raise CheckpointError(f"{path} was trained on another map or observation version; start a new run")
    return found


def _sizes(folder: Path) -> dict[str, int]:
    """The sizes of RLlib's files, by their places."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != _ABOUT)
    return {path.relative_to(folder).as_posix(): path.stat().st_size for path in files}


def restore(algorithm: Algorithm, path: Path) -> None:
    """Bring an algorithm to where a checkpoint was written; the games are dealt anew."""
    try:
        algorithm.restore_from_path(str(path.resolve()))
    except Exception as error:  # whatever RLlib, pickle or torch have to say about a file that they cannot use
        raise CheckpointError(f"{path} does not fit this configuration: {error}") from error
