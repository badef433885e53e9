"""What is built works elsewhere: the wheel and the sdist, without torch, outside of the repository."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import ttr_env

ROOT = Path(__file__).parent.parent
# What the base installation does not bring; an import of any of these must fail, as if it were not there.
EXTRAS = ("choix", "matplotlib", "pygame", "ray", "sb3_contrib", "stable_baselines3", "starlette", "torch", "yaml")
RUN = f"""
import sys
sys.modules.update(dict.fromkeys({EXTRAS!r}))
from ttr_env.cli import main
main(sys.argv[1:])
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel is installed; its dependencies come from where the tests run."""
    folder = tmp_path_factory.mktemp("site")
    [wheel] = built.glob("*.whl")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(folder)]
    subprocess.run([*command, str(wheel)], check=True)
    return folder


def ttr(installed: Path, elsewhere: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    settings = os.environ | {"PYTHONPATH": str(installed)}
    command = [sys.executable, "-c", RUN, *arguments]
    return subprocess.run(command, cwd=elsewhere, env=settings, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_what_is_in_the_archives(built: Path) -> None:
    [wheel], [sdist] = built.glob("*.whl"), built.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    tops = {name.split("/")[0] for name in inside if ".dist-info" not in name}
    assert tops == {"ttr_env"}
    for name in (
        "ttr_env/py.typed",
        "ttr_env/maps/nederland/tracks.csv",
        "ttr_env/maps/nederland/land.csv",
        "ttr_env/maps/usa/places.csv",
        "ttr_env/render/fonts/Lato-Bold.ttf",
        "ttr_env/render/static/replay.html",
        "ttr_env/render/static/replay.js",
        "ttr_env/web/static/table.html",
        "ttr_env/web/static/table.js",
        "ttr_env/benchmarks/run.py",
    ):
        assert name in inside
    configs = {f"ttr_env/configs/{file.name}" for file in (ROOT / "configs").iterdir() if file.is_file()}
    assert configs and configs <= inside
    assert not [name for name in inside if "__pycache__" in name]
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "LICENSE", "CHANGELOG.md", "CITATION.cff", "tests/conftest.py", "Makefile"} <= names


@pytest.mark.slow
def test_the_wheel_works_elsewhere_without_the_extras(installed: Path, tmp_path: Path) -> None:
    assert ttr(installed, tmp_path, "--version").stdout == f"ttr-env {ttr_env.__version__}\n"
    assert "nederland" in ttr(installed, tmp_path, "maps").stdout
    game = ttr_env.Game(seed=7)
    for _ in range(4):
        game.step(int(game.legal_actions()[-1]))
    (tmp_path / "game.json").write_text(json.dumps(game.record()))
    replayed = ttr(installed, tmp_path, "replay", "game.json", "--gif", "x.gif", "--width", "300")
    assert replayed.returncode == 0, replayed.stderr
    assert (tmp_path / "x.gif").stat().st_size > 10_000
    for program in ("bench", "evaluate", "train"):
        assert f"ttr {program}" in ttr(installed, tmp_path, program, "--help").stdout
    evaluated = ttr(installed, tmp_path, "evaluate", "--agents", "planner", "racer")
    assert evaluated.returncode == 2 and "needs choix" in evaluated.stderr and "[arena]'" in evaluated.stderr
    assert "Traceback" not in evaluated.stderr


@pytest.mark.slow
def test_the_installed_package_is_the_one_that_is_used(installed: Path, tmp_path: Path) -> None:
    code = "import ttr_env, ttr_env.learning.configs as c; print(ttr_env.__file__, c.find('README.md'))"
    settings = os.environ | {"PYTHONPATH": str(installed)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=settings, capture_output=True, text=True, check=True
    )
    assert all(Path(path).is_relative_to(installed) for path in done.stdout.split())


@pytest.mark.slow
def test_gymnasium_finds_the_installed_package_by_the_name(installed: Path, tmp_path: Path) -> None:
    # Gymnasium 1 looks at no entry points, but imports a module that stands before the id.
    code = "import gymnasium; env = gymnasium.make('ttr_env:ttr_env/Nederland-v0'); print(env.reset(seed=1)[0].shape)"
    settings = os.environ | {"PYTHONPATH": str(installed)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=settings, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"({ttr_env.observation.size(ttr_env.maps.load('nederland'), 'base', False)},)\n"


# Imports everything in a package, as if some libraries were not there.
IMPORT_ALL = """
import importlib, pkgutil, sys
package, *absent = sys.argv[1:]
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in absent:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
    importlib.import_module(module.name)
