"""The compiled engine beside the plain-Python reference: the same choices, positions and results, step by step."""

import functools
import random
from collections.abc import Callable
from typing import Any

import pytest

import ttr_env
from tests.helpers.variants import EVERYWHERE, variant_name
from tests.reference.rules import ReferenceGame
from ttr_env.game.actions import Action

Policy = Callable[[random.Random, list[dict[str, Any]]], dict[str, Any]]


def uniform(rng: random.Random, choices: list[dict[str, Any]]) -> dict[str, Any]:
    return rng.choice(choices)


def hoard(rng: random.Random, choices: list[dict[str, Any]]) -> dict[str, Any]:
    """Never claim while anything else is possible: decks run out, rows stay short, players pass."""
    draws = [choice for choice in choices if choice["kind"] != "claim"]
    return rng.choice(draws or choices)


def collect_tickets(rng: random.Random, choices: list[dict[str, Any]]) -> dict[str, Any]:
    """Draw tickets whenever possible and keep few or many: piles run out and are shuffled anew."""
    tickets = [choice for choice in choices if "tickets" in choice["kind"]]
    return rng.choice(tickets if tickets and rng.random() < 0.6 else choices)


def key(form: dict[str, Any]) -> str:
    return str(list(form.values()))


@functools.cache
def key_of(action: Action) -> str:
    return key(action.as_dict())


every_policy = pytest.mark.parametrize("policy", [uniform, hoard, collect_tickets])
every_variant = pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)


@every_policy
@every_variant
def test_engine_and_reference_agree(options: dict[str, Any], policy: Policy) -> None:
    play_side_by_side(options, policy, seed=0)


@pytest.mark.slow
@every_policy
@every_variant
def test_engine_and_reference_agree_in_more_games(options: dict[str, Any], policy: Policy) -> None:
    for seed in range(1, 3 if policy is hoard else 5):
        play_side_by_side(options, policy, seed)


def play_side_by_side(options: dict[str, Any], policy: Policy, seed: int) -> None:
    rng = random.Random(f"{options}{policy.__name__}{seed}")
    game = ttr_env.Game(seed=seed, **options)
    reference = ReferenceGame.new(seed=seed, **options)
    while game.player >= 0:
        choice = policy(rng, compare(game, reference, seat=rng.randrange(game.players)))
        game.step(game.index(choice))
        reference.apply(choice)
    assert game.snapshot() == reference.snapshot()
    assert game.result() == reference.result()


def compare(game: ttr_env.Game, reference: ReferenceGame, seat: int) -> list[dict[str, Any]]:
    """Both have the same position, choices, and knowledge of one seat; returns the choices."""
    assert game.snapshot() == reference.snapshot()
    assert game.information_state(seat) == reference.information_state(seat)
    choices = reference.legal()
    actions = [key_of(game.describe(action)) for action in game.legal_actions()]
    assert sorted(actions) == sorted(map(key, choices))
    return choices
