"""Configurations are found by path and by name, in a checkout and in an installed package."""

import json
import re
from pathlib import Path

import pytest

from docs import base_config
from ttr_env.learning import configs, settings
from ttr_env.learning.rllib import settings as rllib_settings
from ttr_env.learning.settings import AnySettings


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    installed, checkout = tmp_path / "installed", tmp_path / "checkout"
    for folder in (installed, checkout):
        folder.mkdir()
    monkeypatch.setattr(configs, "FOLDERS", (installed, checkout))
    return installed, checkout


def test_a_path_is_taken_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("")
    assert configs.find(file) == file
    monkeypatch.chdir(tmp_path)
    assert configs.find("mine.yaml") == Path("mine.yaml")


def test_a_name_is_found_in_either_place(folders: tuple[Path, Path]) -> None:
    for folder, name in zip(folders, ("one", "two"), strict=True):
        (folder / f"{name}.yaml").write_text("")
        for spelling in (name, f"{name}.yaml", f"configs/{name}.yaml"):
            assert configs.find(spelling) == folder / f"{name}.yaml"
    assert configs.names() == ["one", "two"]


def test_a_typo_is_answered_with_the_nearest_name(folders: tuple[Path, Path]) -> None:
    (folders[1] / "quick.yaml").write_text("")
    with pytest.raises(ValueError, match=r"'quik' .*did you mean 'quick'.*come with ttr-env: quick"):
        configs.find("quik")


def test_the_folder_of_this_checkout_is_there() -> None:
    assert any(folder.is_dir() for folder in configs.FOLDERS)


def test_a_file_is_looked_for_in_a_folder_first(folders: tuple[Path, Path], tmp_path: Path) -> None:
    (folders[0] / "base.yaml").write_text("")
    (tmp_path / "base.yaml").write_text("")
    assert configs.find("base.yaml", tmp_path) == tmp_path / "base.yaml"
    assert configs.find("base", tmp_path) == folders[0] / "base.yaml"


RESOLVED = json.loads((Path(__file__).parent / "resolved_configs.json").read_text(encoding="utf-8"))


def read(name: str) -> AnySettings:
    return (rllib_settings if name.startswith("rllib") else settings).read(configs.find(name))


@pytest.mark.parametrize("name", sorted({*configs.names()} - {"base"}))
def test_every_config_is_short_and_means_what_it_always_meant(name: str) -> None:
    assert read(name).model_dump(mode="json") == RESOLVED[name]
    text = configs.find(name).read_text(encoding="utf-8")
    assert text.startswith("# ") and "\nextends: " in text and len(text.splitlines()) <= 12


def test_base_is_up_to_date_and_says_what_every_field_means() -> None:
    text = configs.find("base").read_text(encoding="utf-8")
    assert text == base_config.text(), "run `python -m docs.generate`"
    fields = [line for line in text.splitlines() if line.startswith("  ")]
    assert len(fields) > 40 and all(re.search(r" # (?!None)\w", line) for line in fields)


def test_base_shows_the_defaults_and_serves_both_programs() -> None:
    assert read("base") == settings.Settings(run={"steps": 8_000_000})
    on_rllib = rllib_settings.read(configs.find("base"))
    assert on_rllib == rllib_settings.RLlibSettings(run={"steps": 8_000_000})


def test_the_page_names_configs_that_exist() -> None:
    page = (base_config.FILE.parent / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"--config (\S+?)`|configs/(\w[\w-]*)\.yaml", page)
    assert named
    for names in named:
        assert "".join(names) in configs.names()
