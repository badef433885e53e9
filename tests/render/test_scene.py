"""What a picture shows, and that it shows nothing that its viewer does not know."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.helpers.positions import MAP, act, claim, finished, game_at, other, ticket, track
from tests.helpers.variants import EVERYWHERE, variant_name
from tests.helpers.walks import positions
from ttr_env import Game, render
from ttr_env.game.knowledge import View
from ttr_env.maps import City

every_variant = pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)

ORANGE_2 = track("'s-Hertogenbosch", "Breda", "orange")
RED_3 = track("'s-Hertogenbosch", "Utrecht", "red")
BLUE_1 = track("'s-Hertogenbosch", "Eindhoven", "blue")
DONE = ticket("Breda", "Eindhoven")


def titles(game: Game, perspective: int | str | None = None) -> list[str]:
    return [group.title for group in render.scene(game, perspective).groups]


def without_history(game: Game) -> Game:
    """The same position, of which nobody remembers the last action: neither does a game dealt anew."""
    return Game.from_snapshot(game.snapshot())


# What is hidden -------------------------------------------------------------------------------


@pytest.mark.slow
@every_variant
def test_a_seat_sees_the_same_however_the_hidden_parts_are_dealt(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(1)
    told_apart = 0
    for number, game in enumerate(positions(options, seed=2, every=41)):
        if game.phase == "over":  # then the scores are open to all
            continue
        seat = number % game.players
        here, there = without_history(game), game.determinize(seat, rng)
        assert render.scene(here, seat) == render.scene(there, seat)
        assert render.to_text(here, seat) == render.to_text(there, seat)
        told_apart += render.scene(here) != render.scene(there)
    assert told_apart > 0  # so the hidden parts did change


def test_the_last_action_does_not_tell_which_tickets_were_kept() -> None:
    games = [Game(players=2, seed=4), Game(players=2, seed=5)]
    for game in games:
        game.step(game.legal_actions()[-1])
        assert "Last: Player 0 kept 5 tickets" in render.scene(game, 1).texts()


def test_others_tolls_are_a_question_mark() -> None:
    game = game_at(tokens=[17, 23])
    assert {"17", "23"} <= set(render.scene(game).texts())
    from_seat_0 = render.scene(game, 0).texts()
    assert "17" in from_seat_0 and "23" not in from_seat_0 and "?" in from_seat_0


def test_everything_by_default_and_by_name() -> None:
    game = Game(players=3, seed=1)
    assert render.scene(game) == render.scene(game, "all") != render.scene(game, 0)


@pytest.mark.parametrize(("perspective", "error"), [(2, ValueError), ("me", ValueError), (0.5, TypeError)])
def test_a_perspective_that_is_none_is_refused(perspective: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        render.scene(Game(players=2, seed=1), perspective)


# The board ------------------------------------------------------------------------------------


def test_all_cities_and_tracks_are_there() -> None:
    game = Game(players=4, seed=1)
    scene = render.scene(game)
    assert set(game.map.cities) <= set(scene.texts())
    assert all(any(title.startswith(f"track {index}: ") for title in titles(game)) for index in range(97))


def test_an_owner_is_told_by_colour_pattern_and_label() -> None:
    game = game_at(owned={ORANGE_2: 1, RED_3: "neutral"}, neutral_player=True)
    shown = titles(game)
    assert f"track {ORANGE_2}: 's-Hertogenbosch to Breda, owned by player 1 (yellow, stripes)" in shown
    assert f"track {RED_3}: 's-Hertogenbosch to Utrecht, owned by the neutral player (white, crosses)" in shown


def test_no_two_players_look_alike() -> None:
    from ttr_env.render.palette import NEUTRAL_STYLE, SEAT_STYLES

    styles = [*SEAT_STYLES, NEUTRAL_STYLE]
    for attribute in ("fill", "pattern", "label"):
        assert len({getattr(style, attribute) for style in styles}) == len(styles)


def test_a_toll_is_shown_while_somebody_can_pay_it() -> None:
    def tolls(**where: Any) -> int:
        return sum(title.startswith("toll ") for title in titles(game_at(**where)))

    routes = tolls()
    assert routes == 53
    assert tolls(owned={RED_3: 0}) == routes  # the other track is free
    assert tolls(owned={RED_3: 0, other(RED_3): 1}) == routes - 1
    assert tolls(tolls=False) == 0


def test_the_track_claimed_last_stands_out() -> None:
    game = game_at(hands=[{"red": 3}])
    claim(game, RED_3, "red")
    glowing, plain = render.scene(game), render.scene(without_history(game))
    assert "Last: Player 0 claimed 's-Hertogenbosch to Utrecht with 3 red" in glowing.texts()
    named = [next(g for g in scene.groups if g.title.startswith(f"track {RED_3}:")) for scene in (glowing, plain)]
    assert named[0] != named[1]


# The panels -----------------------------------------------------------------------------------


def test_tickets_say_how_they_stand() -> None:
    game = game_at(
        owned={ORANGE_2: 0, BLUE_1: 0},
        tickets=[[DONE, ticket("Groningen", "Middelburg")]],
        offered=[[ticket("Leeuwarden", "Antwerpen")]],
        phase="keep_tickets",
    )
    standing = {ticket: how for ticket, how, _ in View.of(game, 0).tickets}
    assert standing == {
        DONE: "done",
        ticket("Groningen", "Middelburg"): "open",
        ticket("Leeuwarden", "Antwerpen"): "offered",
    }


def test_another_players_tracks_do_not_help() -> None:
    game = game_at(owned={ORANGE_2: 0, BLUE_1: 1}, tickets=[[DONE]])
    assert [each[:2] for each in View.of(game).tickets] == [(DONE, "open")]


@every_variant
def test_tickets_are_done_when_the_result_says_so(options: dict[str, Any]) -> None:
    for game in positions(options, seed=6, every=10_000):
        if game.phase == "over":
            for seat, scores in enumerate(game.result()["seats"]):
                done = [standing for standing in View.of(game, seat).tickets if standing.how == "done"]
                assert len(done) == scores["completed"]


def test_the_end_shows_the_scores() -> None:
    game = finished(players=3, owned={RED_3: 1})
    texts = render.scene(game, 0).texts()
    winner = game.result()["winners"][0]
    assert {"Final scores", f"The game is over: player {winner} wins"} <= set(texts)
    assert str(game.result()["seats"][winner]["total"]) in texts
    assert "Hand of player 0" not in texts


def test_the_end_draws_near() -> None:
    assert "Round 8, 2 turns left" in render.scene(game_at(turns_left=2)).texts()


def test_the_neutral_player_and_its_marker() -> None:
    game = game_at(neutral_player=True, neutral={"marker": 0}, owned={RED_3: "neutral"})
    assert {"Neutral player", "37", "player 0 has the marker"} <= set(render.scene(game).texts())
    assert "moves the neutral player" in titles(game)


def test_more_tickets_than_there_is_room_for() -> None:
    game = game_at(players=5, ticket_rest=0)
    assert any(text.startswith("and ") and text.endswith(" more") for text in render.scene(game).texts())


def test_a_row_with_gaps() -> None:
    game = game_at(face_up={"red": 1}, rest=1)
    act(game, "draw_face_up", card="red")
    assert render.scene(game).width == 1200


def test_a_board_of_ones_own(tiny_board: Path) -> None:
    game = Game(tiny_board, seed=1)
    game.step(game.legal_actions()[0])
    texts = render.scene(game).texts()
    assert {"A", "B", "C", "D", "Tiny", "Last: Player 0 kept 1 ticket"} <= set(texts)


def test_a_wide_board_lies_above_the_panels() -> None:
    flat = tuple(City(city, city.latitude / 4, city.longitude) for city in MAP.cities)
    game = Game(dataclasses.replace(MAP, name="flat", cities=flat), players=5, seed=1)
    assert render.scene(game).height > 1000
    game.step(game.legal_actions()[0])
    assert "Last: Player 0 kept 3 tickets" in render.scene(game).texts()


@pytest.mark.parametrize("width", [0, -5])
def test_a_picture_has_a_width(width: int) -> None:
    with pytest.raises(ValueError, match="width"):
        render.to_svg(Game(seed=1), width=width)


def test_players_are_called_by_their_names_where_these_are_known() -> None:
    game = Game(players=2, seed=1)
    assert {"Player 0", "Player 1"} <= set(render.scene(game).texts())
    shown = render.scene(game, names=["planner", "a name that is much too long for its place"]).texts()
    assert "planner" in shown and "Player 0" not in shown
    assert any(text.startswith("a name") and text.endswith("…") for text in shown)
    ended = game.playout("random", np.random.default_rng(0))
    assert render.scene(ended, names=["planner", "racer"]).texts().count("racer") == 2  # and in the final scores
