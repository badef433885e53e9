"""Action features: every entry as a plain second implementation has it, within its range, and nothing hidden in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.helpers.busy import TABLES, busy_game, some_decisions, table_name
from tests.helpers.looking import Look, look_at
from tests.helpers.positions import game_at
from tests.reference.features import expected, expected_hidden
from ttr_env import Game
from ttr_env.bots.features.columns import ACTION, HIDDEN, STATE, Column, names

every_table = pytest.mark.parametrize("options", TABLES, ids=table_name)
every_map = pytest.mark.parametrize("name", ["nederland", "nordic", "usa", "lakes"])

# What a map cannot have, of the state and of actions. Passing has a test of its own, and nobody advises here.
TOLLS = {
    *(f"state {name}" for name in ("with_tolls", *(column.name for column in STATE if column.group == "tolls"))),
    *(f"action {column.name}" for column in ACTION if column.group == "toll"),
    *("state plan_tolls", "action plan_tolls"),
}
NEUTRAL = {"state neutral", "state neutral_active", "action neutral_claim"}
TUNNELS = {"state tunnel", "action tunnel_pay", "action tunnel_decline", "action tunnel"}
SETS = {"state set", "action set_card", "action sets_paid", "action ferry"}
PATHS = {"state path_bonus", "state path", "state path_lead", "action path_gain"}
MANY = {"state four_players", "state five_players"}
ABSENT = {
    "nederland": {*TUNNELS, *SETS, "state asked", *PATHS, "state tickets_bonus"},
    "nordic": {*TOLLS, *NEUTRAL, *PATHS, *MANY, "state locomotive_ends_draw", "state plain_locomotives"},
    "usa": {*TOLLS, *NEUTRAL, *TUNNELS, *SETS, "state asked", "state tickets_bonus"},
    "lakes": {*TOLLS, *NEUTRAL, *MANY, "state three_players", "state tickets_bonus", "action beside_other"},
}


# Every entry ----------------------------------------------------------------------------------


def as_row(columns: tuple[Column, ...], values: Mapping[str, float]) -> np.ndarray:
    assert values.keys() <= set(names(columns))
    return np.array([values.get(name, 0.0) for name in names(columns)])


def differing(columns: tuple[Column, ...], seen: np.ndarray, wanted: Mapping[str, float]) -> dict[str, Any]:
    """The entries that are not as wanted, by name: what they are, and what they should be."""
    row = as_row(columns, wanted)
    places = np.flatnonzero(~(np.abs(seen - row) <= 1e-6))
    return {columns[place].name: (float(seen[place]), float(row[place])) for place in places}


def compare(game: Game, look: Look) -> None:
    """All entries are as the reference has them."""
    player = game.player
    labels = game.records[0]["component"][player].tolist()
    wanted = expected(game.information_state(player), game.map, labels)
    actions = {game.index(action): row for action, row in wanted.actions}
    assert not differing(STATE, look.state, wanted.state), game
    assert (sorted(look.index), look.dropped) == (sorted(actions), wanted.dropped), game
    for action, row in actions.items():
        assert not differing(ACTION, look.row(action), row), (game, game.describe(action))
    assert not differing(HIDDEN, look.hidden, expected_hidden(game.snapshot(), game.map, player)), game


def in_use(look: Look) -> set[str]:
    """The columns that are not 0."""
    state = {f"state {STATE[place].name}" for place in np.flatnonzero(look.state)}
    return state | {f"action {ACTION[place].name}" for place in np.flatnonzero(look.actions.any(axis=0))}


def tables_of(name: str) -> list[dict[str, Any]]:
    return [options for options in TABLES if Path(options.get("map", "nederland")).name == name]


@pytest.mark.slow
@every_map
def test_every_entry_is_as_the_reference_has_it(name: str) -> None:
    """Some decisions are compared, and all in which something comes up for the first time; so everything does."""
    compared: set[str] = set()
    for options in tables_of(name):
        for seed in range(24 if name == "lakes" else 6):
            for number, game in enumerate(busy_game(options, seed)):
                look = look_at(game)
                if number % 30 == 5 * (seed % 6) or not in_use(look) <= compared:
                    compare(game, look)
                    compared |= in_use(look)
    columns = {f"state {name}" for name in names(STATE)} | {f"action {name}" for name in names(ACTION)}
    assert compared == columns - ABSENT[name] - {"action pass", "action advised"}


@pytest.mark.slow
@every_table
def test_every_entry_is_as_the_reference_has_it_in_more_games(options: dict[str, Any]) -> None:
    for seed in range(100, 106):
        for game in some_decisions(options, seed, every=4):
            compare(game, look_at(game))


@pytest.mark.parametrize("name", ["nederland", "nordic", "usa"])
def test_passing_is_all_that_is_left(name: str) -> None:
    game = game_at(map=name, face_up={}, rest=1, ticket_rest=1)
    look = look_at(game)
    assert [game.describe(action).kind for action in look.index] == ["pass"]
    assert look.of(look.index[0])["pass"] == 1.0
    compare(game, look)


def test_all_others_may_have_loans() -> None:
    game = game_at(players=3, hands=[{"red": 6}], tokens=[1, 30, 30], loans=[0, 1, 2])
    look = look_at(game)
    state = dict(zip(names(STATE), look.state.tolist(), strict=True))
    assert (state["most_tolls"], state["others_loans"], state["others_ahead"]) == (0.0, 1.0, 0.0)
    compare(game, look)


# Ranges ---------------------------------------------------------------------------------------


def test_columns_have_names_of_their_own_and_meanings() -> None:
    for columns in (STATE, ACTION, HIDDEN):
        assert len(set(names(columns))) == len(columns)
        assert all(column.group and column.meaning for column in columns)


@every_table
def test_entries_stay_within_their_ranges(options: dict[str, Any]) -> None:
    least = [np.array([-1.0 if column.signed else 0.0 for column in columns]) for columns in (STATE, ACTION, HIDDEN)]
    for game in looked_at(options):
        look = look_at(game)
        for lowest, rows in zip(least, (look.state, look.actions, look.hidden), strict=True):
            assert (lowest <= rows).all() and (rows <= 1.0).all(), game


def looked_at(options: dict[str, Any]) -> Iterator[Game]:
    for seed in (11, 12):
        yield from some_decisions(options, seed, every=3)


# Secrets --------------------------------------------------------------------------------------


@every_table
def test_nothing_depends_on_what_the_player_cannot_see(options: dict[str, Any]) -> None:
    rng, hidden_ones = np.random.default_rng(5), 0
    for game in looked_at(options):
        look = look_at(game)
        for _ in range(3):
            other = look_at(game.determinize(game.player, rng))
            for one, two in ((look.state, other.state), (look.actions, other.actions)):
                assert one.tobytes() == two.tobytes()
            assert (look.index, look.dropped) == (other.index, other.dropped)
            hidden_ones += int((look.hidden != other.hidden).any())
    assert hidden_ones > 0  # what a critic is told does depend on it


@every_table
def test_looking_changes_nothing(options: dict[str, Any]) -> None:
    for game in looked_at(options):
        before = game.records.tobytes()
        look_at(game)
        assert game.records.tobytes() == before
