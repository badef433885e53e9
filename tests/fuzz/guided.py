"""Inputs that reach new code are damaged further: with atheris, where that is installed (`pip install atheris`)."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz import kinds
from tests.fuzz.kinds.base import Kind, check_complaint
from tests.fuzz.tally import LARGEST

# What reads input in Python. Compiled functions must stay as they are: the compiler reads their code.
WATCHED = [
    *("ttr_env.agents.archive", "ttr_env.agents.policy_file", "ttr_env.agents.program", "ttr_env.agents.scorer"),
    *("ttr_env.data", "ttr_env.game.actions", "ttr_env.game.checking", "ttr_env.game.fields", "ttr_env.game.files"),
    *("ttr_env.game.records", "ttr_env.game.restoring", "ttr_env.game.waiting", "ttr_env.learning.reading"),
    *("ttr_env.learning.settings", "ttr_env.learning.sb3.checkpoints", "ttr_env.maps", "ttr_env.options"),
    *("ttr_env.tasks", "ttr_env.text", "ttr_env.web"),
]


def guide(names: list[str], seconds: float, seed: int, out: Path) -> int:
    """Fuzz one kind after the other, each in a process of its own; the exit status is 1 if one has failed."""
    try:
        import atheris  # noqa: F401
    except ModuleNotFoundError:
        print("--guided needs atheris, which is not installed: pip install atheris", file=sys.stderr)
        return 2
    out.mkdir(parents=True, exist_ok=True)
    failed = []
    for name in names:
        child = os.fork()
        if child == 0:
            _guide(name, seconds / len(names), seed, out)
        _, status = os.waitpid(child, 0)
        if status:
            failed.append(name)
    print(f"failed: {', '.join(failed)}; their inputs are in {out}" if failed else "nothing failed")
    return 1 if failed else 0


def _guide(name: str, seconds: float, seed: int, out: Path) -> None:
    """Fuzz a kind in this process, which ends with it."""
    import atheris

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with tempfile.TemporaryDirectory(prefix="ttr_env-fuzz-") as scratch:
        with atheris.instrument_imports(include=["ttr_env"], exclude=_left_alone()):
            kind = kinds.make(name, Path(scratch))
        corpus = Path(scratch) / "corpus"
        corpus.mkdir()
        for number, data in enumerate(kind.seeds()):
            (corpus / str(number)).write_bytes(data)
        flags = [f"-seed={seed}", f"-max_total_time={max(1, round(seconds))}", f"-max_len={LARGEST}", "-timeout=60"]
        arguments = [name, *flags, f"-artifact_prefix={out}/{name}-", str(corpus)]
        atheris.Setup(arguments, lambda data: _give(kind, data), custom_mutator=_mutator(kind))
        atheris.Fuzz()


def _left_alone() -> list[str]:
    """Every module of ttr_env that is not watched; atheris takes whole packages, or the names of what it must not."""
    found = find_spec("ttr_env")
    assert found is not None and found.submodule_search_locations
    root = Path(found.submodule_search_locations[0])
    files = (file.relative_to(root.parent).with_suffix("") for file in root.rglob("*.py"))
    names = [".".join(file.parts).removesuffix(".__init__") for file in files]
    return [name for name in names if not any(name == each or name.startswith(f"{each}.") for each in WATCHED)]


def _mutator(kind: Kind) -> Any:
    def damage(data: bytes, most: int, seed: int) -> bytes:
        try:
            return kind.damage(bytes(data), Random(seed))[:most]
        except ValueError:  # what was cut to length is not of its form any more
            return kind.seeds()[0][:most]

    return damage


def _give(kind: Kind, data: bytes) -> None:
    """Give an input away; what atheris sees as an error is one."""
    try:
        kind.give(data)
    except kind.allowed as error:
        check_complaint(error)
