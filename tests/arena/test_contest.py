"""The arena as a function: what it gives, whom it tells how far it is, and what it needs."""

import json
from pathlib import Path
from typing import Any

import pytest

import ttr_env
from tests.helpers.without import run_without
from ttr_env import arena, maps
from ttr_env.arena import program
from ttr_env.arena.tables import Table
from ttr_env.engine.scoring import PARTS


def test_results_say_who_is_how_strong() -> None:
    told: list[tuple[int, int]] = []
    results = arena.evaluate(
        ["planner", "racer"], against=["random"], games=21, seed=3, progress=lambda *now: told.append(now)
    )
    assert {standing.name for standing in results.standings} == {"planner", "racer", "random"}
    assert sum(results.pairs["planner"]["random"]) == 22  # whole deals
    assert [table.names for table in results.tables] == [("planner", "random"), ("racer", "random")]
    assert told == sorted(told) and told[-1] == (44, 44)


def test_results_as_json_have_the_names_that_others_read() -> None:
    form = arena.evaluate(["greedy", "random"], games=4, players=3, tolls=False).as_dict()
    assert form == json.loads(json.dumps(form))
    assert set(form) == {"players", "games", "seed", "map", "tolls", "neutral_player", "agents", "matchups", "pairs"}
    assert (form["players"], form["games"], form["seed"], form["map"], form["tolls"]) == (3, 4, 1, "nederland", False)
    assert {"name", "games", "win_rate", "ci", "rating", "rating_error", "decisions"} <= set(form["agents"][0])


@pytest.mark.parametrize("name", maps.names())
def test_means_hold_every_part_of_the_score_on_every_map(name: str) -> None:
    for standing in arena.evaluate(["planner", "racer"], map=name, games=4).standings:
        assert tuple(standing.means) == PARTS
        points = sum(value for part, value in standing.means.items() if part not in ("total", "completed"))
        assert points == pytest.approx(standing.means["total"])


def test_the_parts_of_the_score_are_points_and_completed_tickets() -> None:
    assert (*PARTS, "path", "rank") == ttr_env.SCORES
    assert {"longest_path", "most_tickets", "total", "completed"} <= set(PARTS)


def test_a_map_may_be_a_folder_or_a_map(tiny_board: Path) -> None:
    results = [arena.evaluate(["greedy", "random"], map=map, games=4) for map in (tiny_board, maps.load(tiny_board))]
    assert results[0].as_dict() == results[1].as_dict() and results[0].map == str(tiny_board)


@pytest.mark.parametrize(
    ("agents", "options", "message"),
    [
        ([], {}, "agents: at least one is needed"),
        (["planer"], {}, "did you mean 'planner'"),
        (["random"], {"players": 6}, "players: .* 2 to 5 players"),
        (["random"], {"games": 1}, "games: at least 2"),
        (["random"], {"games": 10**29}, "games: at least 2 .* at most 10,000,000, not 1000"),
        (["ismcts:iterations=inf"], {}, "iterations must be a number above 0, not inf"),
        (["ismcts:iterations=" + "9" * 4000], {}, "iterations must be .* not 9+ ...; at most 1,000,000,000"),
        (["ismcts:iterations=" + "9" * 5000], {}, "iterations must be .* not inf"),
        (["champion+search:seconds=inf"], {}, "seconds must be a number above 0, not inf; at most 86,400"),
        (["ismcts:seconds=nan"], {}, "seconds must be a number above 0, not nan"),
        (["random"], {"seed": 2**64}, "seed: a whole number from 0"),
        (["random"], {"against": ["random"]}, "would only meet themselves"),
        (["champion:version=1"], {"map": "usa"}, "cannot play 'usa'"),
    ],
)
def test_refuses_what_cannot_be_played(agents: list[str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        arena.evaluate(agents, **options)


@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_of_thousands_of_digits_are_refused(sign: int) -> None:
    with pytest.raises(TypeError, match=r"games: a whole number is needed, and less than 2\*\*1000"):
        arena.evaluate(["random"], games=sign * 10**5000)


def test_stopped_it_hands_over_what_was_played() -> None:
    def stop(finished: int, total: int) -> None:
        if finished >= 60:
            raise KeyboardInterrupt

    with pytest.raises(arena.Stopped) as stopped:
        arena.evaluate(["random", "greedy", "racer"], games=50, progress=stop)
    results = stopped.value.results
    assert [table.names for table in results.tables] == [("random", "greedy"), ("random", "racer")]
    assert 0 < len(results.tables[1].games) <= 50
    assert isinstance(stopped.value, KeyboardInterrupt)


def test_stopped_before_the_first_deal_there_is_nothing_to_hand_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Table, games: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Table, "play", interrupted)
    with pytest.raises(KeyboardInterrupt) as stopped:
        arena.evaluate(["random", "greedy"])
    assert not isinstance(stopped.value, arena.Stopped)


@pytest.mark.slow
def test_it_needs_no_torch_and_nothing_of_learning(tmp_path: Path) -> None:
    code = """
import importlib, pkgutil
import ttr_env.arena as arena
for module in pkgutil.iter_modules(arena.__path__, "ttr_env.arena."):
    importlib.import_module(module.name)
from ttr_env.arena import program
sys.exit(program.main(["--agents", "champion", "random", "--games", "2", "--out", sys.argv[1]]))
"""
    missing = ("torch", "stable_baselines3", "sb3_contrib", "ray", "ttr_env.learning")
    done = run_without(missing, code, str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "results.json").exists()


def actions_of(results: arena.Results) -> list[list[int]]:
    return [record["actions"] for table in results.tables for record in table.records]


@pytest.mark.parametrize("agents", [["champion", "tests.helpers.odd_agents:Good"], ["greedy", "ismcts:iterations=5"]])
def test_blind_agents_play_the_same_games_if_they_are_honest(agents: list[str]) -> None:
    seeing, blind = (arena.evaluate(agents, games=4, keep_records=True, blind=each) for each in (False, True))
    assert actions_of(seeing) == actions_of(blind)


@pytest.mark.parametrize("peeker", ["Peeker", "BatchPeeker", "Clairvoyant"])
def test_blind_agents_have_nothing_to_peek_at(peeker: str) -> None:
    agents = [f"tests.helpers.odd_agents:{peeker}", "random"]
    seeing, blind = (arena.evaluate(agents, games=4, keep_records=True, blind=each) for each in (False, True))
    assert actions_of(seeing) != actions_of(blind)
    assert actions_of(arena.evaluate(agents, games=4, keep_records=True, blind=True)) == actions_of(blind)


def test_blind_on_the_command_line(tmp_path: Path) -> None:
    told = []
    for blind in ([], ["--blind"]):
        file = tmp_path / "results.json"
        asked = ["--agents", "tests.helpers.odd_agents:Peeker", "random", "--games", "4", "--json", str(file), *blind]
        assert program.main(asked) == 0
        told.append(file.read_text())
    assert told[0] != told[1]
