"""Configurations that are not what they should be: one line that names the place."""

import inspect
from pathlib import Path

import pytest

from ttr_env import Game
from ttr_env.learning import configs, settings
from ttr_env.learning.league import League
from ttr_env.learning.rllib import settings as rllib_settings
from ttr_env.learning.sb3.policy import Policy
from ttr_env.learning.settings import SettingsError
from ttr_env.tasks.reserved import RESERVED_SEEDS


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("ppo.learning_rat=1", r"ppo.learning_rat: there is no such field; did you mean 'learning_rate'\?"),
        ("pppo.gamma=1", r"pppo: there is no such field; did you mean 'ppo'\?"),
        ("ppo.gamma=2", "ppo.gamma: .*less than or equal to 1"),
        ("game.players=6", "game: players: Nederland is for 2 to 5 players, not 6"),
        ("game.players=two", "game.players: .*integer"),
        ("game.neutral_playr=true", r"game.neutral_playr: there is no such field; did you mean 'neutral_player'\?"),
        ("sight.adviser=champion", "sight.adviser: choose one of greedy, racer, planner, planner:version=2, or null"),
        ("league.opponents={blocker: 1}", "league.opponents: blocker is for evaluation alone"),
        ("league.opponents={planner: 1, stranger: 1}", "league.opponents: stranger is for evaluation alone"),
        ("sight.adviser=toll_hoarder", "sight.adviser: toll_hoarder is for evaluation alone"),
        (
            f"run.seed={RESERVED_SEEDS[3]}",
            f"run.seed: {RESERVED_SEEDS[0]} to {RESERVED_SEEDS[-1]} are the deals of tests",
        ),
        ("sight.blind_to=[ticket_]", "sight.blind_to.0: choose of phase, table, "),
        ("game.map=atlantis", "'atlantis' is no map"),
        ("sight.features=everything", "sight.features: .*'base', 'planning' or 'actions'"),
        ("run.steps=many", "run.steps: .*integer"),
        ("ppo", "write section.field=value"),
        ("league.opponents={random: 0}", "league.opponents.random: .*greater than 0"),
        ("run.evaluation_opponents=[]", "run.evaluation_opponents: .*at least 1"),
        ("ppo.gamma=.nan", "ppo.gamma: .*finite number"),
        ("ppo.learning_rate=[.inf, 1e-4]", "ppo.learning_rate.0: .*finite number"),
        ("game.mix=[{neutral_player: 1}]", "game: neutral_player: True or False is needed, not 1"),
        ("game.mix=[{map: atlantis}]", "game: 'atlantis' is no map"),
        ("game.mix=[{map: 5}]", "game: "),
        ("game.mix=[{map: 'generate:cities=9'}]", "game: 'generate:cities=9' has no seed"),
        ("game.boards=0", "game.boards: .*greater than or equal to 1"),
        ("game.boards=2", "game: boards: more of them need a map from a seed"),
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
        (b"#" * (2**20 + 1), r"it has more than 1048576 bytes"),
        (b"- run", r"the file must hold sections"),
        (b"ppo: {n_epochs: 2}", r"run: is missing$"),
        (b"run: {stepz: 100}", r"run.steps: is missing; run.stepz: there is no such field; did you mean 'steps'\?"),
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


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    return folder / f"{next(iter(files))}.yaml"


