"""The fast tests in environments of their own, one for each set of versions that is supported: `make matrix`.

`python -m tests.matrix [LEG ...]` runs these legs, by default all but 3.14, which not every machine has. Each has a
folder in `.venv-matrix`, with its log beside it; `--fresh` makes the folders anew.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".venv-matrix"
SHOWN = ("gymnasium", "pettingzoo", "numpy", "numba", "torch")
# Without training: for these versions of Python, PyTorch comes with gigabytes for graphics cards.
LIGHT = ("dev", "openspiel", "human", "arena", "web", "data")
TRAINING = (*LIGHT, "train")
VIDEO = ("video",)  # it holds Pillow back, so that some legs go without
TORCH = "torch==2.13.0"  # the one version that is tested


class Leg(NamedTuple):
    """A Python, and what is installed beside it."""

    python: str
    extras: tuple[str, ...]
    told: tuple[str, ...]  # what else pip is told
    about: str


class Outcome(NamedTuple):
    """What came of a leg."""

    passed: bool
    result: str
    minutes: float = 0.0
    versions: str = ""


def oldest(extras: Sequence[str]) -> tuple[str, ...]:
    """The lowest versions that pyproject.toml names for the package and these extras, but for PyTorch.

    >>> [pin for pin in oldest(["human"]) if pin.startswith("pygame")]
    ['pygame-ce==2.5']
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = project["dependencies"] + [line for extra in extras for line in project["optional-dependencies"][extra]]
    pins = {}
    for requirement in map(Requirement, named):
        for bound in requirement.specifier:
            if bound.operator == ">=" and requirement.name != "torch":
                pins[requirement.name] = f"{requirement.name}=={bound.version}"
    return tuple(pins.values())


LIBRARIES = ("minari[create,hdf5]",)
TESTS = ("tests", "ttr_env", "tests/interop/test_minari.py", "tests/interop/test_videos.py")  # where they are installed
PINNED = ("--constraint", "constraints.txt")
OLDEST = (TORCH, *oldest(TRAINING + VIDEO))
LEGS = {
    "3.11": Leg("3.11", (*TRAINING, *VIDEO, "rllib"), PINNED, "versions of constraints.txt"),
    "3.11-newest": Leg("3.11", TRAINING, (TORCH, *LIBRARIES), "newest of everything, without RLlib"),
    "3.12": Leg("3.12", LIGHT + VIDEO, ("gymnasium==1.2.2", *LIBRARIES), "newest with Gymnasium 1.2.2"),
    "3.13": Leg("3.13", LIGHT, LIBRARIES, "newest of everything, without training"),
    "3.14": Leg("3.14", LIGHT, LIBRARIES, "newest of everything, without training"),
    "oldest": Leg("3.11", TRAINING + VIDEO, OLDEST, "the lowest versions that pyproject.toml names"),
}
DEFAULT = [name for name in LEGS if name != "3.14"]


def find_python(version: str) -> str | None:
    """A Python of this version that runs: of pyenv, whose commands on the path may not, or on the path."""
    of_pyenv = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    found = [*map(str, reversed(of_pyenv)), shutil.which(f"python{version}")]
    return next((each for each in found if each and not subprocess.run([each, "-c", ""]).returncode), None)


def run(name: str, workers: int, fresh: bool) -> Outcome:
    """Install what a leg asks for, and run the fast tests with it."""
    leg, folder, began = LEGS[name], FOLDER / name, time.monotonic()
    found = find_python(leg.python)
    if found is None:
        return Outcome(False, f"there is no Python {leg.python}")
    if fresh:
        shutil.rmtree(folder, ignore_errors=True)
    python = folder / "bin" / "python"
    target = f".[{','.join(leg.extras)}]"
    steps = {
        "make the folder": [found, "-m", "venv", str(folder)],
        "install": [str(python), "-m", "pip", "install", "--quiet", "--editable", target, *leg.told],
        "compile": [str(python), "-m", "ttr_env.cli", "compile"],
        "test": [str(python), "-m", "pytest", "-q", "-n", str(workers), "--timeout", "900", "-m", "not slow", *TESTS],
    }
    log = FOLDER / f"{name}.log"
    log.write_text("", encoding="utf-8")
    for step, command in steps.items():
        print(f"{name}: {step}", flush=True)
        if not _succeeds(command, log, folder):
            return Outcome(False, f"{step} failed; see {log.relative_to(ROOT)}", _minutes(began), _versions(python))
    return Outcome(True, _last_line(log), _minutes(began), _versions(python))


def _succeeds(command: list[str], log: Path, folder: Path) -> bool:
    # Kernels that another version of Numba compiled are of no use: each leg keeps its own.
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "numba")}
    with log.open("a", encoding="utf-8") as file:
        return subprocess.run(command, cwd=ROOT, env=environment, stdout=file, stderr=file).returncode == 0


def _minutes(began: float) -> float:
    return (time.monotonic() - began) / 60


def _versions(python: Path) -> str:
    if not python.exists():
        return ""
    asked = subprocess.run([str(python), "-m", "pip", "list", "--format=freeze"], capture_output=True, text=True)
    listed = dict(line.split("==", 1) for line in asked.stdout.splitlines() if "==" in line)
    return ", ".join(f"{name} {listed[name]}" for name in SHOWN if name in listed)


def _last_line(log: Path) -> str:
    """How many tests pytest says have passed."""
    found = re.findall(r"^(\d+ passed.*) in [\d.]+s", log.read_text(encoding="utf-8"), re.MULTILINE)
    return found[-1] if found else "passed"


def table(outcomes: dict[str, Outcome]) -> list[str]:
    """What came of all legs, in lines."""
    lines = []
    for name, outcome in outcomes.items():
        verdict = "green" if outcome.passed else "RED"
        lines += [f"{name:<12} {verdict:<6} {outcome.minutes:5.1f} min  {outcome.result}"]
        lines += [f"{'':<12} {LEGS[name].about}: {outcome.versions or 'nothing installed'}"]
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Run legs one after another; 1 if one of them is red."""
    parser = argparse.ArgumentParser(prog="python -m tests.matrix", description=__doc__)
    parser.add_argument("legs", nargs="*", metavar="LEG", help=f"of {', '.join(LEGS)}")
    parser.add_argument("--workers", type=int, default=2, help="how many processes share the tests of a leg")
    parser.add_argument("--fresh", action="store_true", help="make the folders anew")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.legs if name not in LEGS]
    if unknown:
        parser.error(f"there is no leg {unknown[0]!r}; the legs are {', '.join(LEGS)}")
    FOLDER.mkdir(exist_ok=True)
    outcomes = {name: run(name, options.workers, options.fresh) for name in options.legs or DEFAULT}
    red = [name for name, outcome in outcomes.items() if not outcome.passed]
    print("\n".join(["", *table(outcomes), "", f"red: {', '.join(red)}" if red else "all green"]))
    return 1 if red else 0


if __name__ == "__main__":
    sys.exit(main())
