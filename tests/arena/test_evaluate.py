"""The arena: fair tables, repeatable results, files, and bad input."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttr_env
from tests.helpers.networks import random_scorer
from tests.helpers.without import run_without
from ttr_env.agents import policy_file
from ttr_env.agents.base import Agent
from ttr_env.agents.champion import Champion, network_for
from ttr_env.agents.scoring import ScoringAgent
from ttr_env.arena import program
from ttr_env.arena.contest import seating
from ttr_env.arena.ratings import pairs, rate, standings
from ttr_env.arena.tables import ROWS, BadAgent, Table, tables
from ttr_env.engine.scoring import TOTAL
from ttr_env.errors import install_command
from ttr_env.options import Variant


def finish(names: tuple[str, ...], games: int, folder: Path, **settings: Any) -> Table:
    variant = Variant.of(players=len(names), **settings.pop("options", {}))
    table = Table(names, variant, settings.pop("seed", 1), folder, **settings)
    for _ in table.play(games):
        pass
    return table


def test_who_sits_together() -> None:
    assert tables(["a", "b", "c"], 3) == [("a", "b", "c")]
    assert len(tables(["a", "b", "c", "d"], 3)) == 4
    assert tables(["a"], 4) == [("a",) * 4]


def test_every_deal_is_played_from_every_seat(tmp_path: Path) -> None:
    played = finish(("greedy", "random", "random"), 12, tmp_path, keep_records=True).played()
    assert played.deals.tolist() == sorted([0, 1, 2, 3] * 3)
    seats = [record["agents"].index("greedy") for record in played.records]
    assert seats == [0, 1, 2] * 4
    seeds = [record["seed"] for record in played.records]
    assert [len(set(seeds[deal * 3 : deal * 3 + 3])) for deal in range(4)] == [1] * 4 and len(set(seeds)) == 4


def test_records_replay_to_the_scores(tmp_path: Path) -> None:
    played = finish(("planner", "racer"), 8, tmp_path, keep_records=True).played()
    for game, record in enumerate(played.records):
        seats = ttr_env.Game.replay(json.loads(json.dumps(record))).result()["seats"]
        for place, name in enumerate(played.names):
            seat = record["agents"].index(name)
            assert played.scores[game, place].tolist() == list(seats[seat].values())
        assert played.lengths[game] == len(record["actions"])


def test_more_games_than_rows_change_nothing(tmp_path: Path) -> None:
    few = finish(("greedy", "racer"), 20, tmp_path).played()
    many = finish(("greedy", "racer"), ROWS + 100, tmp_path).played()
    assert len(many.games) == ROWS + 100
    assert np.array_equal(many.scores[:20], few.scores)


def test_networks_play_inside_as_they_do_when_asked(tmp_path: Path) -> None:
    class Asked(Champion):
        def on_map(self, map: ttr_env.Map) -> Any:
            return self

        def act(self, game: ttr_env.Game) -> int:
            return ScoringAgent(network_for(game.map.name)).act(game)

        def act_batch(self, positions: Any, rows: np.ndarray) -> np.ndarray:
            return Agent.act_batch(self, positions, rows)

    inside = finish(("champion", "planner:version=2"), 6, tmp_path, keep_records=True).played()
    asked = finish(("champion", "planner"), 6, tmp_path, keep_records=True, actors={"champion": Asked()}).played()
    assert [record["actions"] for record in inside.records] == [record["actions"] for record in asked.records]


def test_deals_can_be_given_and_games_chosen(tmp_path: Path) -> None:
    table = Table(("greedy", "random"), Variant.of(), 1, tmp_path, keep_records=True, deals=range(70, 80))
    assert list(table.play([])) == []
    for _ in table.play([4, 5, 18, 19]):
        pass
    played = table.played()
    assert played.games.tolist() == [4, 5, 18, 19]
    assert [record["seed"] for record in played.records] == [72, 72, 79, 79]


def test_left_early_only_whole_deals_count(tmp_path: Path) -> None:
    table = Table(("random", "greedy", "random"), Variant.of(players=3), 1, tmp_path)
    finished = next(table.play(2000))
    played = table.played()
    assert finished % 3 != 0 and 0 < len(played.games) == finished // 3 * 3


def test_standings_and_ratings(tmp_path: Path) -> None:
    names = ["planner", "greedy", "random"]
    played = [finish(seated, 60, tmp_path).played() for seated in tables(names, 2)]
    ranked = standings(names, played)
    assert [standing.name for standing in ranked] == names
    assert all(standing.games == 120 for standing in ranked)
    best = ranked[0]
    assert best.interval[0] <= best.win_rate <= best.interval[1] and best.win_rate > 0.95
    met = pairs(played)
    assert met["planner"]["random"] == met["random"]["planner"][::-1] and sum(met["planner"]["random"]) == 60
    assert best.means["total"] == pytest.approx(np.mean([t.scores[:, 0, TOTAL] for t in played[:2]]))
    ratings, errors = rate(names, played)
    assert ratings.mean() == pytest.approx(0, abs=1e-6) and (errors > 0).all()


def test_shared_wins_count_their_share(tmp_path: Path) -> None:
    played = finish(("random", "random"), 200, tmp_path).played()
    assert played.shares().sum(axis=1) == pytest.approx(1)
    assert standings(["random"], [played])[0].win_rate == pytest.approx(0.5)


@pytest.mark.parametrize("players", [2, 4])
def test_program_writes_everything_and_repeats(tmp_path: Path, players: int) -> None:
    arguments = ["--agents", "planner", "racer", "--players", str(players), "--games", "40", "--seed", "3"]
    outs = [tmp_path / "one", tmp_path / "two"]
    for out in outs:
        assert program.main([*arguments, "--out", str(out), "--json", str(out) + ".json", "--records"]) == 0
    results = [json.loads((out / "results.json").read_text()) for out in outs]
    assert results[0] == results[1] == json.loads(Path(str(outs[0]) + ".json").read_text())
    assert results[0]["players"] == players and results[0]["seed"] == 3
    first = results[0]["agents"][0]
    assert first["name"] == "planner" and {"games", "win_rate", "ci", "mean_total", "rating"} <= set(first)
    for name in ("ratings", "scores", "wins", "pairs"):
        assert (outs[0] / f"{name}.png").stat().st_size > 1000 and (outs[0] / f"{name}.svg").stat().st_size > 1000
    with (outs[0] / "results.csv").open() as file:
        assert [row["name"] for row in csv.DictReader(file)] == ["planner", "racer"]
    assert len((outs[0] / "records.jsonl").read_text().splitlines()) == 40


class Cheat:
    """An agent that returns an illegal action in the middle of a game."""

    def __init__(self, seed: int) -> None:
        pass

    def act(self, game: ttr_env.Game) -> int:
        return int(game.legal_actions()[0]) if game.phase == "keep_tickets" else 12


def test_an_illegal_action_is_blamed_on_the_agent(tmp_path: Path) -> None:
    with pytest.raises(BadAgent, match=r"Cheat.*illegal-position\.json"):
        finish(("random", f"{__name__}:Cheat"), 4, tmp_path)
    saved = json.loads((tmp_path / "illegal-position.json").read_text())
    assert ttr_env.Game.from_snapshot(saved).phase == "turn"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agents", "planer"], "did you mean 'planner'"),
        (["--agents", "random", "--players", "9"], "2 to 5 players"),
        (["--agents", "random", "--map", "atlantis"], "built-in maps"),
        (["--agents", "random", "champion:version=1", "--map", "usa"], "cannot play 'usa'"),
        (["--agents", "random", "--against", "random"], "would only meet themselves"),
        (["--agents", "random", "--map", "usa", "--no-tolls"], "USA has no tolls"),
        (["--agents", "random", "--json", "nowhere/results.json"], "--json nowhere/results.json"),
        (["--agents", "random", "--json", "."], "--json ."),
        (["--agents", "random", "--out", __file__], "cannot be made a folder: File exists"),
        (["--agents", "random", "--players", "3", "--neutral-player"], "neutral player joins 2"),
    ],
)
def test_bad_input(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main([*arguments, "--games", "10"]) == 2
    shown = capsys.readouterr()
    assert message in shown.err and shown.err.count("\n") == 1
    assert "agent" not in shown.out  # the tables would be there if games had been played


def test_files_that_cannot_be_written_are_one_clear_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("in the way")
    for option in (["--out", str(tmp_path / "file" / "results")], ["--json", str(tmp_path / "file" / "results.json")]):
        assert program.main(["--agents", "random", "--games", "2", *option]) == 2
        shown = capsys.readouterr()
        assert str(tmp_path / "file") in shown.err and "Standings" not in shown.out


@pytest.mark.parametrize("name", ["x[/red].npz", "a[bold]b.npz", "$x^$.npz", "a\x1b[2J.npz"])
def test_names_are_no_markup(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    Path(name).parent.mkdir(exist_ok=True)
    policy_file.save(random_scorer(), Path(name))
    command = ["--agents", f"policy:{name}", "random", "greedy", "--games", "2", "--out", "out"]
    assert program.main(command) == 0
    shown = capsys.readouterr().out
    assert shown.count(f"policy:{name}".replace("\x1b", "?")) >= 3 and "\x1b" not in shown


def test_nobody_plays_the_same_games_twice() -> None:
    assert seating(["greedy", "greedy", "random"], ["random", "random"], players=2) == [("greedy", "random")]
    assert tables(["a", "a", "a", "b"], 3) == [("a", "a", "a"), ("a", "a", "b")]


@pytest.mark.slow
@pytest.mark.parametrize("module", ["choix", "matplotlib"])
def test_names_the_extra_that_is_missing(module: str) -> None:
    code = "from training.evaluate import main; sys.exit(main())"
    done = run_without([module], code, "--agents", "random")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert f"the arena needs {module}" in done.stderr and install_command("arena") in done.stderr


def test_stopped_before_the_first_deal_is_over(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(self: Table, games: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Table, "play", interrupted)
    assert program.main(["--agents", "random"]) == 2
    assert "nothing to report" in capsys.readouterr().err


def test_stopped_early_only_those_who_played_are_rated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = Table.play

    def play(self: Table, games: int) -> Iterator[int]:
        if "random" in self.names:
            raise KeyboardInterrupt
        return whole(self, games)

    monkeypatch.setattr(Table, "play", play)
    assert program.main(["--agents", "greedy", "racer", "random", "--games", "4"]) == 0
    text = capsys.readouterr().out
    assert "Stopped" in text and "greedy" in text and "random" not in text and "nan" not in text


@pytest.mark.parametrize(
    "arguments",
    [
        ["--games", "1"],
        ["--games", "9" * 29],
        ["--games", "9" * 4000],
        ["--records"],
        ["--players", "0"],
        ["--players", "9" * 4000],
        ["--seed", "1" * 5000],
        ["--task", "mini-2p"],
    ],
)
def test_bad_options(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        program.main(["--agents", "random", *arguments])
    shown = capsys.readouterr().err
    assert ("need" in shown or "ttr evaluate --task" in shown) and len(shown) < 1200


@pytest.mark.parametrize("blind", [False, True])
@pytest.mark.parametrize(("agent", "returned"), [("Talker", r"\['\d+'"), ("Talkers", r"\['3'"), ("Nobody", r"\[None")])
def test_an_agent_that_returns_no_number_is_named(tmp_path: Path, agent: str, returned: str, blind: bool) -> None:
    name = f"tests.helpers.odd_agents:{agent}"
    with pytest.raises(
        BadAgent, match=f"agent '{name}' returned no action: {agent} returned {returned}.*whole numbers"
    ):
        finish((name, "random"), 4, tmp_path, blind=blind)
