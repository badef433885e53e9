"""A person at the table: whole games, choices, undo, help, saving, and nothing seen that is hidden."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

import ttr_env
from tests.helpers.positions import position
from ttr_env import agents
from ttr_env.actions import DrawDeck, SetCard, TunnelDecline
from ttr_env.cli.app import app
from ttr_env.cli.commands.play import Session
from ttr_env.cli.talk.dialogue import Dialogue
from ttr_env.cli.talk.menus import Menu, keyword, menu
from ttr_env.game.knowledge import View, reveals

FIRST_KEEP = ["1 2 3", ""]


def play(lines: list[str], *arguments: str) -> str:
    """The screens of a game in which a person types these lines, and then nothing more."""
    done = CliRunner().invoke(app, ["play", "--seed", "7", *arguments], input="".join(line + "\n" for line in lines))
    assert done.exit_code == 0, (done.output, done.exception)
    return done.stdout


def at(position: dict[str, Any]) -> ttr_env.Game:
    return ttr_env.Game.from_snapshot(position)


@pytest.mark.parametrize("arguments", [[], ["--against", "greedy", "--against", "racer", "--seat", "1", "--no-tolls"]])
def test_a_whole_game(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = play([*FIRST_KEEP, *["1", "1", "2", "1", "1", ""] * 300], *arguments)
    assert "You claimed" in text and "You drew from the deck:" in text
    assert "The game is over" in text and "final scores" in text
    assert "Save the game?" in text


def test_the_neutral_player_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = play([*FIRST_KEEP, *["1", "1", ""] * 40], "--neutral-player", "--seat", "1")
    assert "Where does the neutral player build?" in text and "You put the neutral player on" in text


def test_help_and_the_words_work_at_every_prompt() -> None:
    words = ["help", "?", "hand", "tickets", "board"]
    text = play([*words, *FIRST_KEEP, *words, "2", *words, "1", *words, "quit", ""])
    assert text.count("takes back your last choice") == 8
    assert "Type the numbers of the tickets" in text and "Each turn you draw cards" in text
    assert "lies on a cheapest way" in text
    assert text.count("· free track") == 4 and "trains away" in text
    assert "You left the game." in text


def test_the_example_of_a_choice_of_tickets_is_one() -> None:
    assert "numbers such as 1 2 3, all" in play(["quit", ""])
    assert "numbers such as 1, all" in play([*FIRST_KEEP, "draw tickets", "quit", ""])


def test_tickets_are_not_broken_in_two() -> None:
    shown = play(["all", "", "quit", ""]).rpartition("Tickets ")[2].partition("Hand")[0]
    lines = shown.rstrip().splitlines()
    assert len(lines) > 1 and all(line.rstrip(";").endswith(" to go)") and len(line) < 80 for line in lines)
    assert all(line.startswith(" " * 8) for line in lines[1:])


def test_a_choice_can_be_typed_as_it_is_shown() -> None:
    assert "You took a white card." in play([*FIRST_KEEP, "Take white", "quit", ""])
    narrowed = play([*FIRST_KEEP, "draw", "quit", ""]).rpartition("Your turn")[2]
    assert " 2  draw tickets" in narrowed and " 3 " not in narrowed


def test_what_can_be_typed() -> None:
    assert [keyword(action) for action in (DrawDeck(), SetCard("blue"), TunnelDecline())] == [
        "deck",
        "blue",
        "tunnel decline",
    ]


def test_ctrl_c_while_an_agent_thinks_still_offers_to_save(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ttr_env.cli.commands.play.act", interrupted)
    text = play(["1 2 3", "", ""])
    assert "You left the game." in text and "Save the game?" in text


def interrupted(*_: Any) -> None:
    raise KeyboardInterrupt


def test_nonsense_is_answered_and_changes_nothing() -> None:
    text = play(["x", "1", "9 9 9", "1 1 2", "", *FIRST_KEEP, "zzz", "99", "0", "-1", "", "quit", ""])
    assert "'x' is no choice here" in text and "'9 9 9' is no choice" in text and "'1 1 2' is no choice" in text
    assert "'zzz' is neither a number of the list nor one of: help, hand" in text
    assert "99 is not on the list; it goes from 1 to 8." in text
    assert text.count("You ") == 3  # are player 0, kept tickets, left


def test_what_revealed_nothing_can_be_taken_back(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    lines = ["1 2 3", "undo", "all", "", "claim", "1", "undo", "claim", "2", "", "quit", str(file)]
    text = play(lines)
    assert text.count("Taken back.") == 2
    record = json.loads(file.read_text())
    game = ttr_env.Game.replay(record)
    mine = [action for action, mover in zip(record["actions"], movers(record), strict=True) if mover == 0]
    assert len(mine) == 2, "what was taken back is no part of the game"
    assert len(game.information_state(0)["seats"][0]["tickets"]) == 5


def movers(record: dict[str, Any]) -> list[int]:
    """Whose decision each of the record's actions was."""
    return [
        ttr_env.Game.replay({**record, "actions": record["actions"][:step]}).player
        for step in range(len(record["actions"]))
    ]


