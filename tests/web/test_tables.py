"""Tables: deciding, taking back, looking back."""

from __future__ import annotations

import pytest

from ttr_env import Game, IllegalAction, agents
from ttr_env.errors import StaleAction
from ttr_env.game.actions import Claim, DrawDeck
from ttr_env.web import tables
from ttr_env.web.tables import Seat, Table, person, retell


@pytest.fixture
def table() -> Table:
    """A table at which a person and an agent have chosen tickets."""
    table = Table(Game(seed=7), [person("Anna"), Seat("planner", agent="planner")])
    table.act(0, int(table.game.legal_actions()[0]), stamp=0)
    table.take(int(table.game.legal_actions()[0]))
    return table


def claim(table: Table) -> int:
    legal = table.game.legal_actions().tolist()
    return next(action for action in legal if isinstance(table.game.describe(action), Claim))


def test_a_choice_that_reveals_nothing_can_be_taken_back(table: Table) -> None:
    before = table.game.copy()
    table.act(0, claim(table), table.stamp)
    assert table.can_undo(0) and not table.can_undo(1)
    table.undo(0, table.stamp)
    assert table.game == before and table.game.actions == before.actions
    assert table.decisions == 2 and not table.can_undo(0)


def test_what_was_drawn_cannot_be_unseen(table: Table) -> None:
    deck = table.game.index(DrawDeck())
    table.act(0, deck, table.stamp)
    with pytest.raises(StaleAction, match="nothing to take back"):
        table.undo(0, table.stamp)


def test_nothing_is_taken_back_once_everything_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    game = agents.play(Game(seed=7), ["planner", "planner"])
    *before, last = game.actions
    _, events = retell({**game.record(), "actions": before})
    table = Table(Game.replay({**game.record(), "actions": before}), [person("Anna"), person("Ben")], events)
    monkeypatch.setattr(tables, "reveals", lambda *_: False)  # as where only what the end opens was hidden
    table.act(table.game.player, last, table.stamp)
    assert table.is_open and not table.can_undo(0) and not table.can_undo(1)


def test_a_game_that_has_failed_can_be_looked_at(table: Table) -> None:
    assert not table.is_open
    table.fail("The agent has no idea.")
    assert table.is_open and table.waits_for is None


def test_nothing_is_taken_back_once_somebody_else_has_decided(table: Table) -> None:
    table.act(0, claim(table), table.stamp)
    table.take(int(table.game.legal_actions()[0]))
    with pytest.raises(StaleAction, match="nothing to take back"):
        table.undo(0, table.stamp)


def test_a_stale_or_repeated_click_changes_nothing(table: Table) -> None:
    stamp = table.stamp
    action = table.game.index(DrawDeck())
    table.act(0, action, stamp)
    after = table.game.copy()
    with pytest.raises(StaleAction, match="moved on"):
        table.act(0, action, stamp)
    assert table.game == after


def test_a_click_on_what_was_taken_back_is_stale(table: Table) -> None:
    stamp = table.stamp
    table.act(0, claim(table), stamp)
    table.undo(0, table.stamp)
    with pytest.raises(StaleAction):
        table.act(0, claim(table), stamp)


def test_an_illegal_action_changes_nothing(table: Table) -> None:
    before = table.game.copy()
    for action in (-1, 0, 615, 10**9):
        if action not in table.game.legal_actions():
            with pytest.raises(IllegalAction):
                table.act(0, action, table.stamp)
    assert table.game == before and table.stamp == 2


def test_nobody_decides_for_another(table: Table) -> None:
    with pytest.raises(StaleAction, match="not your turn"):
        table.act(1, int(table.game.legal_actions()[0]), table.stamp)


def test_only_the_player_is_told_what_it_drew() -> None:
    game = agents.play(Game(seed=7), ["planner", "planner"])
    _, events = retell(game.record())
    drawn = [event for event in events if event.public == "drew a card from the deck"]
    assert drawn
    for event in drawn:
        assert event.private.startswith("drew a") and event.private.endswith("from the deck")
        assert event.private != event.public
    assert all(event.private == event.public for event in events if event not in drawn)


def test_every_earlier_position_can_be_looked_at() -> None:
    game = agents.play(Game(seed=7), ["planner", "planner"])
    _, events = retell(game.record())
    table = Table(game, [Seat("a"), Seat("b")], events, replayed=True)
    for decision, position in enumerate(game.history()):
        if decision % 10 == 0:
            assert table.at(decision) == position
    assert table.at(table.decisions) is game
