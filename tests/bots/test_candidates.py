"""Candidates: all legal, and every legal action that is none is a way to pay that a candidate beats."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from tests.bots.test_features import compare
from tests.helpers.busy import TABLES, some_decisions, table_name
from tests.helpers.looking import Look, look_at
from tests.helpers.positions import COLOURS, game_at
from ttr_env import Game
from ttr_env.bots.features.space import MAX_CANDIDATES
from ttr_env.game.actions import Claim
from ttr_env.maps.limits import MAX_LENGTH

Spent = tuple[int, int]  # locomotives and sets


def claims(game: Game, actions: list[int]) -> dict[int, dict[int, Spent]]:
    """By track and action, what those of some actions that are claims spend."""
    found: dict[int, dict[int, Spent]] = defaultdict(dict)
    for action in actions:
        meaning = game.describe(action)
        if isinstance(meaning, Claim):
            found[meaning.track][action] = meaning.payment.locomotives, meaning.payment.sets
    return found


def beats(one: Spent, other: Spent) -> bool:
    """Whether one takes no more of both, and fewer of one of them."""
    return one != other and one[0] <= other[0] and one[1] <= other[1]


def sparing(game: Game) -> set[int]:
    """The legal actions but for the claims that another one of the same track beats."""
    legal = game.legal_actions().tolist()
    ways = claims(game, legal)
    beaten = {
        action
        for spent in ways.values()
        for action, own in spent.items()
        if any(beats(other, own) for other in spent.values())
    }
    return set(legal) - beaten


@pytest.mark.parametrize("options", TABLES, ids=table_name)
def test_what_is_left_out_is_beaten(options: dict[str, Any]) -> None:
    for seed in range(3):
        for game in some_decisions(options, seed, every=3):
            look, wanted = look_at(game), sparing(game)
            assert game.action_mask()[look.index].all()
            if look.dropped == 0:
                assert look.index == sorted(wanted) != []
            else:
                check_dropped(game, look, wanted)


@pytest.mark.parametrize("locomotives", [0, 5, 13])
@pytest.mark.parametrize("name", ["nederland", "nordic", "usa"])
def test_where_there_are_too_many_the_longest_tracks_come_first(name: str, locomotives: int) -> None:
    game = game_at(map=name, hands=[dict.fromkeys(COLOURS, 10) | {"locomotive": locomotives}])
    look = look_at(game)
    check_dropped(game, look, sparing(game))
    compare(game, look)


def check_dropped(game: Game, look: Look, wanted: set[int]) -> None:
    """There is no room for some of the wanted claims: draws go first, then claims, the longest tracks before others."""
    assert len(set(look.index)) == len(look.index) == MAX_CANDIDATES
    assert set(look.index) <= wanted and look.dropped == len(wanted) - MAX_CANDIDATES > 0
    lengths = [length_of(game, action) for action in look.index]
    draws = lengths.count(None)
    kept = [length for length in lengths[draws:] if length is not None]
    assert len(kept) == MAX_CANDIDATES - draws and kept == sorted(kept, reverse=True)
    assert all((length_of(game, action) or MAX_LENGTH + 1) <= kept[-1] for action in wanted - set(look.index))
    for length in set(kept):
        alike = [action for action in look.index if length_of(game, action) == length]
        assert alike == sorted(alike)


def length_of(game: Game, action: int) -> int | None:
    """The length of the track that an action claims."""
    meaning = game.describe(action)
    return game.map.tracks[meaning.track].length if isinstance(meaning, Claim) else None