"""


def of_extras(*names: str) -> set[str]:
    """The libraries that extras bring, with those of the extras that they name."""
    every = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    found: set[str] = set()
    for requirement in (each for name in names for each in every[name]):
        library, _, extra = re.split(r"[>;]", requirement)[0].partition("[")
        found |= of_extras(extra.removesuffix("]")) if library == "ttr-env" else {library}
    return found


@pytest.mark.parametrize(
    ("package", "extra"),
    [
        ("ttr_env.arena", "arena"),
        ("ttr_env.learning.sb3", "train"),
        ("ttr_env.learning.rllib", "rllib"),
        ("ttr_env.openspiel", "openspiel"),
    ],
)
@pytest.mark.slow
def test_an_extra_suffices_for_what_it_promises(package: str, extra: str) -> None:
    names = {"pyyaml": "yaml", "pygame-ce": "pygame"}
    lacking = of_extras("human", "video", "train", "rllib") - of_extras(extra)
    absent = [names.get(name, name.replace("-", "_")) for name in lacking]
    command = [sys.executable, "-c", IMPORT_ALL, package, *absent]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_two_processes_can_compile_at_once(tmp_path: Path) -> None:
    code = (
        "import ttr_env; game = ttr_env.Game(seed=7); game.step(int(game.legal_actions()[0])); print(game.snapshot())"
    )
    settings = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", code], env=settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    ends = [process.communicate(timeout=600) for process in both]
    assert [process.returncode for process in both] == [0, 0], ends
    assert ends[0][0] == ends[1][0]
    assert all(error == "" or (error.startswith("ttr_env: compiling") and error.count("\n") == 1) for _, error in ends)


@pytest.mark.slow
def test_importing_is_quick() -> None:
    code = "import time; begin = time.perf_counter(); import ttr_env; print(time.perf_counter() - begin)"
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(3)
    ]
    assert min(times) < 1.0


def test_python_and_the_version_are_declared_once() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.11"
    assert "version" not in project and project["dynamic"] == ["version"]
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {ttr_env.__version__}\n" in cited
    assert f"## {ttr_env.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_dependency_has_a_tested_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = [
        *project["dependencies"],
        *(each for some in project["optional-dependencies"].values() for each in some),
    ]
    pinned = {line.partition("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line}
    for requirement in declared:
        name = requirement.partition(">=")[0].partition("[")[0]
        assert name in pinned or name == project["name"], f"constraints.txt lacks {name}"


@pytest.mark.slow
def test_the_arena_and_training_work_from_the_wheel_alone(installed: Path, tmp_path: Path) -> None:
    settings = os.environ | {"PYTHONPATH": str(installed)}

    def ttr(*arguments: str) -> str:
        command = [sys.executable, "-c", "from ttr_env.cli import main; main()", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=settings, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    ttr("evaluate", "--agents", "greedy", "random", "--games", "4", "--json", "results.json")
    assert [agent["name"] for agent in json.loads((tmp_path / "results.json").read_text())["agents"]]
    small = ("run.steps=64", "ppo.games=4", "ppo.n_steps=8", "ppo.batch_size=32", "run.evaluation_games=2")
    printed = ttr("train", "--config", "quickstart", *(part for change in small for part in ("--set", change)))
    assert "ttr evaluate --agents policy:" in printed
    assert (tmp_path / "runs" / "quickstart" / "model.zip").exists()
