"""The observation vector: its layout, every entry of it, and that it shows nothing hidden."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import ttr_env
from tests.helpers.positions import MAP, Snapshot, game_at, position, ticket, track
from tests.helpers.variants import EVERYWHERE, VARIANTS, variant_name
from tests.helpers.walks import positions
from tests.reference.observation import expected_base, expected_planning, expected_tolls
from ttr_env import Batch, Game, maps
from ttr_env.game import actions, observation
from ttr_env.options import VECTORS

every_variant = pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
every_size = pytest.mark.parametrize(
    ("features", "tolls_visible"), [("base", False), ("base", True), ("planning", False), ("planning", True)]
)


def slices_of(game: Game, player: int, features: str = "base", tolls_visible: bool = False) -> dict[str, np.ndarray]:
    """The observation, cut into its named slices, each flat."""
    vector = game.observe(player, features, tolls_visible)
    layout = observation.layout(game.map, features, tolls_visible)
    return {name: vector[part] for name, part in layout.items()}


def differing(seen: dict[str, np.ndarray], expected: dict[str, list[float]]) -> dict[str, Any]:
    """The slices that are not as expected, both ways."""
    assert set(seen) == set(expected)
    assert all(len(seen[name]) == len(expected[name]) for name in seen)
    close = {name: np.abs(seen[name] - np.array(values)).max() < 1e-6 for name, values in expected.items()}
    return {name: (seen[name], expected[name]) for name, equal in close.items() if not equal}


# Layout ---------------------------------------------------------------------------------------


@every_size
def test_the_slices_tile_the_vector(features: str, tolls_visible: bool) -> None:
    parts = list(observation.layout(MAP, features, tolls_visible).values())
    assert parts[0].start == 0
    assert parts[-1].stop == observation.size(MAP, features, tolls_visible)
    assert all(one.stop == following.start for one, following in pairwise(parts))
    assert all(part.stop > part.start and part.step is None for part in parts)


@every_size
def test_the_length_is_the_same_at_every_table(features: str, tolls_visible: bool) -> None:
    size = observation.size(MAP, features, tolls_visible)
    for options in VARIANTS:
        vector = Game("nederland", seed=1, **options).observe(1, features, tolls_visible)
        assert (vector.shape, vector.dtype) == ((size,), np.float32)


def test_larger_observations_begin_with_the_base_features() -> None:
    game = Game("nederland", players=3, seed=1)
    base = game.observe(2)
    for more in (game.observe(2, "planning"), game.observe(2, tolls_visible=True)):
        assert len(more) > len(base)
        assert (more[: len(base)] == base).all()


def test_each_call_returns_an_array_of_its_own() -> None:
    game = Game("nederland", players=3, seed=1)
    first = game.observe(0)
    kept = first.copy()
    game.observe(1)[:] = 0.5
    assert (first == kept).all()


def test_unknown_features_are_refused() -> None:
    with pytest.raises(ValueError, match="features: 'all' is unknown; choose one of base, planning"):
        Game("nederland", players=2, seed=1).observe(0, "all")


# Shapes ---------------------------------------------------------------------------------------


@every_size
@pytest.mark.parametrize("name", ["nederland", "nordic", "usa"])
def test_every_slice_has_a_shape_of_its_size(name: str, features: str, tolls_visible: bool) -> None:
    parts = observation.layout(name, features, tolls_visible)
    shapes = observation.shapes(name, features, tolls_visible)
    assert list(shapes) == list(parts)
    for part, shape in shapes.items():
        assert math.prod(shape) == parts[part].stop - parts[part].start


def test_shapes_by_hand() -> None:
    shapes = observation.shapes("nordic", "planning", tolls_visible=True)
    nordic = maps.load("nordic")
    tracks, tickets = len(nordic.tracks), len(nordic.tickets)
    assert (shapes["owner"], shapes["known"], shapes["offer_ticket"]) == ((3, tracks), (3, 9), (5, tickets))
    assert (shapes["setup"], shapes["players"], shapes["others_tolls"]) == ((1,), (2,), (2,))
    assert (shapes["affordable"], shapes["tunnel_cards"]) == ((tracks,), (9,))
    assert "neutral" not in shapes and "ticket_discard" not in shapes
    assert observation.shapes(MAP)["owner"] == (6, len(MAP.tracks))


@every_size
def test_named_parts_are_views_in_their_shapes(features: str, tolls_visible: bool) -> None:
    vector = Game("nederland", players=3, seed=1).observe(2, features, tolls_visible)
    parts = observation.named(vector, MAP, features, tolls_visible)
    assert {name: part.shape for name, part in parts.items()} == observation.shapes(MAP, features, tolls_visible)
    assert all(np.shares_memory(part, vector) for part in parts.values())
    assert (np.concatenate([part.ravel() for part in parts.values()]) == vector).all()
    parts["owner"][1, 3] = 0.25
    assert vector[observation.layout(MAP)["owner"].start + len(MAP.tracks) + 3] == 0.25


def test_named_takes_many_observations_at_once() -> None:
    batch = Batch("nordic", games=4, players=3, seed=2, features="planning")
    for observations in (batch.observations, batch.observations.reshape(2, 2, -1), batch.observations[::2]):
        parts = observation.named(observations, "nordic", "planning")
        assert parts["known"].shape == (*observations.shape[:-1], 3, 9)
        assert all(np.shares_memory(part, batch.observations) for part in parts.values())
    alone = observation.named(batch.observations[1], "nordic", "planning")
    assert (observation.named(batch.observations, "nordic", "planning")["known"][1] == alone["known"]).all()


def test_named_refuses_a_vector_of_another_length() -> None:
    vector = Game("nederland", players=2, seed=1).observe(0)
    base, planning = observation.size(MAP), observation.size(MAP, "planning")
    problem = rf"features='planning' and tolls_visible=False the last axis has {planning} entries, .* \({base},\)"
    with pytest.raises(ValueError, match=problem):
        observation.named(vector, MAP, "planning")
    with pytest.raises(ValueError, match="the last axis"):
        observation.named(np.float32(1), MAP)  # type: ignore[arg-type]


def test_public_names_stay() -> None:
    for name in ("FEATURES", "layout", "size", "check_features", "shapes", "named"):
        assert getattr(ttr_env.observation, name) is getattr(observation, name)
    for name in ("Action", "ActionTable", "Claim", "ClaimWithSets", "KeepTickets", "from_dict", "table"):
        assert getattr(ttr_env.actions, name) is getattr(actions, name)


# Entries --------------------------------------------------------------------------------------


@every_variant
def test_entries_lie_between_0_and_1_all_through_random_games(options: dict[str, Any]) -> None:
    batch = Batch(games=64, seed=3, features="planning", tolls_visible=True, **options)
    finished = 0
    for _ in range(800):
        batch.step(batch.sample())
        finished += int(batch.done.sum())
        assert batch.observations.min() >= 0
        assert batch.observations.max() <= 1
    assert finished >= 64


@every_variant
def test_every_entry_is_what_the_player_knows(options: dict[str, Any]) -> None:
    phases = set()
    for game in positions(options, seed=5):
        phases.add(game.phase)
        tolls = [seat["tolls"] for seat in game.snapshot()["seats"]]
        for player in range(game.players):
            expected = expected_base(game.information_state(player), player)
            expected |= expected_tolls(tolls, player, game.map.rules.players[1])
            assert not differing(slices_of(game, player, tolls_visible=True), expected)
    usual = {"keep_tickets", "turn", "second_card", "over"}
    rarer = {"neutral"} if options["neutral_player"] else {"tunnel", "set"} if options.get("map") == "nordic" else set()
    assert phases == usual | rarer


@pytest.mark.slow
@every_variant
def test_planning_features_agree_with_shortest_paths(options: dict[str, Any]) -> None:
    for game in positions(options, seed=6, every=40):
        for player in range(game.players):
            known = game.information_state(player)
            expected = expected_base(known, player) | expected_planning(known, player)
            assert not differing(slices_of(game, player, "planning"), expected)


@every_variant
def test_affordable_tracks_are_those_with_a_legal_claim(options: dict[str, Any]) -> None:
    compared = 0
    for game in positions(options, seed=7):
        if game.phase == "turn":
            actions = [game.describe(action).as_dict() for action in game.legal_actions()]
            claimable = {action["track"] for action in actions if action["kind"] == "claim"}
            assert set(np.flatnonzero(slices_of(game, game.player, "planning")["affordable"])) == claimable
            compared += bool(claimable)
    assert compared > 5


def test_an_observation_by_hand() -> None:
    game = game_at(
        players=3,
        player=2,
        round=25,
        hands=[{"red": 2}, {"blue": 3, "locomotive": 7}, {"green": 1}],
        known=[{}, {"blue": 1}, {"green": 1}],
        owned={track("Arnhem", "Nijmegen", "red"): 0, track("Breda", "Rotterdam", "yellow"): 1},
        tickets=[[], [ticket("Rotterdam", "Turnhout")], [ticket("Amsterdam", "Rotterdam")]],
        tokens=[30, 26, 11],
        loans=[0, 0, 3],
        turns_left=2,
    )
    mine = slices_of(game, 1)
    assert mine["hand"].tolist() == pytest.approx([0, 0, 3 / 12, 0, 0, 0, 0, 0, 7 / 14])
    assert mine["mover"].tolist() == [0, 1, 0, 0, 0]  # seat 2 comes next after seat 1
    assert mine["players"].tolist() == [0, 1, 0, 0]
    assert mine["trains"].tolist() == pytest.approx([38 / 40, 1, 39 / 40, 0, 0])  # seats 1, 2, 0
    assert mine["points"].tolist() == pytest.approx([3 / 104, 2 / 104, 1 / 104, 0, 0])
    assert mine["loans"].tolist() == pytest.approx([0, 3 / 21, 0, 0, 0])
    assert mine["hand_size"].tolist() == pytest.approx([10 / 110, 1 / 110, 2 / 110, 0, 0])
    assert mine["tolls"].tolist() == pytest.approx([26 / 129])
    assert mine["known"].reshape(5, 9)[:2].tolist() == pytest.approx(
        np.array([[0, 0, 1 / 12, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 1 / 12, 0]])
    )
    planes = mine["owner"].reshape(6, len(MAP.tracks))
    assert [np.flatnonzero(plane).tolist() for plane in planes] == [
        [track("Breda", "Rotterdam", "yellow")],
        [],
        [track("Arnhem", "Nijmegen", "red")],
        [],
        [],
        [],
    ]
    assert np.flatnonzero(mine["tickets"]).tolist() == [ticket("Rotterdam", "Turnhout")]
    assert mine["tickets"].max() == pytest.approx(12 / 34)
    assert mine["ticket_done"].max() == 0
    assert (mine["round"].item(), mine["last_turns"].item()) == (0.25, 1)
    assert mine["turns_left"].item() == pytest.approx(2 / 5)


# Planning by hand -----------------------------------------------------------------------------

BREDA_EINDHOVEN = ticket("Breda", "Eindhoven")  # by 's-Hertogenbosch: 2 trains and 1
DIRECT = [track("'s-Hertogenbosch", "Breda", colour) for colour in ("white", "orange")]
LAST = [track("'s-Hertogenbosch", "Eindhoven", colour) for colour in ("blue", "green")]


def plan(player: int = 0, **where: Any) -> tuple[float, list[int]]:
    """How many trains the ticket from Breda to Eindhoven needs, and the tracks on its cheapest completions."""
    seen = slices_of(game_at(tickets=[[BREDA_EINDHOVEN]], **where), player, "planning")
    return float(seen["ticket_need"][BREDA_EINDHOVEN]) * 40, np.flatnonzero(seen["on_cheapest"]).tolist()


def test_the_cheapest_completion_and_both_tracks_of_its_doubles() -> None:
    assert plan() == (pytest.approx(3), DIRECT + LAST)


def test_own_tracks_cost_nothing_and_close_the_track_beside() -> None:
    assert plan(owned={DIRECT[0]: 0}) == (pytest.approx(1), LAST)


def test_a_completed_ticket_needs_nothing() -> None:
    assert plan(owned={DIRECT[0]: 0, LAST[1]: 0}) == (0, [])


def test_tracks_of_others_are_barred() -> None:
    assert plan(owned={DIRECT[0]: 1}) == (pytest.approx(3), [DIRECT[1], *LAST])


def test_B7_a_closed_double_is_barred() -> None:
    need, useful = plan(owned={DIRECT[0]: 1}, tolls=False)
    assert need == pytest.approx(2 + 3 + 3 + 1)  # through Rotterdam and Utrecht to 's-Hertogenbosch
    assert track("Rotterdam", "Utrecht", "grey") in useful
    assert not set(DIRECT) & set(useful)


def test_a_ticket_that_cannot_be_completed_needs_all_trains_and_no_track() -> None:
    around = [i for i, t in enumerate(MAP.tracks) if MAP.cities.index("Breda") in (t.a, t.b)]
    owned = {i: 1 for i in around if i % 2} | {i: 2 for i in around if not i % 2}
    assert plan(owned=owned, players=3) == (pytest.approx(40), [])


def test_the_need_of_tickets_on_offer_is_by_slot() -> None:
    offer = sorted([BREDA_EINDHOVEN, ticket("Amsterdam", "Rotterdam")])
    game = game_at(phase="keep_tickets", offered=[offer])
    need = slices_of(game, 0, "planning")["offer_need"] * 40
    expected = {BREDA_EINDHOVEN: 3, ticket("Amsterdam", "Rotterdam"): 4}
    assert need.tolist() == pytest.approx([*(expected[i] for i in offer), 0, 0, 0])


# What is hidden -------------------------------------------------------------------------------


@every_variant
def test_K_what_is_hidden_leaves_every_byte_as_it_is(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(8)
    for game in positions(options, seed=8):
        for player in range(game.players):
            dealt = game.determinize(player, rng)
            for features in VECTORS:
                assert dealt.observe(player, features).tobytes() == game.observe(player, features).tobytes()
            if player == game.player:
                assert dealt.action_mask().tobytes() == game.action_mask().tobytes()


def with_tolls(state: Snapshot, *tolls: int) -> Game:
    """The same position, but for the tokens."""
    seats = [{**seat, "tolls": number} for seat, number in zip(state["seats"], tolls, strict=True)]
    return Game.from_snapshot({**state, "seats": seats})


@pytest.mark.parametrize("features", VECTORS)
def test_N6_tolls_of_others_show_only_on_request(features: str) -> None:
    state = position(players=4, tokens=[30, 20, 10, 5])
    game, other = Game.from_snapshot(state), with_tolls(state, 2, 20, 29, 17)
    assert (game.observe(1, features) == other.observe(1, features)).all()
    assert (game.observe(0, features) != other.observe(0, features)).any()  # its own
    seen = slices_of(game, 1, features, tolls_visible=True)["others_tolls"]
    assert seen.tolist() == pytest.approx([10 / 129, 5 / 129, 30 / 129, 0])  # seats 2, 3 and 0