def test_a_file_extends_others_field_by_field(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        mine="extends: middle.yaml\nppo: {gamma: 0.9}\nleague: {opponents: {greedy: 2.0}}",
        middle="extends: quickstart\nppo: {gamma: 0.8, n_epochs: 5}",
    )
    found, quickstart = settings.read(file), settings.read(configs.find("quickstart"))
    assert (found.ppo.gamma, found.ppo.n_epochs, found.ppo.games) == (0.9, 5, quickstart.ppo.games)
    assert found.league.opponents == {"greedy": 2.0} and found.league.snapshot_every == quickstart.league.snapshot_every
    assert found.run == quickstart.run
    assert settings.read(file, ["ppo.gamma=0.7"]).ppo.gamma == 0.7


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"mine": "extends: bse"}, r"mine.yaml: extends: config 'bse' is no file and not known \(did you mean 'base'"),
        ({"mine": f"extends: {5000 * 'a'}"}, r"mine.yaml: extends: config 'aaa.* is no file and not known"),
        ({"mine": "extends: [base]"}, r"mine.yaml: extends: the name or the path of .* is needed, not \['base'\]"),
        ({"mine": "extends: mine.yaml"}, r"mine.yaml: extends goes round in a circle: mine.yaml -> mine.yaml$"),
        (
            {"mine": "extends: other.yaml", "other": "extends: mine.yaml"},
            r"extends goes round in a circle: mine.yaml -> other.yaml -> mine.yaml$",
        ),
        ({"mine": "extends: other.yaml", "other": "run: ]"}, r"other.yaml is no YAML: .* in line 1, column 6$"),
        ({"mine": "extends: base\nsight:"}, r"sight: fields are needed here: .* \(it is None\)"),
        ({"mine": "extend: base"}, r"extend: there is no such field; did you mean 'extends'\?"),
        ({"mine": "extends: base\nworkers: {env_runners: 1}"}, r"workers: there is no such field"),
        ({"mine": "extends: other.yaml", "other": "run: {steps: 5}\nleage: {}"}, r"leage: there is no such field"),
    ],
)
def test_faults_of_extending(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(SettingsError, match=message) as refused:
        settings.read(write(tmp_path, **files))
    assert "\n" not in str(refused.value)


def test_rllib_inherits_no_league_and_may_not_have_one(tmp_path: Path) -> None:
    found = rllib_settings.read(write(tmp_path, mine="extends: flat\nppo: {gamma: 0.9}"))
    assert found.ppo.games == 256 and "league" not in found.model_dump()
    with pytest.raises(SettingsError, match="league: there is no such field"):
        rllib_settings.read(write(tmp_path, mine="extends: flat\nleague: {power: 1}"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("game={map: usa, tolls: true}", "tolls: .* has no tolls"),
        ("game={map: nordic, players: 4}", "players: .* is for 2 to 3 players, not 4"),
        ("game={neutral_player: true, players: 3}", "neutral_player: the neutral player joins 2 players, not 3"),
    ],
)
def test_refuses_a_game_that_is_not_there_without_dealing_it(
    change: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Game, "__init__", None)
    assert settings.read(configs.find("usa-2p")).game.map == "usa"
    with pytest.raises(SettingsError, match=message):
        settings.read(configs.find("quickstart"), [change])


def test_defaults_are_those_of_the_settings() -> None:
    chosen = settings.Settings(run={"steps": 1})
    assert (
        inspect.signature(League.__init__).parameters["active_snapshots"].default == chosen.league.active_snapshots == 3
    )
    assert inspect.signature(Policy.__init__).parameters["trust"].default == chosen.sight.trust == 7.5
    assert chosen.network.layers == [128, 128]


def test_a_network_that_has_read_all_columns_is_no_start_for_one_that_is_blind_to_some() -> None:
    changes = ["sight.blind_to=[plan]", "network.start_from=mine.npz"]
    with pytest.raises(SettingsError, match=r"sight.blind_to: a network to start from has read all columns"):
        settings.read(configs.find("quickstart"), changes)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("[" * 5000, "nested too deeply"),
        ("run: {steps: " + "7" * 5000 + "}", "4300 digits"),
        ("run: 2020-99-99", "month"),
    ],
    ids=["deep", "digits", "date"],
)
def test_what_the_parser_stumbles_over_is_no_yaml(tmp_path: Path, content: str, reason: str) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(content)
    with pytest.raises(SettingsError, match=f"is no YAML: .*{reason}"):
        settings.read(file)
