"""Positions and prompts show what a seat knows, and nothing of what it does not."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.helpers.busy import TABLES, some_decisions, table_name
from ttr_env import Game, maps, text


@pytest.mark.parametrize("options", TABLES, ids=table_name)
def test_nothing_hidden_is_told(options: dict) -> None:
    dealer = np.random.default_rng(0)
    for game in some_decisions(options, seed=2, every=40):
        for seat in range(game.players):
            other = game.determinize(seat, dealer)
            assert text.position(game, seat) == text.position(other, seat)
            assert json.dumps(text.as_json(game, seat)) == json.dumps(text.as_json(other, seat))
        for form in ("text", "json"):
            task = text.Task(form=form)
            assert text.prompt(game, task) == text.prompt(game.determinize(game.player, dealer), task)


@pytest.mark.parametrize("options", TABLES, ids=table_name)
def test_why_a_reply_is_refused_tells_nothing_hidden(options: dict) -> None:
    dealer, rng = np.random.default_rng(0), np.random.default_rng(1)
    for game in some_decisions(options, seed=2, every=60):
        other = game.determinize(game.player, dealer)
        for action in rng.integers(game.num_actions, size=30).tolist():
            assert understood(game, str(action)) == understood(other, str(action))
        for reply in ("Take a card", "Keep all", "Claim", "Pay 1 locomotive more for the tunnel", "Pass"):
            assert understood(game, reply) == understood(other, reply)


def understood(game: Game, reply: str) -> int | str:
    try:
        return text.parse(game, reply)
    except text.UnreadableReply as error:
        return str(error)


def test_the_rules_tell_nothing_of_the_deal() -> None:
    for options in TABLES:
        assert text.rules(Game(seed=1, **options)) == text.rules(Game(seed=2, **options))


def test_the_list_of_legal_moves_is_shown_or_not() -> None:
    game = Game("nederland", seed=7)
    sentence = text.to_text(game, int(game.legal_actions()[0]))
    assert f"\n- {sentence}\n" in text.prompt(game)
    assert sentence not in text.prompt(game, text.Task(legal="none"))
    assert '"legal"' not in text.prompt(game, text.Task(legal="none", form="json"))


@pytest.mark.parametrize("name", maps.names())
def test_the_rules_name_every_track(name: str) -> None:
    game = Game(name, seed=1)
    page = text.rules(game)
    assert page.count("\n- ") > len(game.map.tracks)
    assert f"Everybody has {game.map.rules.trains} trains." in page


def test_a_task_is_checked() -> None:
    with pytest.raises(ValueError, match="legal: 'all' is unknown"):
        text.Task(legal="all")
    with pytest.raises(ValueError, match="retries"):
        text.Task(retries=-1)