def test_what_was_revealed_cannot() -> None:
    text = play([*FIRST_KEEP, "deck", "undo", "quit", ""])
    assert "Taken back" not in text and "cannot be unseen" in text


def test_undo_leads_out_of_a_menu() -> None:
    text = play([*FIRST_KEEP, "claim", "undo", "claim", "leeuw", "back", "back", "quit", ""])
    assert text.count("Your turn") == 3 and "Taken back" not in text and "cannot be unseen" not in text


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("draw_deck", True), ("draw_face_up", True), ("draw_tickets", True), ("claim", False), ("keep_tickets", False)],
)
def test_what_reveals_something(kind: str, expected: bool) -> None:
    game = ttr_env.Game(seed=7)
    if kind != "keep_tickets":
        for _ in range(2):
            game.step(int(game.legal_actions()[0]))
    action = next(int(index) for index in game.legal_actions() if game.describe(int(index)).kind == kind)
    assert reveals(game, 0, action) is expected


def test_a_game_is_saved_and_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    text = play([*FIRST_KEEP, "1", "1", "quit", str(file)])
    assert f"ttr play --resume {file}" in text.replace("\n", "")
    done = CliRunner().invoke(app, ["play", "--resume", str(file)], input="quit\n\n")
    assert done.exit_code == 0
    last = text[: text.index("You left the game.")].splitlines()
    assert last[-6:-1] == done.stdout[: done.stdout.index("You left the game.")].splitlines()[-6:-1]


def test_a_saved_game_does_not_decide_what_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "planted.py").write_text(
        "from pathlib import Path\nPath('run.txt').touch()\n\nclass Mine:\n"
        "    def __init__(self, seed): pass\n    def act(self, game): return int(game.legal_actions()[0])\n"
    )
    play([*FIRST_KEEP, "quit", "game.json"])
    record = json.loads(Path("game.json").read_text())
    for stranger in ("planted:Mine", "sb3:model.zip", "policy:policy.npz", "exec:touch run.txt"):
        Path("game.json").write_text(json.dumps({**record, "agents": ["you", stranger]}))
        done = CliRunner().invoke(app, ["play", "--resume", "game.json"], input="quit\n\n")
        told = done.stderr.replace("\n", " ")
        assert done.exit_code == 2 and "agents that are not built in" in told and "--against" in told
        assert not Path("run.txt").exists()
    given = ["play", "--resume", "game.json", "--against", "planted:Mine"]
    assert CliRunner().invoke(app, given, input="quit\n\n").exit_code == 0
    assert Path("run.txt").exists()
    given += ["--against", "planner"]
    assert "has 1 opponents" in CliRunner().invoke(app, given).stderr.replace("\n", " ")


def test_names_from_a_file_do_not_steer_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    play([*FIRST_KEEP, "quit", str(file)])
    file.write_text(json.dumps({**json.loads(file.read_text()), "agents": ["you\x1b[2J", "\x9b31mplanner"]}))
    done = CliRunner().invoke(app, ["replay", str(file)])
    assert done.exit_code == 0 and "\x1b[2J" not in done.output and "\x9b" not in done.output


