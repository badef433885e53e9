"""The documentation site: every public name has an entry, every page a place, and every link leads somewhere."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from docs import site
from ttr_env import tasks

NAV = re.sub(r"#.*", "", (site.ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2])


def test_every_public_name_has_an_entry(tmp_path: Path) -> None:
    site.stage_reference(tmp_path)
    entries = {
        path
        for page in (tmp_path / "api").glob("*.md")
        for path in re.findall(r"^(?:::: |### `)([\w.]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
    for module, names in site.public_names().items():
        assert {f"{module}.{name}" for name in names} <= entries
        assert f"[`{module}`]({module}.md)" in (tmp_path / "api" / "index.md").read_text(encoding="utf-8")


def test_the_names_are_those_that_the_packages_list() -> None:
    told = site.public_names()
    for name in ("ttr_env", "ttr_env.agents", "ttr_env.data", "ttr_env.maps", "ttr_env.render", "ttr_env.text"):
        assert sorted(told[name]) == sorted(importlib.import_module(name).__all__)
    assert "IllegalAction" in told["ttr_env.errors"] and "Variant" in told["ttr_env.options"]


def test_what_pages_tell_to_import_is_public() -> None:
    told = site.public_names()
    for module, name in (
        ("ttr_env.learning.rllib.env", "RLlibEnv"),
        ("ttr_env.tasks.verifying", "verify"),
        ("ttr_env.agents.policy_file", "save"),
    ):
        assert name in told[module]
    for module in ("ttr_env.tasks.results", "ttr_env.tasks.testing", "ttr_env.agents.inputs"):
        assert all(hasattr(importlib.import_module(module), name) for name in told[module])


def test_every_page_has_its_place_in_the_menu() -> None:
    pages = {page.name for page in (site.ROOT / "docs").glob("*.md")}
    pages |= {name for name in site.ALSO.values() if name.endswith(".md")} | {"gallery.md"}
    pages |= {f"tutorials/{script.stem}.md" for script in site.tutorials()} | {"tutorials/index.md", "api/index.md"}
    assert set(re.findall(r"[\w/-]+\.md", NAV)) == pages


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<h1 id="top">A</h1><a href="b.html#x">x</a><a href="https://example.org/y">y</a>')
    (tmp_path / "b.html").write_text('<p id="x"></p><a href="a.html#top"></a><a href="#z"></a><img src="no.png">')
    assert site.dead_links(tmp_path) == ["b.html: #z leads nowhere", "b.html: no.png leads nowhere"]


@pytest.mark.needs("zensical")
def test_examples_in_docstrings_are_shown_as_code() -> None:
    from docs.doctests import comment, fenced

    assert fenced("One.\n\n>>> [1]\n[1]\n\nTwo.") == "One.\n\n```pycon\n>>> [1]\n[1]\n```\n\nTwo."
    assert fenced("No example: a >>> b") == "No example: a >>> b"
    assert comment("deals: int = 3  # how many") == "how many" and comment("x: Any  # noqa: F401") is None


@pytest.mark.slow
@pytest.mark.needs("zensical", "jupytext", "matplotlib")
def test_the_site_is_built_without_a_complaint(capsys: pytest.CaptureFixture[str]) -> None:
    assert site.main() == 0, capsys.readouterr().err
    for module, names in site.public_names().items():
        page = (site.SITE / "api" / f"{module}.html").read_text(encoding="utf-8")
        assert [name for name in names if f'id="{module}.{name}"' not in page] == []
    decisions = (site.SITE / "api" / "ttr_env.data.html").read_text(encoding="utf-8")
    assert "float32 [rows, entries], or an <code>ActionFeatures</code>" in decisions
    assert len(list((site.SITE / "gallery").glob("*.html"))) == len(site.GALLERY)
    assert (site.SITE / "benchmark" / "leaderboard.html").read_text(encoding="utf-8").count("<svg") == len(
        tasks.names()
    )
    assert len(list((site.SITE / "tutorials").glob("*.ipynb"))) == len(site.tutorials())
