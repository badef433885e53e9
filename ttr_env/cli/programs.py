"""Programs with command lines of their own, run as commands of `ttr`."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from importlib.util import find_spec
from types import ModuleType

from ttr_env.cli.errors import UserError
from ttr_env.errors import install_command

_NEEDED = {  # what the programs use beyond the base installation
    "evaluate": ("choix", "matplotlib"),
    "leaderboard": ("matplotlib",),
    "verify": ("scipy",),
    "train": ("choix", "matplotlib", "pydantic", "sb3_contrib", "stable_baselines3", "tensorboard", "torch", "yaml"),
}
_MODULES = {
    "evaluate": "ttr_env.arena.program",
    "test": "ttr_env.tasks.program",  # evaluate --task
    "train": "ttr_env.learning.train",
}
_ARENA = {"choix", "matplotlib", "scipy"}
_OURS = {"benchmarks", "ttr_env"}


def run(command: str, arguments: Sequence[str]) -> int:
    """Run a program with these arguments; its exit status."""
    if {"-h", "--help"}.isdisjoint(arguments):
        check_installed(command)
    tests = command == "evaluate" and any(each.partition("=")[0] == "--task" for each in arguments)
    try:
        status = _load("test" if tests else command).main(list(arguments))
    except ModuleNotFoundError as error:
        raise UserError(_what_is_missing(command, error.name or "")) from error
    return status if isinstance(status, int) else 0


def check_installed(command: str) -> None:
    """Refuse a command whose modules are not there: now, not when the work is half done."""
    for module in _NEEDED.get(command, ()):
        if find_spec(module) is None:
            raise UserError(_what_is_missing(command, module))


def _load(command: str) -> ModuleType:
    """The module of a program."""
    if command == "bench":  # in an installed package the benchmarks are inside it, in a checkout they are beside it
        installed = find_spec("ttr_env.benchmarks") is not None
        return importlib.import_module("ttr_env.benchmarks.run" if installed else "benchmarks.run")
    return importlib.import_module(_MODULES[command])


def _what_is_missing(command: str, module: str) -> str:
    name = module.partition(".")[0]
    if name in _OURS:
        return f"`ttr {command}` is not part of this installation: there is no module {module}"
    extra = "rllib" if name == "ray" else "train" if command == "train" or name not in _ARENA else "arena"
    return f"`ttr {command}` needs {name}, which comes with an extra: {install_command(extra)}"