def test_a_name_that_will_not_do_loses_no_game(tmp_path: Path) -> None:
    other, file = tmp_path / "thesis.txt", tmp_path / "game.json"
    other.write_text("years of work")
    text = play(["quit", "/nowhere/at/all", str(other), str(file)])
    assert "/nowhere/at/all cannot be written" in text and "no saved game" in text
    assert file.exists() and other.read_text() == "years of work"
    play([*FIRST_KEEP, "quit", str(file)])
    assert json.loads(file.read_text())["actions"], "a saved game is replaced"


def leaves(menu: Menu) -> list[int]:
    """All actions that a menu leads to."""
    found = list(menu.tickets.values())
    for choice in (*menu.choices, *menu.more):
        found += [] if choice.action is None else [choice.action]
        found += [] if choice.menu is None else leaves(choice.menu)
    return found


def test_menus_lead_to_legal_actions_and_leave_out_only_twins() -> None:
    game, planner = ttr_env.Game(players=3, seed=5), agents.make("planner")
    while game.player >= 0:
        legal, offered = set(game.legal_actions().tolist()), set(leaves(menu(game, View.of(game, game.player))))
        assert offered <= legal
        for action in legal - offered:  # the other of two tracks that differ in nothing
            form = game.describe(action).as_dict()
            partner = game.map.partners[form["track"]]
            assert partner is not None
            assert game.index({**form, "track": partner}) in offered
        game.step(planner.act(game))


def test_a_payment_is_asked_for_only_where_there_is_a_choice() -> None:
    game = at(position(hands=[{"red": 1}]))
    routes = next(choice.menu for choice in menu(game, View.of(game, 0)).choices if choice.menu)
    assert routes is not None
    assert all(choice.menu is None and choice.label.endswith(" 1 red") for choice in routes.choices)
    game = at(position(hands=[{"red": 1, "locomotive": 1}]))
    routes = next(choice.menu for choice in menu(game, View.of(game, 0)).choices if choice.menu)
    assert routes is not None
    ways = {
        choice.search: [way.label for way in choice.menu.choices]
        for choice in routes.choices
        if choice.menu is not None
    }
    assert ways["Arnhem Nijmegen"] == ["1 red", "1 locomotive, the yellow track", "1 locomotive, the red track"]


class Paper(Console):
    """A console that only writes."""

    def __init__(self) -> None:
        super().__init__(file=io.StringIO(), width=100, height=40, color_system=None)

    def text(self) -> str:
        assert isinstance(self.file, io.StringIO)
        return self.file.getvalue()


def screens(game: ttr_env.Game, seat: int) -> str:
    """All that a person in this seat can ask to see."""
    paper = Paper()
    actors = [None if each == seat else agents.make("random") for each in range(game.players)]
    session = Session(game.copy(), [f"name {each}" for each in range(game.players)], actors, paper)
    session.show()
    for what in ("hand", "tickets", "board"):
        session.tell(what)
    show_all(menu(game, View.of(game, seat)), Dialogue(paper, session.tell).show)
    return paper.text()


def show_all(menu: Menu, show: Callable[[Menu], None]) -> None:
    show(menu)
    for choice in menu.choices:
        if choice.menu is not None:
            show_all(choice.menu, show)


@pytest.mark.parametrize("neutral", [False, True])
def test_nothing_on_the_screens_depends_on_what_is_hidden(neutral: bool) -> None:
    rng = np.random.default_rng(0)
    game, planner = ttr_env.Game(players=2, seed=11, neutral_player=neutral), agents.make("planner")
    step, compared = 0, 0
    while game.player >= 0:
        if step % 12 == 0:
            seen, other = screens(game, game.player), game.determinize(game.player, rng)
            assert screens(other, game.player) == seen
            compared += other.snapshot() != game.snapshot()
        game.step(planner.act(game))
        step += 1
    assert compared > 5
