"""What a game can be asked without a record or a snapshot, and the types of what it returns."""

from itertools import product
from types import NoneType, UnionType
from typing import Any, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

import numpy as np
import pytest

import ttr_env
from tests.helpers.variants import EVERYWHERE, variant_name
from tests.helpers.walks import play_on, positions, walk
from ttr_env import Game
from ttr_env.engine.layout import REWARDS
from ttr_env.game.actions import Claim, KeepTickets
from ttr_env.game.types import InformationState, Record, Result, Snapshot
from ttr_env.options import Sight, Variant

everywhere = pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)


# How it came about -----------------------------------------------------------------------------


def test_a_game_knows_its_seed_unless_it_began_in_the_middle() -> None:
    game, unseeded = Game(seed=7), Game()
    assert game.seed == game.copy().seed == Game.replay(game.record()).seed == 7
    assert Game(seed=unseeded.seed) == unseeded
    assert Game.from_snapshot(game.snapshot()).seed is None
    assert game.determinize(0, np.random.default_rng(0)).seed is None


def test_a_game_knows_its_actions() -> None:
    game = Game(seed=7)
    taken = [int(game.legal_actions()[-1])]
    game.step(taken[0])
    assert game.actions == game.copy().actions == Game.replay(game.record()).actions == taken
    game.actions.append(0)
    assert game.actions == taken
    assert Game.from_snapshot(game.snapshot()).actions == []


def test_a_game_knows_its_last_decision() -> None:
    game = Game(seed=7)
    assert game.last is None
    game.step(game.legal_actions()[-1])
    assert game.last is not None and game.last.player == 0 and isinstance(game.last.action, KeepTickets)
    for game in walk({"players": 3}, seed=1):
        if game.last is not None and isinstance(game.last.action, Claim):
            assert game.snapshot()["owners"][game.last.action.track] == game.last.player
            assert game.last.track == game.last.action.track
            before = game.last
            with pytest.raises(ttr_env.IllegalAction):
                game.step(-1)
            assert game.last == game.copy().last == Game.replay(game.record()).last == before


# What came of it -------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("options", [{"players": 3}, {"map": "usa", "players": 2}], ids=str)
def test_returns_are_what_the_environment_pays(options: dict[str, Any], reward: str) -> None:
    env = ttr_env.raw_env(reward=reward, **options)
    env.reset(seed=3)
    paid = np.zeros(options["players"])
    while not env.game.over:
        assert not env.game.returns(reward).any()
        env.step(env.sample())
        paid += list(env.rewards.values())
    assert env.game.returns(reward) == pytest.approx(paid, abs=1e-5)


def test_returns_of_an_unknown_reward_are_refused() -> None:
    with pytest.raises(ValueError, match="reward: 'wins' is unknown; choose one of win, margin, score, dense"):
        Game(seed=1).returns("wins")


def test_over_is_when_nobody_is_to_move() -> None:
    game = Game(seed=1)
    assert game.over is False and game.player == 0
    assert play_on(game).over is True and game.player == -1


# Random actions, and equality ------------------------------------------------------------------


def test_random_actions_are_legal_and_every_legal_one_comes_up() -> None:
    game, rng = Game(seed=1), np.random.default_rng(0)
    assert {game.sample(rng) for _ in range(500)} == set(game.legal_actions().tolist())
    first, again = (game.sample(np.random.default_rng(5)) for _ in range(2))
    assert first == again and type(first) is int


def test_games_are_equal_where_they_stand_alike() -> None:
    game, twin = Game(seed=1), Game(seed=1)
    assert game == twin == game.copy() == Game.replay(game.record())
    for _ in range(60):  # until components have grown, whose labels depend on the order of claims
        game.step(game.sample(np.random.default_rng(len(game.actions))))
        assert game == Game.from_snapshot(game.snapshot())
    game = Game(seed=1)
    twin.step(twin.legal_actions()[0])
    assert game != twin and game != Game(seed=2) and game != Game("usa", seed=1) and game != "game"
    dealt = game.determinize(0, np.random.default_rng(0))
    assert game != dealt and game.information_state(0) == dealt.information_state(0)
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


# Before it is dealt ----------------------------------------------------------------------------


@everywhere
def test_a_variant_tells_the_sizes_without_a_deal(options: dict[str, Any]) -> None:
    variant, game = Variant.of(**options), Game(seed=1, **options)
    assert variant.num_actions == game.num_actions == len(game.action_mask())
    for features, visible in product(("base", "planning"), (False, True)):
        assert variant.observation_size(Sight(features, visible)) == len(game.observe(0, features, visible))


# Types -----------------------------------------------------------------------------------------


def fits(value: Any, kind: Any) -> bool:
    """Whether a value of plain JSON types is what a type says, with every key of a `TypedDict` and no other."""
    if is_typeddict(kind):
        hints = get_type_hints(kind, include_extras=True)
        needed = {key for key, hint in hints.items() if get_origin(hint) is not NotRequired}
        known = type(value) is dict and needed <= set(value) <= set(hints)
        return known and all(fits(value[key], hints[key]) for key in value)
    if get_origin(kind) is NotRequired:
        return fits(value, *get_args(kind))
    if isinstance(kind, UnionType):
        return any(fits(value, each) for each in get_args(kind))
    if get_origin(kind) is list:
        return type(value) is list and all(fits(each, *get_args(kind)) for each in value)
    if get_origin(kind) is dict:
        key_kind, value_kind = get_args(kind)
        return type(value) is dict and all(fits(k, key_kind) and fits(v, value_kind) for k, v in value.items())
    return type(value) is (NoneType if kind is None else kind)


@everywhere
def test_what_a_game_returns_is_what_its_types_say(options: dict[str, Any]) -> None:
    for game in positions(options, seed=2):
        assert fits(game.snapshot(), Snapshot)
        assert fits(game.record(), Record)
        for player in range(game.players):
            assert fits(game.information_state(player), InformationState)
    assert fits(game.result(), Result)
    began_in_the_middle = Game.from_snapshot(game.snapshot())
    assert fits(began_in_the_middle.record(), Record)


def test_a_wrong_type_would_be_seen() -> None:
    snapshot: Any = Game(seed=1).snapshot()
    for wrong in ({**snapshot, "round": "1"}, {**snapshot, "more": 1}, {**snapshot, "seats": [{}]}):
        assert not fits(wrong, Snapshot)
    assert not fits(Game(seed=1).information_state(0), Snapshot)
