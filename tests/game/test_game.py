"""One game: what it makes of bad input, and boards of one's own."""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.helpers.positions import game_at
from ttr_env import Game, IllegalAction, MapError, maps


def random_end(game: Game, seed: int = 0) -> Game:
    """The game after random actions to its end."""
    rng = np.random.default_rng(seed)
    while game.player >= 0:
        game.step(rng.choice(game.legal_actions()))
    return game


# Options ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"players": 1}, ValueError, "players: Nederland is for 2 to 5 players, not 1"),
        ({"players": 6}, ValueError, "players: Nederland is for 2 to 5 players, not 6"),
        ({"players": "2"}, TypeError, "players: a whole number is needed, not '2'"),
        ({"players": True}, TypeError, "players: a whole number is needed, not True"),
        ({"players": 2.0}, TypeError, "players: a whole number is needed, not 2.0"),
        ({"map": "atlantis"}, MapError, "'atlantis' is no map and no folder; the built-in maps are: mini"),
        ({"map": None}, TypeError, "map: a name, a folder or a Map is needed, not None"),
        ({"tolls": "no"}, TypeError, "tolls: True or False is needed, not 'no'"),
        ({"neutral_player": "no"}, TypeError, "neutral_player: True or False is needed, not 'no'"),
        ({"map": ""}, MapError, "'' is no map and no folder"),
        ({"players": 3, "neutral_player": True}, ValueError, "neutral_player: .* 2 players, not 3"),
        ({"tolls": False, "neutral_player": True}, ValueError, "neutral_player: .* needs tolls"),
        ({"seed": -1}, ValueError, "seed: a whole number from 0 to 2\\*\\*64 - 1 is needed, not -1"),
        ({"seed": 2**64}, ValueError, f"seed: .* not {2**64}"),
        ({"seed": 1.5}, TypeError, "seed: a whole number is needed, not 1.5"),
        ({"seed": "7"}, TypeError, "seed: a whole number is needed, not '7'"),
        ({"seed": True}, TypeError, "seed: a whole number is needed, not True"),
    ],
    ids=str,
)
def test_options_are_checked(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Game(**options)


def test_seeds_of_any_integer_type_deal_the_same_game() -> None:
    games = [Game(seed=seed).snapshot() for seed in (7, np.int32(7), np.uint64(7))]
    assert games[0] == games[1] == games[2] != Game(seed=8).snapshot()
    assert Game(seed=2**64 - 1).snapshot() != Game(seed=0).snapshot()


def test_without_a_seed_every_game_is_another_and_can_be_replayed() -> None:
    one, other = Game(), Game()
    assert one.snapshot() != other.snapshot()
    assert Game.replay(one.record()).snapshot() == one.snapshot()


# Actions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (-1, "action -1 is out of range; actions go from 0 to 615"),
        (616, "action 616 is out of range"),
        (32768, "action 32768 is out of range"),
        (2**63, f"action {2**63} is out of range"),
        (-(2**200), "is out of range"),
        (np.int8(-1), "action -1 is out of range"),
        (0, r"action 0 \({'kind': 'draw_deck'}\) is illegal for player 0: the phase is keep_tickets"),
        (True, "action: a whole number is needed, not True"),
        (12.0, "action: a whole number is needed, not 12.0"),
        (np.float32(12), "action: a whole number is needed"),
        ("12", "action: a whole number is needed, not '12'"),
        (None, "action: a whole number is needed, not None"),
        ([12], "action: a whole number is needed"),
        ({"kind": "draw_deck"}, r"a whole number is needed.*game.index\(\)"),
    ],
    ids=repr,
)
def test_a_bad_action_is_refused_and_changes_nothing(action: Any, message: str) -> None:
    game = Game(seed=1)
    before, history = game.snapshot(), game.record()
    with pytest.raises(IllegalAction, match=message):
        game.step(action)
    assert (game.snapshot(), game.record()) == (before, history)


def test_actions_may_be_numpy_integers() -> None:
    game, twin = Game(seed=1), Game(seed=1)
    game.step(np.uint16(18))
    twin.step(18)
    assert game.snapshot() == twin.snapshot()
    assert json.loads(json.dumps(game.record()))["actions"] == [18]


def test_when_the_game_is_over_nothing_moves() -> None:
    game = random_end(Game(seed=3))
    before = game.snapshot()
    assert (game.player, game.phase) == (-1, "over")
    assert not game.action_mask().any()
    assert game.legal_actions().size == 0
    for action in (0, 11, 12, 43, 614):
        with pytest.raises(IllegalAction, match=f"action {action} .*the game is over"):
            game.step(action)
    assert game.snapshot() == before


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (5, "an action is an Action or its dictionary, not 5"),
        ({"kind": ["claim"]}, r"\['claim'\] is no kind of action"),
        ({"kind": "keep_tickets", "tickets": 5}, "cannot have the tickets 5"),
        ({"kind": "keep_tickets", "tickets": ["1"]}, r"cannot have the tickets \['1'\]"),
        ({"kind": "claim", "track": [1], "card": "red", "locomotives": 0}, r"cannot have the track \[1\]"),
        ({"kind": "claim", "track": True, "card": "purple", "locomotives": 0}, "cannot have the track True"),
        ({"kind": "draw_face_up", "card": 3}, "cannot have the card 3"),
        ({"kind": "fly"}, "'fly' is no kind of action; the kinds are draw_deck, "),
        ({}, "None is no kind of action"),
        ({"kind": "claim", "track": 1}, r"a claim action has the fields \['track', 'card', 'locomotives'\]"),
        ({"kind": "draw_deck", "card": "red"}, r"has the fields \[\], not \['card'\]"),
        ({"kind": "draw_face_up", "card": "pink"}, "is no action on Nederland"),
        ({"kind": "claim", "track": 0, "card": "red", "locomotives": 0}, "is no action on Nederland"),
        ({"kind": "keep_tickets", "tickets": [1, 40]}, "ticket 40 is not on offer; .* are"),
        ({"kind": "keep_tickets", "tickets": []}, r"\[\] is no choice of tickets"),
        ({"kind": "keep_tickets", "tickets": [1, 1]}, r"\[1, 1\] is no choice of tickets"),
        ({"kind": "neutral_claim", "track": 0}, "in phase neutral; the phase is keep_tickets"),
    ],
    ids=str,
)
def test_what_is_no_action_has_no_index(form: Any, message: str) -> None:
    game = game_at(phase="keep_tickets", offered=[[1, 2, 3]])
    with pytest.raises(IllegalAction, match=message):
        game.index(form)


