"""Action features of a single game: their shapes, their candidates, and that they show nothing hidden.

What every column says is compared with a second implementation elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ttr_env
from tests.helpers.positions import act, finished, game_at
from tests.helpers.variants import EVERYWHERE, variant_name
from tests.helpers.walks import positions
from ttr_env import Game, observation
from ttr_env.observation import ACTION_COLUMNS, MAX_CANDIDATES, STATE_COLUMNS

every_variant = pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)

# So many cards of every colour that there are more ways to pay than places; tracks are longest first then.
RICH = {**dict.fromkeys(("purple", "white", "blue", "yellow", "orange", "black", "red", "green"), 11), "locomotive": 14}


def rich(**where: Any) -> Game:
    """A position in which the first player has more candidates than there is room for."""
    return game_at(map="usa", hands=[RICH], **where)


def as_bytes(game: Game) -> list[bytes]:
    return [array.tobytes() for array in game.action_features()]


def candidates(game: Game) -> np.ndarray:
    index = game.action_features().index
    return index[index >= 0]


@every_variant
def test_shapes_ranges_and_empty_places(options: dict[str, Any]) -> None:
    for game in positions(options, seed=3):
        seen = game.action_features()
        assert (seen.state.shape, seen.state.dtype) == ((len(STATE_COLUMNS),), np.float32)
        assert (seen.actions.shape, seen.actions.dtype) == ((MAX_CANDIDATES, len(ACTION_COLUMNS)), np.float32)
        assert (seen.index.shape, seen.index.dtype) == ((MAX_CANDIDATES,), np.int64)
        for array in (seen.state, seen.actions):
            assert array.min() >= -1 and array.max() <= 1
        count = int((seen.index >= 0).sum())
        assert (seen.index[count:] == -1).all() and not seen.actions[count:].any()
        assert seen.actions[:count].any(axis=1).all()
        assert (count == 0) == game.over and seen.state.any() != game.over


@every_variant
def test_candidates_are_legal_each_once_and_never_leave_out_a_track_or_a_kind(options: dict[str, Any]) -> None:
    for game in positions(options, seed=4):
        legal, listed = game.legal_actions(), candidates(game)
        assert set(listed) <= set(legal) and len(set(listed)) == len(listed)
        if len(listed) < MAX_CANDIDATES:  # else some may have been dropped
            assert {what(game, action) for action in listed} == {what(game, action) for action in legal}


def what(game: Game, action: int) -> tuple[str, Any]:
    """What an action does, however it is paid for."""
    meant = game.describe(action).as_dict()
    told = {"draw_face_up": "card", "set_card": "card", "keep_tickets": "tickets"}.get(meant["kind"], "track")
    return meant["kind"], str(meant.get(told))


def test_where_there_are_too_many_candidates_those_of_long_tracks_come_first() -> None:
    game = rich()
    listed = candidates(game)
    assert len(listed) == MAX_CANDIDATES
    meant = [game.describe(action).as_dict() for action in listed]
    lengths = [game.map.tracks[action["track"]].length for action in meant if action["kind"] == "claim"]
    assert lengths == sorted(lengths, reverse=True)
    assert [action["kind"] for action in meant[:7]] == [*["draw_deck"], *["draw_face_up"] * 5, "draw_tickets"]


def test_nobody_sees_anything_when_the_game_is_over() -> None:
    seen = finished().action_features()
    assert not seen.state.any() and not seen.actions.any() and (seen.index == -1).all()


def test_each_call_returns_arrays_of_its_own() -> None:
    game = Game(seed=1)
    before = as_bytes(game)
    for array in game.action_features():
        array[:] = 1
    assert as_bytes(game) == before


def test_a_look_changes_nothing() -> None:
    game = Game(seed=1)
    before = game.copy()
    game.action_features()
    assert game == before


@every_variant
def test_K_what_is_hidden_leaves_every_byte_as_it_is(options: dict[str, Any]) -> None:
    rng, changed = np.random.default_rng(8), 0
    for game in positions(options, seed=8):
        if not game.over:
            dealt = game.determinize(game.player, rng)
            assert as_bytes(dealt) == as_bytes(game)
            changed += dealt.snapshot()["seats"] != game.snapshot()["seats"]
    assert changed > 5


def test_N6_tolls_of_others_are_not_seen() -> None:
    one, other = (game_at(players=3, tokens=[30, *others]) for others in ([20, 10], [3, 29]))
    assert as_bytes(one) == as_bytes(other)
    act(one, "draw_deck")
    assert as_bytes(one) != as_bytes(other)


def test_there_is_no_vector_of_them() -> None:
    for ask in (
        lambda: Game(seed=1).observe(0, "actions"),
        lambda: observation.size("nederland", "actions"),
        lambda: observation.layout("nederland", "actions"),
        lambda: ttr_env.Batch(games=1, features="actions").observation_size,
    ):
        with pytest.raises(ValueError, match="no vector"):
            ask()
    with pytest.raises(ValueError, match=r"tolls_visible: .* estimated"):
        ttr_env.Batch(games=1, features="actions", tolls_visible=True)
