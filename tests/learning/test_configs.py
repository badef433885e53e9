"""Configurations are found by path and by name, in a checkout and in an installed package."""

from pathlib import Path

import pytest

from ttr_env.learning import configs


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    installed, checkout = tmp_path / "installed", tmp_path / "checkout"
    for folder in (installed, checkout):
        folder.mkdir()
    monkeypatch.setattr(configs, "_FOLDERS", (installed, checkout))
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
    assert any(folder.is_dir() for folder in configs._FOLDERS)
