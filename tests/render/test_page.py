"""Pages: whole, small, safe to open, and from a seat without anything that it cannot know."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import pytest

from tests.helpers.positions import act, claim, game_at, track
from tests.helpers.variants import EVERYWHERE, variant_name
from tests.helpers.walks import positions
from ttr_env import Game, agents, render
from ttr_env.agents import Explanation, Thought
from ttr_env.errors import BadAgent, PageError, RecordError
from ttr_env.game.knowledge import scores_so_far
from ttr_env.render.pages import Page
from ttr_env.render.telling import told_apart

every_variant = pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)


def data_of(page: Page) -> dict[str, Any]:
    """What a page tells its script."""
    found = re.search(r'<script type="application/json" id="game">(.*?)</script>', str(page), re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def unfolded(data: dict[str, Any]) -> list[list[int]]:
    """The pieces of each picture, as the page's script works them out."""
    pictures: list[list[int]] = []
    for runs in data["frames"]:
        before = pictures[-1] if pictures else []
        pieces = [before[run[0] : sum(run)] if isinstance(run, list) else [run] for run in runs]
        pictures.append([number for some in pieces for number in some])
    return pictures


@pytest.fixture(scope="module")
def game() -> Game:
    """A game of four that is over."""
    return agents.play(Game(players=4, seed=7), ["planner"] * 4)


# What is in it --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("perspective", [None, 2])
def test_it_has_every_picture_and_every_move(game: Game, perspective: int | None) -> None:
    data = data_of(render.page(game, perspective))
    assert len(data["moves"]) == len(game.actions)
    for position, pieces in zip(game.history(), unfolded(data), strict=True):
        drawn = "\n".join(data["pieces"][number][1] for number in pieces)
        assert drawn in render.to_svg(position, perspective)
    assert [seat[-1] for seat in data["scores"][-1]] == [seat["total"] for seat in game.result()["seats"]]


def test_a_record_and_its_game_have_the_same_page(game: Game) -> None:
    assert str(render.page(game)) == str(render.page(game.record())) == str(render.page(game, "all"))


def test_positions_are_told_with_names(game: Game) -> None:
    names = ["planner", "Anna", "planner", "Ben"]
    data = data_of(render.page({**game.record(), "agents": names}))
    told = ["Planner (player 0)", "Anna", "Planner (player 2)", "Ben"]
    assert [seat["told"] for seat in data["seats"]] == told
    assert all(status.startswith(tuple(told)) for status in data["statuses"][:-1])
    winners = " and ".join(told_apart(names)[seat] for seat in game.result()["winners"])
    assert data["statuses"][-1].startswith(f"The game is over: {winners} win")
    unnamed = data_of(render.page(game))
    assert unnamed["statuses"][0] == "Player 0 chooses tickets" and unnamed["seats"][1]["told"] == "Player 1"


def test_players_have_names_where_the_record_says_so(game: Game) -> None:
    names = ["planner", "<b>you</b>", "</script>", "<!--"]
    page = render.page({**game.record(), "agents": names})
    assert [seat["name"] for seat in data_of(page)["seats"]] == names  # whatever they contain
    assert str(page).count("</script>") == 2 and "<!--" not in str(page)
    words = "".join(markup for _, markup in data_of(page)["pieces"])
    assert all(f">{escape(name)}<" in words for name in names) and ">Player 1<" not in words


def test_moves_are_told_with_what_only_some_saw(game: Game) -> None:
    everything, seat_0 = data_of(render.page(game)), data_of(render.page(game, 0))
    assert [move[:2] for move in everything["moves"]] == [move[:2] for move in seat_0["moves"]]
    told = [move for move in everything["moves"] if move[2]]
    assert {"drew a card from the deck", "kept 3 tickets"} <= {move[1] for move in told}
    assert [move for move in told if move[0] == 0] == [move for move in seat_0["moves"] if move[2]]


def test_a_board_of_ones_own_needs_no_name(tiny_board: Path) -> None:
    game = Game(tiny_board, seed=1)
    game.step(int(game.legal_actions()[0]))
    assert "Tiny" in str(render.page(game))
    assert len(data_of(render.page(game.copy()))["moves"]) == 1


def test_a_game_from_the_middle_begins_there() -> None:
    game = Game.from_snapshot(game_at(players=3, hands=[{"red": 3}]).snapshot())
    act(game, "draw_deck")
    data = data_of(render.page(game))
    assert len(data["frames"]) == 2 and data["moves"][0][1] == "drew a card from the deck"


