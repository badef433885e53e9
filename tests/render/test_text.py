"""The view for a terminal."""

from __future__ import annotations

import re

import pytest

from tests.helpers.positions import finished, game_at, ticket, track
from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import Game, render

BLUE = track("'s-Hertogenbosch", "Eindhoven", "blue")
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def line(text: str, start: str) -> str:
    return next(each for each in text.splitlines() if start in each)


def test_cards_and_piles() -> None:
    text = render.to_text(game_at(face_up={"red": 2, "blue": 2, "locomotive": 1}), colour=False)
    assert "Face up: blue blue red red locomotive" in text
    assert "deck 105, used 0; tickets 44, refused 0" in text


def test_routes_with_length_toll_and_owners() -> None:
    text = render.to_text(game_at(owned={BLUE: 1}), colour=False)
    assert "'s-Hertogenbosch to Eindhoven  1  2  <1> green" in text
    assert "Rotterdam to Utrecht           3  3  grey" in text
    assert "'s-Hertogenbosch to Eindhoven  1  <1> green" in render.to_text(
        game_at(owned={BLUE: 1}, tolls=False), colour=False
    )


def test_players_from_a_seat() -> None:
    game = game_at(hands=[{"red": 3}, {"blue": 2, "green": 1}], known=[{}, {"green": 1}], tokens=[12, 20])
    text = render.to_text(game, 0, colour=False)
    assert line(text, "> <0>").split()[-2:] == ["hand", "R3"]
    assert line(text, "  <1>").split()[-4:] == ["?", "0", "known", "G1"]
    assert "Hand of player 0: red 3" in text


def test_tickets_done_and_open() -> None:
    ends = ticket("Groningen", "Middelburg")
    text = render.to_text(game_at(tickets=[[ends]]), colour=False)
    assert "[ ] Groningen to Middelburg 34" in text
    assert "Tickets of player 0" in text


def test_the_neutral_player() -> None:
    text = render.to_text(game_at(neutral_player=True, owned={BLUE: "neutral"}), colour=False)
    assert re.search(r"<N> neutral +39  player 1 has the marker", text)


def test_the_end() -> None:
    game = finished(players=2)
    text = render.to_text(game, colour=False)
    assert "Final scores" in text
    assert f"The game is over: player {game.result()['winners'][0]} wins" in text


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_colours_change_nothing_but_colours(options: dict[str, int]) -> None:
    game = Game(seed=3, **options)
    plain, coloured = render.to_text(game, colour=False), render.to_text(game)
    assert "\x1b" not in plain
    assert ANSI.sub("", coloured) == plain
    assert max(map(len, plain.splitlines())) <= 104


def test_a_long_hand_goes_on_below_itself() -> None:
    snapshot = Game(players=2, seed=7).snapshot()
    for card, number in snapshot["deck"].items():  # all but one of each to the first player
        snapshot["seats"][0]["hand"][card] += number - 1
        snapshot["deck"][card] = 1
    game = Game.from_snapshot(snapshot)
    lines = render.to_text(game, perspective=0, colour=False).splitlines()
    place = next(index for index, line in enumerate(lines) if line.startswith("Hand of player 0: "))
    assert lines[place].endswith(",") and len(lines[place]) <= 104
    assert lines[place + 1].startswith(" " * len("Hand of player 0: ")) and "locomotive" in lines[place + 1]
