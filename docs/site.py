"""Builds the documentation site: `python -m docs.site`, or `make docs`.

Pages are staged first: those of `docs/`, with what is made from code and never kept (the reference, the tutorials, a
picture of every map, plots of the benchmark, games to step through). Zensical makes the site of them, and every link in
it is followed.
"""

from __future__ import annotations

import ast
import html.parser
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Container
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import ttr_env
from ttr_env import Game, agents, maps, render

ROOT = Path(__file__).parents[1]
PACKAGE = Path(ttr_env.__file__).parent
STAGED, SITE = ROOT / "build" / "docs", ROOT / "build" / "site"
# Files outside of docs/ that pages link to, and where they are on the site.
ALSO = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "LICENSE": "LICENSE",
    "configs/base.yaml": "configs/base.yaml",
    "configs/unseen.yaml": "configs/unseen.yaml",
    "configs/rllib.yaml": "configs/rllib.yaml",
}
# Games of the gallery: map, seed, who plays, and who says what it thinks.
GALLERY = (
    ("nederland", 7, ("champion", "planner"), ("champion",)),
    ("nederland", 11, ("champion", "planner", "racer", "greedy"), ()),
    ("nordic", 3, ("champion", "planner", "racer"), ()),
    ("usa", 5, ("champion", "planner"), ()),
    ("mini", 7, ("champion", "planner"), ("champion",)),
)


def main() -> int:
    """Stage, build and check; the exit status."""
    began = time.monotonic()
    stage(STAGED)
    problems = build(ROOT / "mkdocs.yml", SITE)
    problems += dead_links(SITE)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{SITE.relative_to(ROOT)}: {len(list(SITE.rglob('*.html')))} pages in {time.monotonic() - began:.0f} s")
    return 1 if problems else 0


def stage(folder: Path) -> None:
    """Put all pages of the site into a folder, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    for assets in ("images", "lakes"):
        shutil.copytree(ROOT / "docs" / assets, folder / assets)
    for page in (ROOT / "docs").glob("*.md"):
        (folder / page.name).write_text(_relinked(page.read_text(encoding="utf-8"), "../"), encoding="utf-8")
    for source, target in ALSO.items():
        (folder / target).parent.mkdir(exist_ok=True)
        (folder / target).write_text(_relinked((ROOT / source).read_text(encoding="utf-8"), ""), encoding="utf-8")
    stage_figures(folder)
    stage_gallery(folder)
    stage_benchmark(folder)
    stage_tutorials(folder)
    stage_reference(folder)


def _relinked(page: str, up: str) -> str:
    """A page whose links lead to where things are on the site; `up` is the way from it to the repository's root."""
    for source, target in ALSO.items():
        page = page.replace(f"]({up}{source})", f"]({target})")
    return page.replace("](lakes/)", "](lakes/map.toml)").replace(f"]({up}docs/", "](")


def stage_figures(folder: Path) -> None:
    """Give every environment's page a picture of its board, below the title."""
    for name in maps.names():
        page = folder / f"{name}.md"
        if page.exists():
            (folder / "images" / f"{name}.svg").write_text(Game(name, seed=0).to_svg(), encoding="utf-8")
            title, rest = page.read_text(encoding="utf-8").split("\n", 1)
            figure = f"![The board of {maps.load(name).title}, as it is drawn](images/{name}.svg)"
            page.write_text(f"{title}\n\n{figure}\n{rest}", encoding="utf-8")


def stage_gallery(folder: Path) -> None:
    """Play a few games, and write each as a page to step through."""
    (folder / "gallery").mkdir()
    lines = ["# Gallery", "", "Games to step through in the browser: arrows go back and forth, and a click on a move"]
    lines += ["shows the position. `ttr watch AGENT AGENT --html FILE` makes such a page of any game.", ""]
    for name, seed, players, thinking in GALLERY:
        game = agents.play(Game(name, players=len(players), seed=seed), list(players))
        file = f"{name}-{len(players)}p-{seed}.html"
        picture = f"gallery/{name}-{len(players)}p-{seed}.svg"
        (folder / picture).write_text(game.to_svg(), encoding="utf-8")
        told = {**game.record(), "agents": list(players)}
        (folder / "gallery" / file).write_text(str(render.page(told, explain=thinking)), encoding="utf-8")
        winners = " and ".join(players[seat] for seat in game.result()["winners"])
        totals = ", ".join(f"{who} {seat['total']}" for who, seat in zip(players, game.result()["seats"], strict=True))
        note = f" It tells what {thinking[0]} thinks of each decision." if thinking else ""
        lines += [f"## {game.map.title}, {len(players)} players, seed {seed}", ""]
        lines += [f"{totals}: {winners} won.{note} [Step through it](gallery/{file}).", ""]
        lines += [f"[![The end of the game on {game.map.title}, won by {winners}]({picture})](gallery/{file})", ""]
    (folder / "gallery.md").write_text("\n".join(lines), encoding="utf-8")


