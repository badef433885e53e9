"""Results side by side: Markdown, and a page that needs nothing beside itself."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ttr_env.tasks import leaderboard, results
from ttr_env.tasks.results import Result


def ranked(result: Result, agent: str, rating: float, **terms: Any) -> Result:
    figures = {**result.figures, "public": {**result.figures["public"], "rating": rating, "rating_error": 9.0}}
    return replace(result, terms=replace(result.terms, agent=agent, **terms), figures=figures)


def test_the_best_comes_first(result: Result) -> None:
    found = [ranked(result, "weak", 900.0), ranked(result, "strong", 1200.0, track="scratch", budget=1_500_000)]
    page = leaderboard.markdown(found)
    assert page.count("### ") == 1 and "### mini-2p" in page
    rows = re.findall(r"^\| (weak|strong) \| (\w*) \| ([\d,]*) \|.* (\d+ ± 9) \|", page, re.MULTILINE)
    assert rows == [("strong", "scratch", "1,500,000", "1200 ± 9"), ("weak", "", "", "900 ± 9")]


def test_how_well_it_can_be_beaten_is_told(result: Result) -> None:
    trained = {"win_share": 0.533, "interval": [0.513, 0.553], "decisions": 10_000_000, "runs": 1}
    beaten = {"best_response": trained}
    assert leaderboard.row(ranked(result, "mine", 1.0, beaten=beaten))[-2:] == ("53.3% (51.3 to 55.3)", "")
    beaten["search"] = {"win_share": 0.6, "interval": [0.5, 0.7], "agent": "ismcts:policy=mine.npz", "games": 100}
    assert leaderboard.row(ranked(result, "mine", 1.0, beaten=beaten))[-1] == "60.0% (50.0 to 70.0)"


def test_results_of_another_version_are_left_out(result: Result) -> None:
    assert leaderboard.by_task([replace(result, terms=replace(result.terms, version=0))]) == {}


def test_a_folder_of_results(result: Result, result_file: Path, tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "planner.jsonl.gz").write_bytes(result_file.read_bytes())
    results.write(result.without_games(), tmp_path / "below" / "planner.json")
    found = list(leaderboard.found_in(tmp_path).values())
    assert len(found) == 2 and found[0].figures == found[1].figures
    with pytest.raises(ValueError, match="has no results"):
        leaderboard.found_in(tmp_path / "nowhere")


def test_the_page_stands_alone_and_keeps_names_apart_from_its_own_text(result: Result) -> None:
    page = leaderboard.page([ranked(result, "<script>mine</script>", 1000.0), result])
    assert "<script" not in page and "&lt;script&gt;mine" in page
    fetched = re.findall(r'(?:src|href)="(?!#)[^"]*"|@import|url\((?!#)', page)
    assert [each for each in fetched if "w3.org" not in each] == []
    plots = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(plots) == 1
    assert ElementTree.fromstring(plots[0]).tag.endswith("svg")
    assert page == leaderboard.page([ranked(result, "<script>mine</script>", 1000.0), result])


def test_tests_that_were_stopped_are_left_out(result: Result) -> None:
    assert leaderboard.by_task([replace(result, complete=False)]) == {}


@pytest.mark.parametrize(
    "name", ["x |  | 2,000 | 99.9% |", "<img src=x onerror=alert(1)>", "[a](https://example.org)", "`a`", "a\\|b"]
)
def test_a_name_makes_no_columns_and_no_markup(name: str, result: Result) -> None:
    lines = leaderboard.markdown([ranked(result, name, 1000.0)]).splitlines()
    heads, row = (re.split(r"(?<!\\)(?:\\\\)*\|", line) for line in (lines[-3], lines[-1]))
    assert len(row) == len(heads) and re.sub(r"\\(.)", r"\1", row[1].strip()) == name
    assert not re.search(r"(?<!\\)[<\[`]", lines[-1])
    page = leaderboard.page([ranked(result, name, 1000.0)])
    assert "<img" not in page and page.count("<td>") == len(leaderboard.HEADINGS) - 1


@pytest.mark.parametrize(
    ("changes", "others", "message"),
    [
        ({"games": 2000}, {}, "says that it is complete, and has 2,000 of 50 games"),
        ({}, {"deals": 2000}, "says that it is complete, and has 50 of 20,000 games"),
        ({}, {"boards": []}, "its boards are not those of mini-2p"),
        ({}, {"opponents": ["random"] * 5}, "its opponents, .* are not those of the tests"),
        ({"games": 10**6}, {"deals": 10**5}, "it has 100,000 deals; those of mini-2p are 1 to 2,000"),
    ],
)
def test_what_is_not_the_task_s_is_refused(
    changes: dict[str, Any], others: dict[str, Any], message: str, result: Result, tmp_path: Path
) -> None:
    forged = replace(result.without_games(), terms=replace(result.terms, **others), **changes)
    results.write(forged, tmp_path / "forged.json")
    with pytest.raises(ValueError, match=rf"forged.json is no result that can be compared: .*{message}"):
        leaderboard.found_in(tmp_path)


@pytest.mark.parametrize("public", [{}, {"win_share": 0.5}, {"win_share": "all", "interval": [0, 1], "mean_total": 1}])
def test_numbers_that_are_none_are_refused(public: Any, result: Result, tmp_path: Path) -> None:
    broken = replace(result.without_games(), figures={**result.figures, "public": public or {"interval": 1}})
    results.write(broken, tmp_path / "broken.json")
    with pytest.raises(ValueError, match=r"broken.json is damaged or no result: public: it lacks"):
        leaderboard.found_in(tmp_path)
