"""The documentation says what the code does."""

import ast
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from docs.generate import FEATURES_PAGE, PAGES, option_table, with_tables
from tests.helpers.pages import AGILERL, INTEROP, ROOT, run_blocks
from ttr_env.envs.single import SingleAgentEnv
from ttr_env.observation import ACTION_COLUMNS, COLUMNS_VERSION, HIDDEN_COLUMNS, STATE_COLUMNS, ActionFeatures
from ttr_env.options import EnvOptions, MaskOptions

DOCUMENTS = sorted((ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("name", PAGES)
def test_tables_are_up_to_date(name: str) -> None:
    page = PAGES[name].read_text(encoding="utf-8")
    assert with_tables(page, name) == page, "run `python -m docs.generate`"


def test_the_page_of_action_features_has_their_shapes_and_all_their_columns() -> None:
    page = PAGES[FEATURES_PAGE].read_text(encoding="utf-8")
    for array in ActionFeatures.blank():
        assert f"{array.dtype} {list(array.shape)}" in page
    for column in (*STATE_COLUMNS, *ACTION_COLUMNS, *HIDDEN_COLUMNS):
        assert f"| `{column.name}` | {column.group} | " in page
        assert column.meaning and not column.meaning.endswith(".")
    assert page.count(f"Version {COLUMNS_VERSION}, ") == 3


def test_the_table_of_options_has_them_all_with_their_defaults() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `.+?` \| `(.+?)` \|", option_table("nederland"), re.MULTILINE)
    spelled_out = {name: ast.literal_eval(default) for name, default in rows}
    of_rows = {"threads": 1, "autoreset_mode": "SameStep"}
    declared = EnvOptions.__annotations__ | MaskOptions.__annotations__
    assert set(spelled_out) == {"map", "seat", "opponents", *of_rows, *declared}
    assert {name: spelled_out.pop(name) for name in of_rows} == of_rows
    played = [SingleAgentEnv(), SingleAgentEnv(**spelled_out)]
    observations = [env.reset(seed=1)[0] for env in played]
    assert np.array_equal(*observations) and played[0].game.record() == played[1].game.record()


def test_every_promise_has_its_test() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8"))
    assert len(named) > 10
    for file, test in named:
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file} has no {test}"


@pytest.mark.needs("ray", "sb3_contrib")
def test_the_new_names_that_are_told_exist() -> None:
    page = (ROOT / "docs" / "upgrading.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `.+?\| (.+?) \|", page, re.MULTILINE)
    names = [name for row in rows for name in re.findall(r"`((?:ttr_env|training)\.[\w.]+)`", row)]
    assert len(names) > 30
    for name in names:
        pkgutil.resolve_name(name)


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCUMENTS], ids=lambda path: path.name)
def test_the_files_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`((?:ttr_env|training|tests|configs|benchmarks|docs)/[\w./-]*)", text)
    linked = [page.parent / link for link in re.findall(r"\]\((?!https?:)([^)#]+)", text)]
    missing = [str(path) for path in [*(ROOT / name for name in named), *linked] if not path.exists()]
    assert missing == []


def docstrings(file: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield getattr(node, "name", ""), ast.get_docstring(node) or ""


@pytest.mark.parametrize("folder", ["ttr_env", "training", "benchmarks", "docs"])
def test_docstrings_begin_like_sentences(folder: str) -> None:
    """Not with the type that a search and replace left there."""
    found = [(file, *each) for file in (ROOT / folder).rglob("*.py") for each in docstrings(file)]
    assert any(text for *_, text in found)
    odd = [(str(file), name, text) for file, name, text in found if text and not re.match(r"[A-Z`\"']", text)]
    assert odd == []


RUN_HERE = [page for page in DOCUMENTS if page.name not in (*INTEROP, *AGILERL)]


@pytest.mark.parametrize("document", RUN_HERE, ids=lambda path: path.name)
def test_code_blocks_run(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_blocks(document, tmp_path, monkeypatch)