def stage_benchmark(folder: Path) -> None:
    """Put the page with plots of all results beside their tables."""
    from ttr_env.tasks import leaderboard  # here, since it needs an extra, and the list of tutorials does not

    (folder / "benchmark").mkdir()
    results = leaderboard.found_in(ROOT / "docs" / "benchmark").values()
    (folder / "benchmark" / "leaderboard.html").write_text(leaderboard.page(results), encoding="utf-8")
    page, mark = folder / "benchmark.md", "<!-- leaderboard -->"
    link = "[The same with plots](benchmark/leaderboard.html), on a page of its own."
    page.write_text(page.read_text(encoding="utf-8").replace(mark, f"{link}\n\n{mark}"), encoding="utf-8")


# Tutorials are scripts with cells, which tests run.


def tutorials() -> list[Path]:
    """The scripts of the tutorials."""
    return sorted((ROOT / "docs" / "tutorials").glob("*.py"))


def stage_tutorials(folder: Path) -> None:
    """Write every tutorial as a page and as a notebook, and a page that lists them."""
    import jupytext

    (folder / "tutorials").mkdir()
    lines = ["# Tutorials", "", "Each is a script that our tests run, a page here, and a notebook to take along.", ""]
    for script in tutorials():
        notebook = jupytext.read(script)
        jupytext.write(notebook, folder / "tutorials" / f"{script.stem}.ipynb")
        page = jupytext.writes(notebook, fmt="md").split("---\n", 2)[-1].lstrip()
        title, rest = page.split("\n", 1)
        links = f"[Notebook]({script.stem}.ipynb), [script]({script.name})"
        (folder / "tutorials" / f"{script.stem}.md").write_text(f"{title}\n\n{links}\n{rest}", encoding="utf-8")
        shutil.copy(script, folder / "tutorials" / script.name)
        lines.append(f"- [{title.removeprefix('# ')}]({script.stem}.md)")
    lines += ["", "For [AgileRL](../agilerl.md) and [Minari](../minari.md), their pages have code that tests run, too,"]
    lines += ["and `training/examples/` has whole algorithms in one file each."]
    (folder / "tutorials" / "index.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


# The reference has an entry for every public name. It is read from the sources, so that no library needs to be there.


def public_names() -> dict[str, list[str]]:
    """The public names of every package, and of every module that users import from, by the module's name."""
    found = {module: sorted(names) for module, names in _shown_names().items()}
    for file in sorted([*PACKAGE.glob("*.py"), *PACKAGE.rglob("__init__.py")]):
        parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        names = _listed(ast.parse(file.read_bytes()))
        if names:
            found[module] = list(dict.fromkeys([*names, *found.get(module, ())]))
    return dict(sorted(found.items()))


def _shown_names() -> dict[str, set[str]]:
    """What the code in pages, tutorials and examples imports from us, and uses of modules, by the module's name."""
    found: dict[str, set[str]] = {}
    for code in _shown_code():
        tree = ast.parse(code)
        attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or (node.module or "").partition(".")[0] != PACKAGE.name:
                continue
            for alias in node.names:
                path = f"{node.module}.{alias.name}"
                if not _source(path).exists():
                    found.setdefault(str(node.module), set()).add(alias.name)
                    continue
                used = {each.attr for each in attributes if ast.unparse(each.value) == (alias.asname or alias.name)}
                found.setdefault(path, set()).update(used)
    return {module: names for module, names in found.items() if names}


def _shown_code() -> list[str]:
    """The Python code in pages, tutorials and examples."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    scripts = [*tutorials(), *sorted((ROOT / "training" / "examples").glob("*.py"))]
    blocks = [re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S) for page in pages]
    return [*(code for found in blocks for code in found), *(each.read_text(encoding="utf-8") for each in scripts)]


def _listed(tree: ast.Module) -> list[str]:
    """What a module says is public; where it does not say, its classes."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return [node.name for node in tree.body if isinstance(node, ast.ClassDef)]


def stage_reference(folder: Path) -> None:
    """Write a page for every module; a name that several have is told of on the first."""
    (folder / "api").mkdir()
    names, told = public_names(), {}
    lines = ["# API reference", "", "Every public name. What is not here may change.", ""]
    for module, listed in names.items():
        entries = [_entry(module, name, names, told) for name in listed]
        text = "\n".join([f"# {module}", "", _first_line(module), "", *entries])
        (folder / "api" / f"{module}.md").write_text(text, encoding="utf-8")
        lines.append(f"- [`{module}`]({module}.md): {_first_line(module)}")
    (folder / "api" / "index.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _entry(module: str, name: str, modules: Container[str], told: dict[Any, str]) -> str:
    """What is told of a name: everything, or where that is."""
    path = f"{module}.{name}"
    if path in modules:
        return f"### `{path}` {{ #{path} }}\n\nA module: [`{path}`]({path}.md).\n"
    home = _home(module, name)
    if home in told:
        first = told[home]
        return f"### `{path}` {{ #{path} }}\n\nThe same as [`{first}`]({first.rpartition('.')[0]}.md#{first}).\n"
    told[home] = path
    if not _is_defined(home):
        return f"### `{path}` {{ #{path} }}\n\nA constant of `{home.rpartition('.')[0]}`.\n"
    return f"::: {path}\n"


def _is_defined(path: str) -> bool:
    """Whether a module defines a name in a statement of its own, which is what the reference can be made from."""
    module, _, name = path.rpartition(".")
    for node in ast.parse(_source(module).read_bytes()).body:
        if getattr(node, "name", None) == name:
            return True
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return True
    return False


def _source(module: str) -> Path:
    """The file of a module of ours."""
    place = PACKAGE.parent.joinpath(*module.split("."))
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def _home(module: str, name: str) -> str:
    """Where a name that is imported from elsewhere comes from, followed to the end."""
    source = _source(module)
    for node in ast.walk(ast.parse(source.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module:
            above = module if source.name == "__init__.py" else module.rpartition(".")[0]
            origin = f"{above}.{node.module}" if node.level else node.module
            for alias in node.names:
                if (alias.asname or alias.name) == name and origin.startswith("ttr_env"):
                    return _home(origin, alias.name)
    return f"{module}.{name}"


def _first_line(module: str) -> str:
    return (ast.get_docstring(ast.parse(_source(module).read_bytes())) or "").splitlines()[0]


# Building, and looking at what was built.


def build(config: Path, site: Path) -> list[str]:
    """Build the site anew; what went wrong, warnings included."""
    shutil.rmtree(site, ignore_errors=True)
    command = [str(Path(sys.executable).with_name("zensical")), "build", "--clean", "--strict", "--config-file"]
    done = subprocess.run([*command, str(config)], cwd=ROOT, capture_output=True, text=True, check=False)
    told = (done.stdout + done.stderr).splitlines()
    complaints = [line for line in told if re.search(r"warning|error", line, re.IGNORECASE)]
    print("\n".join(told))
    return (complaints or told) if done.returncode else complaints


class _Links(html.parser.HTMLParser):
    """Where a page leads, and what can be led to in it."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.names: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element's links and names."""
        for name, value in attrs:
            if value is not None and name in ("href", "src"):
                self.targets.append(value)
            elif value is not None and name in ("id", "name"):
                self.names.add(value)


def dead_links(site: Path) -> list[str]:
    """Links within the site that lead nowhere."""
    pages = {page: _Links(page) for page in site.rglob("*.html")}
    return [
        f"{page.relative_to(site)}: {target} leads nowhere"
        for page, links in pages.items()
        for target in links.targets
        if _is_dead(page, target, site, pages)
    ]


def _is_dead(page: Path, target: str, site: Path, pages: dict[Path, _Links]) -> bool:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc or page.name == "404.html":  # elsewhere, or asked for from anywhere
        return False
    path = (site / parts.path.lstrip("/")) if parts.path.startswith("/") else page.parent / unquote(parts.path)
    file = page if not parts.path else path.resolve()
    file = file / "index.html" if file.is_dir() else file
    if not file.exists():
        return True
    return bool(parts.fragment) and file in pages and unquote(parts.fragment) not in {*pages[file].names, "__top"}


if __name__ == "__main__":
    sys.exit(main())
