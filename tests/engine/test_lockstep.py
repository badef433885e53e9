"""The compiled engine beside the plain-Python reference: the same choices, positions and results, step by step."""

import random
from collections.abc import Callable
from typing import Any

import pytest

import ttr_env
from tests.reference.rules import ReferenceGame
from tests.variants import VARIANTS, variant_name

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


def key(action: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(tuple(value) if isinstance(value, list) else value for value in action.values())


@pytest.mark.parametrize("policy", [uniform, hoard, collect_tickets])
@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_engine_and_reference_agree(options: dict[str, Any], policy: Policy) -> None:
    rng = random.Random(f"{options}{policy.__name__}")
    for seed in range(6):
        game = ttr_env.Game("nederland", seed=seed, **options)
        reference = ReferenceGame.new(seed=seed, **options)
        while game.player >= 0:
            assert game.snapshot() == reference.snapshot()
            actions = {key(form): index for index, form in described(game).items()}
            choices = reference.legal()
            assert sorted(map(str, actions)) == sorted(str(key(choice)) for choice in choices)
            check_information(game, reference)
            choice = policy(rng, choices)
            game.step(actions[key(choice)])
            reference.apply(choice)
        assert game.snapshot() == reference.snapshot()
        assert game.result() == reference.result()


def described(game: ttr_env.Game) -> dict[int, dict[str, Any]]:
    return {int(action): game.describe(int(action)).as_dict() for action in game.legal_actions()}


def check_information(game: ttr_env.Game, reference: ReferenceGame) -> None:
    for player in range(game.players):
        assert game.information_state(player) == reference.information_state(player)