def test_it_is_small(game: Game) -> None:
    assert len(game.actions) > 200
    whole = str(render.page(game, explain=["champion"])).encode()
    assert len(whole) < 1_000_000 and len(gzip.compress(whole)) < 110_000


def test_a_long_game_has_a_page() -> None:
    game, chance = Game(players=2, seed=1), np.random.default_rng(1)
    while not game.over:  # whoever draws as long as there is something to draw plays for long
        draws = [action for action in game.legal_actions().tolist() if "draw" in game.describe(action).kind]
        game.step(int(chance.choice(draws)) if draws and chance.random() < 0.97 else game.sample(chance))
    assert len(str(render.page(game))) < 5_000_000


# What is hidden -------------------------------------------------------------------------------


@pytest.mark.slow
@every_variant
def test_a_seat_gets_the_same_file_however_the_hidden_parts_are_dealt(options: dict[str, Any]) -> None:
    rng, told_apart = np.random.default_rng(1), 0
    for number, game in enumerate(positions(options, seed=2, every=61)):
        if game.over:
            continue
        seat = number % game.players
        here, there = Game.from_snapshot(game.snapshot()), game.determinize(seat, rng)
        explain = ["champion"] if number % 5 == 0 else []
        assert str(render.page(here, seat, explain)) == str(render.page(there, seat, explain))
        told_apart += str(render.page(here)) != str(render.page(there))
    assert told_apart > 0  # so the hidden parts did change


def secretly_played(game: Game) -> Game:
    """The game after some turns in which player 1 does what player 0 cannot look into, and player 0 draws nothing."""
    act(game, "draw_deck")
    act(game, "draw_deck")
    claim(game, track("'s-Hertogenbosch", "Utrecht", "red"), "red")
    act(game, "draw_tickets")
    game.step(int(game.legal_actions()[0]))  # keeps one ticket
    claim(game, track("'s-Hertogenbosch", "Eindhoven", "blue"), "blue")
    act(game, "draw_deck")
    return game


def test_a_seat_gets_the_same_file_whatever_the_others_did_in_secret() -> None:
    start = game_at(players=2, hands=[{"red": 6, "blue": 6}, {"green": 3, "white": 2}], player=1)
    worlds = [Game.from_snapshot(start.snapshot())]
    rng = np.random.default_rng(3)
    worlds += [Game.from_snapshot(start.determinize(0, rng).snapshot()) for _ in range(4)]
    played = [secretly_played(world) for world in worlds]
    files = {str(render.page(game, 0, ["champion", "planner"])) for game in played}
    assert len(files) == 1
    assert len({str(render.page(game, 1)) for game in played}) == len(played)
    [opinions] = {json.dumps(data_of(render.page(game, 0, ["champion"]))["opinions"]) for game in played}
    movers = [position.player for position in played[0].history()][:-1]
    assert [each is None for each in json.loads(opinions)] == [mover == 1 for mover in movers]


def test_the_way_to_look_at_everything_is_not_in_a_seats_file(game: Game) -> None:
    assert data_of(render.page(game))["record"]["seed"] == game.seed
    data = data_of(render.page(game, 3))
    assert "record" not in data and "seed" not in data