def test_slots_that_are_not_on_offer_have_no_meaning() -> None:
    game = game_at(phase="keep_tickets", offered=[[1, 2, 3]])
    assert game.describe(12 + 0b110 - 1).as_dict() == {"kind": "keep_tickets", "tickets": [2, 3]}
    with pytest.raises(IllegalAction, match="3 tickets are on offer; this action keeps the one in a later slot"):
        game.describe(12 + 0b1000 - 1)
    with pytest.raises(IllegalAction, match="action 616 is out of range"):
        game.describe(616)


# What a player sees ----------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["observe", "information_state", "determinize"])
@pytest.mark.parametrize(("seat", "error"), [(-1, ValueError), (3, ValueError), (0.0, TypeError), ("0", TypeError)])
def test_there_is_no_such_seat(method: str, seat: Any, error: type[Exception]) -> None:
    rng = (np.random.default_rng(0),) if method == "determinize" else ()
    with pytest.raises(error, match="player: "):
        getattr(Game(players=3, seed=0), method)(seat, *rng)


@pytest.mark.parametrize("rng", [0, None, np.random.SeedSequence(1)], ids=repr)
def test_determinize_needs_a_generator(rng: Any) -> None:
    with pytest.raises(TypeError, match="rng: a numpy Generator is needed"):
        Game(seed=0).determinize(0, rng)


def test_features_have_names() -> None:
    with pytest.raises(ValueError, match="features: 'full' is unknown; choose one of base, planning"):
        Game(seed=0).observe(0, "full")


# The rest --------------------------------------------------------------------------------------


def test_arrays_are_the_callers_own() -> None:
    game = Game(seed=0)
    for array in (game.action_mask(), game.legal_actions(), game.observe(0)):
        array[:] = 0
    assert game.action_mask().any()
    assert game.legal_actions().any()
    assert game.observe(0).any()


def test_a_shallow_copy_is_independent_too() -> None:
    game = Game(seed=0)
    twin = copy.copy(game)
    twin.step(18)
    assert (len(game.record()["actions"]), len(twin.record()["actions"])) == (0, 1)
    assert game.snapshot() == Game(seed=0).snapshot()


def test_a_game_says_where_it_stands() -> None:
    game = Game(players=3, seed=0)
    assert repr(game) == "<Game of Nederland, 3 players: round 1, player 0 in keep_tickets>"
    assert repr(random_end(game)) == "<Game of Nederland, 3 players: over>"


@pytest.mark.parametrize("as_map", [str, Path, maps.load])
def test_a_board_of_ones_own_plays_to_the_end(tiny_board: Path, as_map: Any) -> None:
    for seed in range(20):
        game = random_end(Game(as_map(tiny_board), players=2, seed=seed), seed)
        seats = game.result()["seats"]
        assert {seat["toll_bonus"] for seat in seats} == {0}
        assert Game.replay(game.record()).snapshot() == game.snapshot()
        assert Game.from_snapshot(game.snapshot()).result() == game.result()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolls": True}, "tolls: Tiny has no tolls; leave the option out"),
        ({"neutral_player": True}, "neutral_player: Tiny has no neutral player"),
        ({"players": 3}, "players: Tiny is for 2 to 2 players, not 3"),
    ],
    ids=str,
)
def test_a_board_without_tolls_offers_none(tiny_board: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Game(tiny_board, **options)
    assert Game(tiny_board, tolls=False).snapshot()["tolls"] is False


@pytest.mark.parametrize(("row", "row_reset"), [(4, 1), (5, 2), (5, 5), (3, 3), (2, 5), (1, 1), (5, 0)])
def test_every_limit_of_locomotives_in_the_row_lets_the_game_end(tiny_board: Path, row: int, row_reset: int) -> None:
    """Players who draw while they can empty the deck: soon no acceptable row is left to be dealt (B4)."""
    rules = tiny_board / "map.toml"
    rules.write_text(rules.read_text().replace("[cards]", f"[cards]\nrow = {row}\nrow_reset = {row_reset}"))
    for seed in range(5):
        game, rng = Game(tiny_board, seed=seed), np.random.default_rng(seed)
        while game.player >= 0:
            legal = game.legal_actions()
            draws = legal[legal < 10]
            game.step(rng.choice(draws if draws.size else legal))
