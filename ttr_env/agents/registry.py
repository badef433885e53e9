"""Agents by name."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

from ttr_env.agents import catalogue
from ttr_env.agents.base import Actor
from ttr_env.agents.built_in import BuiltIn
from ttr_env.agents.scorer import check_temperature
from ttr_env.bots.built_in import BOTS
from ttr_env.errors import did_you_mean
from ttr_env.maps.faults import shortened
from ttr_env.options import check_seed


def names() -> list[str]:
    """The agents that `make` knows by name.

    >>> names()[:4]
    ['random', 'greedy', 'racer', 'planner']
    """
    return list(catalogue.BY_NAME)


def is_built_in(spec: str) -> bool:
    """Whether a specification names an agent of ours, for which no file of somebody else's is opened or run.

    >>> is_built_in("ismcts:seconds=0.2"), is_built_in("mine:Mine"), is_built_in("ismcts:policy=mine.npz")
    (True, False, False)
    """
    name, _, options = spec.partition(":")
    return spec in BOTS or (name in _MAKERS and "policy=" not in "".join(options.split()))


def describe() -> dict[str, str]:
    """One line about every agent that `make` knows, those from files and your own included, with its options.

    >>> describe()["racer"]
    'puts its trains down as fast as it can; ignores its tickets'
    """
    lines = {name: f"{line}{_told_options(name)}" for name, line in catalogue.BY_NAME.items()}
    return {**lines, **catalogue.BY_FILE}


def _told_options(name: str) -> str:
    known = _options(_MAKERS[name]) if name in _MAKERS else []
    options = [f"{option}={'FILE' if option == 'policy' else 'N'}" for option in known]
    return f" (options: {', '.join(options)})" if options else ""


def _options(maker: Callable[..., Actor]) -> list[str]:
    return [name for name in inspect.signature(maker).parameters if name != "seed"]


def make(spec: str, seed: int = 0) -> Actor:
    """The agent that a specification names: a built-in one, one from a file, or `module:Class` for your own.

    Options follow a colon: `ismcts:seconds=0.2`. Your own class is made with `seed=`.

    >>> make("planner", seed=3).__class__.__name__
    'BuiltIn'
    """
    number = check_seed(seed)
    if not isinstance(spec, str):
        raise TypeError(f"agent: a name such as 'planner' is needed, not {shortened(spec)}")
    if spec in BOTS:
        return BuiltIn(spec, number)
    name, _, rest = spec.partition(":")
    if name in _MAKERS:
        return _with_options(_MAKERS[name], spec, rest, number)
    if name in _FROM_FILE and rest:
        return _FROM_FILE[name](rest, number)
    if rest and name not in BOTS:
        return _own(name, rest, number)
    raise ValueError(_unknown(spec, name))


def _unknown(spec: str, name: str) -> str:
    if name in BOTS:
        return f"agent {shortened(spec)}: {name} takes no options"
    if name in _FROM_FILE:
        return f"agent {spec!r} names no {'program: exec:PROGRAM' if name == 'exec' else f'file: {name}:FILE'}"
    return f"agent {shortened(spec)} is unknown{did_you_mean(name, names())}; the agents are: {catalogue.SHORT}"


def _with_options(maker: Callable[..., Actor], spec: str, text: str, seed: int) -> Actor:
    """An agent made with options that are written `name=number,name=number`."""
    options: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"agent {spec!r}: {part!r} is no option; write name=value, separated by commas")
        options[name.strip()] = _number(value.strip())
    known = _options(maker)
    for name in options:
        if name not in known:
            raise ValueError(f"agent {spec!r}: {_no_option(name, known)}")
    try:
        return maker(**options, seed=seed)
    except (TypeError, ValueError) as error:
        raise ValueError(f"agent {spec!r}: {error}") from error


def _no_option(name: str, known: list[str]) -> str:
    return f"there is no option {name!r}{did_you_mean(name, known)}; its options are: {', '.join(known) or 'none'}"


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _ismcts(
    seed: int,
    iterations: int | None = None,
    seconds: float | None = None,
    version: int = 2,
    policy: str | None = None,
) -> Actor:
    from ttr_env.agents.first_ismcts import FirstISMCTS
    from ttr_env.agents.ismcts import ISMCTS

    if _is_newest(version):
        return ISMCTS(iterations, seconds, seed, policy)
    if policy is not None:
        raise ValueError("version 1 takes no policy: planners play its worlds out")
    return FirstISMCTS(iterations, seconds, seed)


def _planner(seed: int, version: int = 2) -> Actor:
    return BuiltIn("planner" if _is_newest(version) else "planner:version=1", seed)


def _champion(seed: int, version: int = 2) -> Actor:
    from ttr_env.agents.champion import Champion
    from ttr_env.agents.first_champion import FirstChampion

    return Champion(seed) if _is_newest(version) else FirstChampion(seed)


def _is_newest(version: int) -> bool:
    if version not in (1, 2):
        raise ValueError(f"version must be 1 or 2, not {version!r}")
    return version == 2


def _searching_champion(seed: int, iterations: int | None = None, seconds: float | None = None) -> Actor:
    from ttr_env.agents.ismcts import ISMCTS

    return ISMCTS(iterations, seconds, seed)


def _policy(spec: str, seed: int) -> Actor:
    """The agent of a policy file, whose name a temperature may follow: `FILE,temperature=0.5`."""
    from ttr_env.agents import policy_file
    from ttr_env.agents.scoring import ScoringAgent
    from ttr_env.agents.trained import FromFile

    path, found, value = spec.partition(",temperature=")
    temperature = check_temperature(_number(value)) if found else 0.0
    network = policy_file.load(path)
    if isinstance(network, policy_file.Scorer):
        return ScoringAgent(network, temperature, seed)
    agent = FromFile(network, temperature, seed)
    agent.name = f"policy file {path}"
    return agent


def _sb3(path: str, seed: int) -> Actor:
    from ttr_env.agents.sb3 import from_sb3

    return from_sb3(path, seed)


def _program(spec: str, seed: int) -> Actor:
    from ttr_env.agents.program import Program

    return Program.named(spec, seed)


_MAKERS: dict[str, Callable[..., Actor]] = {
    "planner": _planner,
    "ismcts": _ismcts,
    "champion": _champion,
    "champion+search": _searching_champion,
}
_FROM_FILE: dict[str, Callable[[str, int], Actor]] = {"policy": _policy, "sb3": _sb3, "exec": _program}


def _own(module: str, name: str, seed: int) -> Actor:
    """An agent of the user's, found by module and class."""
    if not module or module.startswith("."):
        raise ValueError(f"agent '{module}:{name}': the module's whole name is needed, as in module:Class")
    try:
        kind = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, SyntaxError) as error:
        hint = did_you_mean(module, [*_MAKERS, *_FROM_FILE])
        raise ValueError(f"agent '{module}:{name}' cannot be found{hint}: {error}") from error
    try:
        agent = kind(seed=seed)
    except TypeError as error:
        raise ValueError(f"agent '{module}:{name}' cannot be made with seed=: {error}") from error
    if not isinstance(agent, Actor):
        raise ValueError(f"agent '{module}:{name}' has no act(game)")
    return agent
