"""B9 to B12: the end of the game, tickets, the winner, passing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpers.positions import (
    MAP,
    Snapshot,
    act,
    claim,
    filler,
    finished,
    game_at,
    kinds,
    legal,
    other,
    ticket,
    track,
)
from ttr_env import Game, IllegalAction

RED_1 = track("Arnhem", "Nijmegen", "red")
RED_2 = track("Antwerpen", "Turnhout", "red")
RED_3 = track("Emmen", "Groningen", "red")

BREDA_EINDHOVEN = ticket("Breda", "Eindhoven")  # 7 points
BREDA_HERTOGENBOSCH = track("'s-Hertogenbosch", "Breda", "white")
HERTOGENBOSCH_EINDHOVEN = track("'s-Hertogenbosch", "Eindhoven", "green")
AMSTERDAM_GRAVENHAGE = ticket("Amsterdam", "'s-Gravenhage")  # 9 points
AMSTERDAM_HAARLEM = track("Amsterdam", "Haarlem", "black")
HAARLEM_GRAVENHAGE = track("'s-Gravenhage", "Haarlem", "white")


# B9: the end -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("track_id", "left"), [(RED_1, 2), (RED_2, 1), (RED_3, 0)])
def test_B9_two_trains_or_fewer_bring_the_last_turns(track_id: int, left: int) -> None:
    game = game_at(players=4, hands=[{"red": 3}], owned=dict.fromkeys(filler(37), 0))
    after = claim(game, track_id, "red")
    assert after["seats"][0]["trains"] == left
    assert after["turns_left"] == 4


def test_B9_three_trains_do_not() -> None:
    game = game_at(hands=[{"red": 3}], owned=dict.fromkeys(filler(36), 0))
    after = claim(game, RED_1, "red")
    assert after["seats"][0]["trains"] == 3
    assert after["turns_left"] is None


@pytest.mark.parametrize(
    ("player", "last_turns"),
    [(0, [(1, 3), (2, 2), (0, 1)]), (1, [(2, 3), (0, 2), (1, 1)]), (2, [(0, 3), (1, 2), (2, 1)])],
)
def test_B9_every_player_takes_one_last_turn_that_one_included(player: int, last_turns: list[tuple[int, int]]) -> None:
    game = game_at(players=3, player=player, hands=[{"red": 1}] * 3, owned=dict.fromkeys(filler(37), player))
    claim(game, RED_1, "red")
    seen = []
    for _ in last_turns:
        seen.append((game.player, game.snapshot()["turns_left"]))
        act(game, "draw_deck")
        assert game.snapshot()["turns_left"] == seen[-1][1]  # the turn is not finished yet
        act(game, "draw_deck")
    assert seen == last_turns
    assert (game.phase, game.player) == ("over", -1)


def test_B9_the_trigger_fires_once() -> None:
    tracks = filler(37)
    owned = dict.fromkeys(tracks, 0) | {other(i): 1 for i in tracks}
    game = game_at(hands=[{"red": 3}, {"yellow": 1}], owned=owned)
    assert claim(game, RED_1, "red")["turns_left"] == 2
    assert claim(game, other(RED_1), "yellow")["turns_left"] == 1
    claim(game, RED_2, "red")
    assert game.phase == "over"


def test_B9_the_last_turns_are_ordinary_turns() -> None:
    game = game_at(player=1, hands=[{}, {"red": 1}], turns_left=2, owned=dict.fromkeys(filler(38), 0))
    assert kinds(game) == {"draw_deck", "draw_face_up", "draw_tickets", "claim"}
    act(game, "draw_tickets")
    assert game.snapshot()["turns_left"] == 2
    game.step(game.legal_actions()[0])
    assert (game.player, game.snapshot()["turns_left"]) == (0, 1)


def test_B9_after_the_end_nothing_is_legal() -> None:
    game = finished()
    assert len(game.legal_actions()) == 0
    assert not game.action_mask().any()
    with pytest.raises(IllegalAction, match="over"):
        game.step(0)


# B10: tickets ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("owned", "scored", "lost"),
    [
        ({BREDA_HERTOGENBOSCH: 0, HERTOGENBOSCH_EINDHOVEN: 0}, 7, 0),
        ({BREDA_HERTOGENBOSCH: 0}, 0, -7),
        ({BREDA_HERTOGENBOSCH: 0, HERTOGENBOSCH_EINDHOVEN: 1}, 0, -7),
        ({BREDA_HERTOGENBOSCH: 1, HERTOGENBOSCH_EINDHOVEN: 1}, 0, -7),
        ({BREDA_HERTOGENBOSCH: 0, HERTOGENBOSCH_EINDHOVEN: "neutral"}, 0, -7),
        ({}, 0, -7),
    ],
)
def test_B10_a_ticket_scores_if_its_owners_tracks_connect_it_else_it_costs(
    owned: dict[int, int | str], scored: int, lost: int
) -> None:
    seat = finished(neutral_player=True, owned=owned, tickets=[[BREDA_EINDHOVEN]]).result()["seats"][0]
    assert (seat["tickets"], seat["tickets_failed"]) == (scored, lost)
    assert seat["completed"] == (scored > 0)


def test_B10_tracks_connect_by_any_detour_and_in_any_order_of_claiming() -> None:
    # Breda - Turnhout - Hasselt - Maastricht - Eindhoven, the middle claimed last.
    game = game_at(
        player=1,
        hands=[{}, {"yellow": 3}],
        turns_left=1,
        owned={
            track("Breda", "Turnhout", "blue"): 1,
            track("Hasselt", "Maastricht", "red"): 1,
            track("Eindhoven", "Maastricht", "purple"): 1,
        },
        tickets=[[], [BREDA_EINDHOVEN]],
    )
    claim(game, track("Hasselt", "Turnhout", "yellow"), "yellow")
    assert game.result()["seats"][1]["tickets"] == 7


def test_B10_every_ticket_counts_for_itself() -> None:
    owned = {BREDA_HERTOGENBOSCH: 0, HERTOGENBOSCH_EINDHOVEN: 0}
    tickets = [[BREDA_EINDHOVEN, AMSTERDAM_GRAVENHAGE, ticket("Groningen", "Middelburg")]]
    seat = finished(owned=owned, tickets=tickets).result()["seats"][0]
    assert (seat["tickets"], seat["tickets_failed"], seat["completed"]) == (7, -9 - 34, 1)


def test_B10_completion_shows_nowhere_before_the_end() -> None:
    def after_claim(tickets: list[int]) -> Snapshot:
        game = game_at(hands=[{"green": 1}], owned={BREDA_HERTOGENBOSCH: 0}, tickets=[tickets], points=[10, 10])
        assert claim(game, HERTOGENBOSCH_EINDHOVEN, "green")["seats"][0]["points"] == 11
        return game.information_state(1)

    assert after_claim([BREDA_EINDHOVEN]) == after_claim([AMSTERDAM_GRAVENHAGE])


# B11: the winner -------------------------------------------------------------------------------


def standing(game: Game) -> tuple[list[int], list[int], list[int]]:
    """Totals and ranks by seat, and the winners."""
    result = game.result()
    return [s["total"] for s in result["seats"]], [s["rank"] for s in result["seats"]], result["winners"]


def test_B11_most_points_win() -> None:
    game = finished(players=3, tolls=False, points=[41, 60, 50])
    assert standing(game) == ([41, 60, 50], [3, 1, 2], [1])


@pytest.mark.parametrize("winner", [0, 1])
def test_B11_then_most_completed_tickets(winner: int) -> None:
    points = [50, 50, 20]
    tickets: list[list[int]] = [[], [], []]
    points[winner], tickets[winner] = 41, [AMSTERDAM_GRAVENHAGE]
    owned = {AMSTERDAM_HAARLEM: winner, HAARLEM_GRAVENHAGE: winner}
    game = finished(players=3, tolls=False, points=points, tickets=tickets, owned=owned)
    ranks = [1, 2, 3] if winner == 0 else [2, 1, 3]
    assert standing(game) == ([50, 50, 20], ranks, [winner])


def test_B11_completed_tickets_are_counted_not_weighed() -> None:
    # Two small tickets beat one big one; a failed ticket counts as none.
    owned = {BREDA_HERTOGENBOSCH: 0, HERTOGENBOSCH_EINDHOVEN: 0, AMSTERDAM_HAARLEM: 0, HAARLEM_GRAVENHAGE: 0}
    owned |= {track("Amsterdam", "Rotterdam", "red"): 1, track("Antwerpen", "Rotterdam", "black"): 1}
    tickets = [
        [BREDA_EINDHOVEN, AMSTERDAM_GRAVENHAGE],
        [ticket("Amsterdam", "Antwerpen"), ticket("Lingen", "Duisburg")],
    ]
    game = finished(tolls=False, points=[84, 95], owned=owned, tickets=tickets)
    assert standing(game) == ([100, 100], [1, 2], [0])


def test_B11_then_the_win_is_shared_and_the_next_rank_is_skipped() -> None:
    game = finished(players=4, tolls=False, points=[30, 70, 30, 70])
    assert standing(game) == ([30, 70, 30, 70], [3, 1, 3, 1], [1, 3])


def test_B11_no_path_breaks_a_tie_on_nederland() -> None:
    game = finished(tolls=False, points=[70, 70], owned={track("'s-Gravenhage", "Middelburg", "red"): 0})
    assert standing(game) == ([70, 70], [1, 1], [0, 1])


# B12: nothing to do ----------------------------------------------------------------------------


def all_stuck(**where: Any) -> Game:
    """Three players with three trains each, all routes that short taken, all cards and tickets held."""
    first_tracks = {(t.a, t.b): i for i, t in reversed(list(enumerate(MAP.tracks)))}.values()
    ones, twos, threes, fours = ([i for i in first_tracks if MAP.tracks[i].length == n] for n in (1, 2, 3, 4))
    shares = [threes[:12] + ones[:1], threes[12:] + twos + ones[1:5] + fours[:1], ones[5:] + fours[1:10]]
    owned = {i: seat for seat, share in enumerate(shares) for i in share}
    usual = {"face_up": {}, "rest": 2, "ticket_rest": 2}
    return game_at(players=3, tolls=False, owned=owned, **usual | where)


def test_B12_a_player_with_nothing_to_do_passes() -> None:
    game = all_stuck()
    assert [seat["trains"] for seat in game.snapshot()["seats"]] == [3, 3, 3]
    assert legal(game) == [{"kind": "pass"}]
    after = act(game, "pass")
    assert (after["player"], after["phase"], after["passes"]) == (1, "turn", 1)


@pytest.mark.parametrize(
    "way_out",
    [
        {"rest": "deck", "face_up": {"red": 5}},
        {"face_up": {"red": 1}},
        {"ticket_rest": "pile"},
        {"ticket_rest": "discard"},
    ],
)
def test_B12_pass_is_legal_only_then(way_out: dict[str, Any]) -> None:
    assert "pass" not in kinds(all_stuck(**way_out))


def test_B12_a_possible_claim_forbids_passing() -> None:
    game = game_at(hands=[{"red": 1}], face_up={}, rest=1, ticket_rest=1)
    assert legal(game) == [{"kind": "claim", "track": RED_1, "card": "red", "locomotives": 0}]
    with pytest.raises(IllegalAction, match="can do nothing else"):
        game.step(game.index({"kind": "pass"}))


def test_B12_a_turn_that_is_no_pass_starts_the_count_anew() -> None:
    game = game_at(face_up={}, rest=1, ticket_rest=1)
    assert act(game, "pass")["passes"] == 1
    after = claim(game, RED_3, "red")
    assert after["passes"] == 0
    assert game.phase == "turn"


def test_B12_the_game_ends_and_is_scored_when_every_player_passes_in_a_row() -> None:
    game = all_stuck(player=1, points=[30, 20, 90], tickets=[[BREDA_EINDHOVEN]])
    act(game, "pass")
    act(game, "pass")
    assert game.phase == "turn"
    after = act(game, "pass")
    assert (after["phase"], after["player"]) == ("over", -1)
    assert [seat["total"] for seat in game.result()["seats"]][:2] == [30 - 7, 20]
