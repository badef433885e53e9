"""Configurations that are not what they should be: one line that names the place."""

from pathlib import Path

import pytest

from ttr_env.learning import configs, settings
from ttr_env.learning.settings import SettingsError


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("ppo.learning_rat=1", r"ppo.learning_rat: there is no such field; did you mean learning_rate\?"),
        ("pppo.gamma=1", r"pppo: there is no such field; did you mean ppo\?"),
        ("ppo.gamma=2", "ppo.gamma: .*less than or equal to 1"),
        ("game.players=6", "game.players: .*less than or equal to 5"),
        ("game.map=atlantis", "'atlantis' is no map"),
        ("sight.features=everything", "sight.features: .*'base' or 'planning'"),
        ("run.steps=many", "run.steps: .*integer"),
        ("ppo", "write section.field=value"),
        ("league.opponents={random: 0}", "league.opponents.random: .*greater than 0"),
        ("run.evaluation_opponents=[]", "run.evaluation_opponents: .*at least 1"),
        ("run.evaluation_games=1", "run.evaluation_games: .*greater than or equal to 2"),
    ],
)
def test_refuses_bad_settings(change: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        settings.read(configs.find("quickstart"), [change])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"run: {steps: 100\nppo: ]", r"is no YAML: .* in line 2, column 4$"),
        (b"run: {steps: \x00}", r"is no YAML: "),
        (b"\xff\xfe", r"is no text in UTF-8"),
        (b"- run", r"the file must hold sections"),
        (b"ppo: {n_epochs: 2}", r"run: is missing$"),
        (b"run: {stepz: 100}", r"run.steps: is missing; run.stepz: there is no such field; did you mean steps\?"),
        (b"run: {steps: 100}\nsight:", r"sight: fields are needed here: features, .* \(it is None\)"),
        (b"run: 5", r"run: fields are needed here: steps, .* \(it is 5\)"),
    ],
)
def test_faults_of_files(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "config.yaml"
    file.write_bytes(content)
    with pytest.raises(SettingsError, match=message) as refused:
        settings.read(file)
    assert "config.yaml" in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize("change", ["ppo.n_epochs=[", "ppo.n_epochs={a: b: c}", "ppo.n_epochs='2"])
def test_a_change_whose_value_is_no_yaml(tmp_path: Path, change: str) -> None:
    file = tmp_path / "config.yaml"
    file.write_text("run: {steps: 100}")
    with pytest.raises(SettingsError, match=r"--set ppo.n_epochs=.*: the value is no YAML: .* in line 1") as refused:
        settings.read(file, [change])
    assert "\n" not in str(refused.value)
