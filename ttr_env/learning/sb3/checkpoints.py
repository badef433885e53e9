"""Everything a run needs to go on, in one file that is replaced in one piece."""

from __future__ import annotations

import io
import json
import os
import random
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypedDict

import numpy as np
import torch

from ttr_env.agents.archive import savable
from ttr_env.errors import CheckpointError as CheckpointError  # it is imported from here too
from ttr_env.game.files import in_one_piece
from ttr_env.learning.sb3.model import Model


class Env(Protocol):
    """Games that can be left and gone on with."""

    @property
    def version(self) -> str:
        """What a network must have been trained on to play them."""

    def state(self) -> dict[str, Any]: ...

    def restore(self, state: dict[str, Any]) -> None: ...


FORMAT = 2  # 0.1.0 wrote 1: its games had other memory
_NAME = re.compile(r"[\w-]{1,100}")  # of a snapshot, whose file is found by it


class Progress(TypedDict):
    """How far a run has come."""

    updates: int
    snapshots: list[str]  # of the league, by name


def save(path: Path, model: Model, env: Env, progress: Progress) -> None:
    """Write a checkpoint; the last one stays until this one is complete."""
    arrays, plain = _flatten({"env": env.state(), "chance": _chance(), "model": model.state()})
    described = {"format": FORMAT, "sight": env.version, "progress": progress, "plain": plain}
    weights = {"policy": model.policy.state_dict(), "optimiser": model.policy.optimizer.state_dict()}
    try:
        with in_one_piece(path) as place:
            with zipfile.ZipFile(place, "w") as file:
                file.writestr("checkpoint.json", json.dumps(described))
                file.writestr("arrays.npz", _bytes(lambda stream: np.savez(stream, **savable(arrays))))
                file.writestr("weights.pt", _bytes(lambda stream: torch.save(weights, stream)))
            with place.open("rb") as file_on_disk:
                os.fsync(file_on_disk.fileno())
    except OSError as error:
        raise CheckpointError(f"{path} cannot be written: {error.strerror or error}") from error


def load(path: Path, model: Model, env: Env) -> None:
    """Bring a model and its games to where a checkpoint was written; the snapshots must be enlisted already."""
    described, arrays, weights = _read(path)
    if described["sight"] != env.version:
        raise CheckpointError(f"{path} was trained on another map or observation version; start a new run")
    try:
        state = _unflatten(arrays, described["plain"])
        env.restore(state["env"])  # which looks at every game first
        _check_finite(weights)
        model.policy.load_state_dict(weights["policy"])
        model.policy.optimizer.load_state_dict(weights["optimiser"])
        model.restore(state["model"])
        _set_chance(state["chance"])
    except Exception as error:  # whatever the libraries raise when they are given something else
        raise CheckpointError(f"{path} does not fit this configuration or this version: {error}") from error


def read_progress(path: Path) -> Progress:
    """How far a checkpoint's run had come."""
    told = _read(path)[0].get("progress")
    updates, snapshots = (told.get("updates"), told.get("snapshots")) if isinstance(told, dict) else (None, None)
    names = isinstance(snapshots, list) and all(isinstance(name, str) and _NAME.fullmatch(name) for name in snapshots)
    if type(updates) is not int or updates < 0 or not names:
        raise CheckpointError(f"{path} is damaged: it does not say how far its run had come")
    return {"updates": updates, "snapshots": list(snapshots or ())}


def _read(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray], dict[str, Any]]:
    try:
        with zipfile.ZipFile(path) as file:
            _check_packing(file)
            described = json.loads(file.read("checkpoint.json"))
            if described["format"] != FORMAT:
                raise CheckpointError(
                    f"{path} has format {described['format']} and this version reads {FORMAT}; go on with the version "
                    "that wrote it, or start a new run from its policy file (network.start_from)"
                )
            with zipfile.ZipFile(io.BytesIO(file.read("arrays.npz"))) as inner:
                _check_packing(inner)
            with np.load(io.BytesIO(file.read("arrays.npz")), allow_pickle=False) as stored:
                arrays = dict(stored)
            weights = torch.load(io.BytesIO(file.read("weights.pt")), weights_only=True)
    except CheckpointError:
        raise
    except FileNotFoundError as error:
        raise CheckpointError(f"there is no checkpoint {path} to go on from; leave out --resume to start") from error
    except Exception as error:  # torch and pickle raise whatever the damage leads them to
        reason = str(error).partition(". ")[0]  # torch would go on with advice
        raise CheckpointError(f"{path} is damaged: {reason or type(error).__name__}") from error
    return described, arrays, weights


def _check_packing(file: zipfile.ZipFile) -> None:
    """Nothing in a checkpoint is packed: so what is read is no larger than the file."""
    for member in file.infolist():
        if member.compress_type != zipfile.ZIP_STORED or member.file_size != member.compress_size:
            raise CheckpointError(f"{file.filename or 'a part of it'}: {member.filename} is packed, and must not be")


def _check_finite(weights: Any) -> None:
    """Refuse numbers that are none, wherever they are."""
    if isinstance(weights, torch.Tensor):
        if not torch.isfinite(weights).all():
            raise ValueError("not all of its weights are finite")
    elif isinstance(weights, dict | list | tuple):
        for each in weights.values() if isinstance(weights, dict) else weights:
            _check_finite(each)


def _chance() -> dict[str, Any]:
    """The state of every source of random numbers that SB3 draws from."""
    kind, keys, *rest = np.random.get_state()  # noqa: NPY002 - SB3 draws from it
    return {
        "torch": torch.get_rng_state().numpy(),
        "numpy": {"kind": kind, "keys": keys, "rest": rest},
        "python": json.loads(json.dumps(random.getstate())),
    }


def _set_chance(state: dict[str, Any]) -> None:
    torch.set_rng_state(torch.from_numpy(state["torch"]))
    numpy = state["numpy"]
    np.random.set_state((numpy["kind"], numpy["keys"], *numpy["rest"]))  # noqa: NPY002
    version, numbers, gauss = state["python"]
    random.setstate((version, tuple(numbers), gauss))


def _flatten(state: dict[str, Any], prefix: str = "") -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Nested values as arrays by path, and all the rest as plain JSON types."""
    arrays: dict[str, np.ndarray] = {}
    plain: dict[str, Any] = {}
    for name, value in state.items():
        if isinstance(value, dict):
            below, plain[name] = _flatten(value, f"{prefix}{name}/")
            arrays |= below
        elif isinstance(value, np.ndarray):
            arrays[prefix + name] = value
        else:
            plain[name] = value
    return arrays, plain


def _unflatten(arrays: dict[str, np.ndarray], plain: dict[str, Any]) -> dict[str, Any]:
    """What `_flatten` was given."""
    for path, value in arrays.items():
        *sections, name = path.split("/")
        place = plain
        for section in sections:
            place = place[section]
        place[name] = value
    return plain


def _bytes(write: Callable[[io.BytesIO], Any]) -> bytes:
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()