@pytest.mark.slow
@every_variant
def test_scores_tell_a_seat_only_what_it_knows(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(4)
    for number, game in enumerate(positions(options, seed=5, every=23)):
        seat = number % game.players
        seen = scores_so_far(game, seat)
        if game.over:
            assert seen == scores_so_far(game)
        else:
            assert seen == scores_so_far(game.determinize(seat, rng), seat)
            assert all(row["total"] is None for row in seen)


# What agents think ----------------------------------------------------------------------------


def test_every_decision_is_explained(game: Game) -> None:
    begun = Game.replay({**game.record(), "actions": game.actions[:12]})
    data = data_of(render.page(begun, explain=["champion", "planner", "ismcts:iterations=60"]))
    assert data["agents"] == ["champion", "planner", "ismcts:iterations=60"]
    searched = 0
    for position, action, told in zip(begun.history(), begun.actions, data["opinions"], strict=False):
        for name, opinion in zip(data["agents"], told, strict=True):
            explained = agents.explain(name, position)
            assert opinion["differs"] == (explained.choice != action)
            [choice] = [option for option in opinion["options"] if option[1]]
            assert data["sentences"][choice[0]] == position.text(explained.choice)
            played = [data["sentences"][option[0]] for option in opinion["options"] if option[2]]
            assert played in ([], [position.text(action)])
            assert len(opinion["options"]) <= 7
            searched += sum(option[4] is not None and option[6] > 0 for option in opinion["options"])
        assert told[0]["value"] == pytest.approx(agents.explain("champion", position).value, abs=1e-3)
        assert told[1]["options"][0][3:7] == [None] * 4 and told[1]["value"] is None
    assert searched > 0


class Stubborn:
    """Always wants the same."""

    def __init__(self, action: int, value: float | None = None) -> None:
        self.action, self.value = action, value

    def act(self, game: Game) -> int:
        return self.action

    def explain(self, game: Game) -> Explanation:
        return Explanation(self.action, (Thought(self.action),), self.value)


def test_an_agent_of_ones_own_is_asked(game: Game) -> None:
    begun = Game.replay({**game.record(), "actions": game.actions[:1]})
    data = data_of(render.page(begun, explain=[Stubborn(game.actions[0], value=float("nan"))]))
    assert data["agents"] == ["Stubborn"]
    assert data["opinions"][0][0]["value"] is None and not data["opinions"][0][0]["differs"]


# What a browser is told -----------------------------------------------------------------------


def test_the_policy_lets_nothing_in_but_its_own_script_and_style(game: Game) -> None:
    page = str(render.page(Game.replay({**game.record(), "actions": []})))
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="(.*?)"', page)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'" and "unsafe" not in policy
    for kind, pattern in (("script-src", r"<script>(.*?)</script>"), ("style-src", r"<style>(.*?)</style>")):
        [text] = re.findall(pattern, page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[kind] == f"'sha256-{digest}'"
    assert not re.findall(r"""(?:src|href)=["'](?!data:|#)""", page) and " style=" not in page


def test_a_notebook_gets_a_frame(game: Game) -> None:
    page = render.page(game)
    frame = page._repr_html_()
    assert frame.startswith("<iframe ") and 'sandbox="allow-scripts' in frame
    [inside] = re.findall(r'srcdoc="(.*?)"', frame, re.DOTALL)
    assert html.unescape(inside) == str(page)
    assert game._repr_html_() == frame


# What is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("perspective", "error", "message"),
    [
        (7, ValueError, "perspective: the seats are 0 to 3, not 7"),
        (-1, ValueError, "perspective: the seats are 0 to 3, not -1"),
        ("me", ValueError, "perspective: a seat, or None or \"all\" for everything, is needed, not 'me'"),
        (0.5, TypeError, "perspective"),
    ],
)
def test_a_perspective_that_is_none_is_refused(game: Game, perspective: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        render.page(game, perspective)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"map_digest": "0000"}, "the record was played on another version of Nederland"),
        ({"actions": [100_000]}, "step 0: action 100000 is out of range"),
        ({"actions": None}, "actions must be a list"),
        ({"seed": None}, "a seed or a start is needed"),
        ({"format": 9}, "format 9 is unknown"),
    ],
)
def test_a_record_that_cannot_be_replayed_is_refused(game: Game, change: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        render.page({**game.record(), **change})


def test_what_is_no_record_is_refused() -> None:
    with pytest.raises(RecordError, match="a record is a dictionary, not list"):
        render.page([1, 2])  # type: ignore[arg-type]


def test_an_agent_that_nobody_knows_is_refused(game: Game) -> None:
    with pytest.raises(ValueError, match=r"agent 'chmpion' is unknown \(did you mean 'champion'"):
        render.page(game, explain=["chmpion"])


def test_an_agent_that_wants_the_impossible_is_named(game: Game) -> None:
    with pytest.raises(BadAgent, match="agent 'Stubborn' chose an illegal action: 0, at decision 0"):
        render.page(game, explain=[Stubborn(0)])


@pytest.mark.parametrize("name", ["missing/page.html", "folder"])
def test_a_file_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(PageError, match=f"{name} cannot be written: "):
        render.page(Game(seed=1)).save(tmp_path / name)
    assert list(tmp_path.rglob("*")) == [tmp_path / "folder"]


def test_a_file_stays_until_another_is_whole(tmp_path: Path) -> None:
    page, file = render.page(Game(seed=1)), tmp_path / "page.html"
    file.write_text("before")
    in_the_way = tmp_path / ".page.unfinished.html"
    in_the_way.mkdir()
    with pytest.raises(PageError, match="cannot be written"):
        page.save(file)
    assert file.read_text() == "before"
    in_the_way.rmdir()
    page.save(str(file))
    assert file.read_text(encoding="utf-8") == str(page) and list(tmp_path.iterdir()) == [file]
