"""Many games at once play exactly as single games do, whatever the number of rows and threads."""

import pickle
from typing import Any

import numpy as np
import pytest

from tests.helpers.positions import game_at
from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import Batch, Game, IllegalAction
from ttr_env.batch.threads import ROWS_A_THREAD, Crew
from ttr_env.engine import calls, scoring

SHOWN = ("observations", "masks", "movers")
RESULTS = ("rewards", "done", "truncated", "totals", "final_observations")
BUFFERS = (*SHOWN, *RESULTS, "seeds", "episodes")


def buffers(batch: Batch) -> dict[str, bytes]:
    return {name: getattr(batch, name).tobytes() for name in BUFFERS}


def play(batch: Batch, steps: int) -> list[dict[str, bytes]]:
    """Random steps; everything that can be seen after each."""
    seen = []
    for _ in range(steps):
        batch.step(batch.sample())
        seen.append(buffers(batch))
    return seen


# Rows and single games -------------------------------------------------------------------------


@pytest.mark.parametrize("features", ["base", "planning"])
@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_a_row_is_a_game(options: dict[str, Any], features: str) -> None:
    """Row by row and episode by episode: what the batch shows is what single games with its seeds show."""
    batch = Batch(games=3, seed=5, features=features, tolls_visible=True, **options)
    singles = [Game(seed=seed, **options) for seed in batch.seeds]
    for _ in range(450):
        for row, game in enumerate(singles):
            assert batch.movers[row] == game.player
            assert np.array_equal(batch.masks[row], game.action_mask())
            seen = game.observe(game.player, features, tolls_visible=True)
            assert np.array_equal(batch.observations[row], seen)
        movers = batch.movers.copy()
        actions = batch.sample().copy()
        batch.step(actions)
        for row, game in enumerate(singles):
            game.step(actions[row])
            assert batch.done[row] == (game.player < 0)
            if batch.done[row]:
                assert batch.totals[row].tolist() == [seat["total"] for seat in game.result()["seats"]]
                last = game.observe(movers[row], features, tolls_visible=True)
                assert np.array_equal(batch.final_observations[row], last)
                singles[row] = Game(seed=batch.seeds[row], **options)
    assert not batch.truncated.any()
    assert batch.episodes.min() >= 1


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    crews: list[int] = []  # how many help in each

    def crew(helpers: int) -> Crew:
        crews.append(helpers)
        return Crew(helpers)

    monkeypatch.setattr("ttr_env.batch.threads.Crew", crew)
    options = {"games": 2 * ROWS_A_THREAD + 1, "players": 3, "seed": 1, "max_decisions": 30}
    one, two = Batch(**options), Batch(**options, threads=2)
    assert play(one, 70) == play(two, 70)
    assert crews == [1]  # for `two`
    assert one.episodes.min() == 2


def test_more_threads_than_rows_are_no_harm() -> None:
    assert play(Batch(games=2, seed=1, threads=5), 20) == play(Batch(games=2, seed=1), 20)


# Restarts --------------------------------------------------------------------------------------


def test_a_row_s_games_depend_on_seed_row_and_episode_alone() -> None:
    few, many = Batch(games=2, seed=9, max_decisions=5), Batch(games=6, seed=9, max_decisions=5)
    dealt = []
    for _ in range(20):
        assert np.array_equal(few.seeds, many.seeds[:2])
        dealt += many.seeds[many.done].tolist()
        few.step(few.masks.argmax(axis=1))  # others than `many` takes, so that the games differ
        many.step(many.sample())
    assert len(dealt) == len(set(dealt)) == 3 * 6  # no two games alike
    assert set(Batch(games=6, seed=10).seeds.tolist()).isdisjoint(dealt)


def test_a_finished_row_keeps_its_results_and_shows_the_next_game() -> None:
    batch = Batch(games=4, players=2, seed=3)
    while not batch.done.any():
        batch.step(batch.sample())
    row = int(batch.done.argmax())
    assert sorted(batch.rewards[row].tolist()) in ([-1, 1], [0, 0])
    assert batch.episodes[row] == 1
    assert batch.game(row).snapshot() == Game(players=2, seed=batch.seeds[row]).snapshot()
    totals, final = batch.totals[row].copy(), batch.final_observations[row].copy()
    batch.step(batch.sample())
    assert not batch.done[row]
    assert not batch.rewards[row].any()
    assert np.array_equal(batch.totals[row], totals)
    assert np.array_equal(batch.final_observations[row], final)


def test_reset_begins_again() -> None:
    batch = Batch(games=3, seed=4, max_decisions=30)
    beginning, first = buffers(batch), play(batch, 50)
    batch.reset(4)
    assert buffers(batch) == beginning
    assert play(batch, 50) == first
    batch.reset(5)
    assert buffers(batch)["seeds"] != beginning["seeds"]


def test_long_games_are_cut_off() -> None:
    batch = Batch(games=2, seed=0, max_decisions=7, reward="score")
    for step in range(1, 15):
        positions = [batch.game(row) for row in range(2)]
        actions = batch.sample().copy()
        batch.step(actions)
        assert batch.truncated.tolist() == batch.done.tolist() == [step % 7 == 0] * 2
        assert not batch.rewards.any()
    sheet = np.zeros(scoring.SHEET_SHAPE, scoring.SHEET_TYPE)
    for row, game in enumerate(positions):
        game.step(actions[row])
        assert np.array_equal(batch.final_observations[row], game.observe(game.player))
        calls.score_sheet(game.records, 0, game.board, sheet)
        assert batch.totals[row].tolist() == [int(total) for total in sheet[: game.players, scoring.TOTAL]]


def test_a_game_that_ends_at_its_last_allowed_decision_is_not_cut_off() -> None:
    batch = Batch(games=1, seed=2)
    decisions = 0
    while not batch.done[0]:
        batch.step(batch.sample())
        decisions += 1
    for limit, cut in ((decisions, False), (decisions - 1, True)):
        again = Batch(games=1, seed=2, max_decisions=limit)
        play(again, limit)
        assert (again.done[0], again.truncated[0]) == (True, cut)


# Rewards ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("reward", ["win", "margin", "score"])
def test_rewards_come_at_the_end_and_follow_from_the_result(reward: str, players: int) -> None:
    batch = Batch(games=5, players=players, seed=6, reward=reward)
    while batch.episodes.min() < 2:
        positions = [batch.game(row) for row in range(len(batch))]
        actions = batch.sample().copy()
        batch.step(actions)
        assert not batch.rewards[~batch.done].any()
        for row in np.flatnonzero(batch.done):
            positions[row].step(actions[row])
            assert batch.rewards[row] == pytest.approx(expected(reward, positions[row].result()), abs=1e-6)


def expected(reward: str, result: dict[str, Any]) -> list[float]:
    totals, winners = [seat["total"] for seat in result["seats"]], result["winners"]
    if reward == "score":
        return [total / 100 for total in totals]
    if reward == "margin":
        return [(t - max(totals[:seat] + totals[seat + 1 :])) / 100 for seat, t in enumerate(totals)]
    others = len(totals) - len(winners)
    return [0.0 if not others else 1 / len(winners) if seat in winners else -1 / others for seat in range(len(totals))]


@pytest.mark.parametrize(
    ("points", "rewards"),
    [
        ([90, 50, 50], [1, -1 / 2, -1 / 2]),
        ([90, 90, 50], [1 / 2, 1 / 2, -1]),
        ([90, 90, 90], [0, 0, 0]),
        ([90, 50], [1, -1]),
        ([90, 90], [0, 0]),
    ],
    ids=str,
)
def test_winners_share_the_reward_and_losers_the_loss(points: list[int], rewards: list[float]) -> None:
    last = {"player": len(points) - 1, "phase": "second_card", "turns_left": 1}
    game = game_at(players=len(points), tolls=False, points=points, **last)
    batch = Batch(games=1, players=len(points), tolls=False)
    batch.records[0] = game.records[0]
    batch.step([0])
    assert batch.done[0]
    assert batch.rewards[0] == pytest.approx(rewards)


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_dense_rewards_add_up_to_the_score(options: dict[str, Any]) -> None:
    batch = Batch(games=4, seed=6, reward="dense", **options)
    earned = np.zeros_like(batch.rewards)
    while batch.episodes.min() < 1:
        movers = batch.movers.copy()
        batch.step(batch.sample())
        earned += batch.rewards
        others = np.arange(options["players"]) != movers[:, None]
        assert not batch.rewards[~batch.done][others[~batch.done]].any()
        assert earned[batch.done] == pytest.approx(batch.totals[batch.done] / 100, abs=1e-5)
        earned[batch.done] = 0


def test_dense_rewards_begin_with_the_start_points_and_the_tickets_kept() -> None:
    batch = Batch(games=1, players=4, seed=1, reward="dense")
    for seat in range(4):
        game = batch.game(0)
        batch.step([12 + 0b111 - 1])  # keep the first three
        offered = game.snapshot()["seats"][seat]["offered"]
        open_points = sum(game.map.tickets[ticket].points for ticket in offered[:3])
        assert batch.rewards[0, seat] == pytest.approx((seat - open_points) / 100)
        assert np.count_nonzero(batch.rewards) == 1


# Bad input, copies -----------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [-1, -2, 0, 616, 2**40])  # 0 draws a card, but tickets are to be kept first
def test_an_illegal_action_is_named_by_its_row_and_no_row_moves(bad: int) -> None:
    batch = Batch(games=4, seed=0)
    actions = batch.sample().copy()
    actions[2:] = bad
    before, games = buffers(batch), [batch.game(row).snapshot() for row in range(4)]
    with pytest.raises(IllegalAction, match=f"row 2: action {bad} "):
        batch.step(actions)
    assert buffers(batch) == before
    assert [batch.game(row).snapshot() for row in range(4)] == games


@pytest.mark.parametrize(
    "actions",
    [[12, 12], [[12, 12, 12]], 12, [], [12.0] * 3, [True] * 3, ["12"] * 3, [None] * 3, [12, 12, 2**70]],
    ids=str,
)
def test_actions_are_one_whole_number_a_row(actions: Any) -> None:
    batch = Batch(games=3, seed=0)
    before = buffers(batch)
    with pytest.raises(IllegalAction, match="actions: 3 whole numbers are needed"):
        batch.step(actions)
    assert buffers(batch) == before


@pytest.mark.parametrize("kind", [list, tuple, np.uint16, np.int32, np.int64])
def test_actions_may_be_any_kind_of_whole_numbers(kind: Any) -> None:
    batch, other = Batch(games=3, seed=0), Batch(games=3, seed=0)
    batch.step(kind([12 + 6] * 3))
    other.step(np.array([12 + 6] * 3))
    assert buffers(batch) == buffers(other)


def test_samples_are_legal_and_cover_all_that_is() -> None:
    batch = Batch(games=2000, seed=0)
    sampled = batch.sample()
    assert batch.masks[np.arange(2000), sampled].all()
    assert set(sampled) == set(np.flatnonzero(batch.masks[0]))


def test_a_row_s_game_is_a_copy() -> None:
    batch = Batch(games=2, seed=0)
    before = buffers(batch)
    game = batch.game(1)
    game.step(game.legal_actions()[0])
    assert buffers(batch) == before
    assert batch.game(1).snapshot() != game.snapshot()
    assert Game.replay(game.record()).snapshot() == game.snapshot()


@pytest.mark.parametrize(("row", "error"), [(2, IndexError), (-1, IndexError), (1.0, TypeError), (True, TypeError)])
def test_there_is_no_such_row(row: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="row: "):
        Batch(games=2).game(row)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_pickled_batch_goes_on_identically(threads: int) -> None:
    games = threads * ROWS_A_THREAD
    batch = Batch(games=games, players=2, seed=8, neutral_player=True, reward="dense", threads=threads)
    play(batch, 100)
    twin = pickle.loads(pickle.dumps(batch))
    assert buffers(twin) == buffers(batch)
    assert play(twin, 100) == play(batch, 100)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"games": 0}, ValueError, "games: at least 1"),
        ({"games": 2.0}, TypeError, "games: a whole number"),
        ({"players": 6}, ValueError, "players: Nederland is for 2 to 5"),
        ({"players": 3, "neutral_player": True}, ValueError, "neutral_player: "),
        ({"reward": "winning"}, ValueError, "reward: 'winning' is unknown; choose one of win, margin"),
        ({"features": "all"}, ValueError, "features: 'all' is unknown; choose one of base, planning"),
        ({"max_decisions": 0}, ValueError, "max_decisions: at least 1"),
        ({"threads": 0}, ValueError, "threads: at least 1"),
        ({"threads": "2"}, TypeError, "threads: a whole number"),
        ({"seed": -1}, ValueError, "seed: a whole number from 0"),
        ({"seed": None}, TypeError, "seed: a whole number"),
        ({"map": "nowhere"}, ValueError, "'nowhere' is no map"),
    ],
    ids=str,
)
def test_options_are_checked(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Batch(**{"games": 2} | options)


def test_some_rows_step_while_the_others_wait() -> None:
    batch = Batch(games=6, players=2, seed=3, reward="dense")
    batch.step(batch.sample())
    waiting = [batch.game(row).snapshot() for row in (0, 2, 5)]
    batch.step(batch.sample()[[1, 3, 4]], [1, 3, 4])
    assert [batch.game(row).snapshot() for row in (0, 2, 5)] == waiting
    assert not batch.rewards[[0, 2, 5]].any() and not batch.done.any()
    assert all(batch.movers[row] == batch.game(row).player for row in range(6))


@pytest.mark.parametrize("rows", [[0, 0], [-1], [6], [0.5], [True], [[0]]])
def test_bad_rows(rows: list[Any]) -> None:
    batch = Batch(games=6, players=2)
    with pytest.raises((IndexError, IllegalAction), match=r"row_numbers|actions"):
        batch.step([20] * len(rows), rows)


@pytest.mark.parametrize("actions", [[18.5], [True], [-2], [-1], [10**6]])
def test_bad_actions_in_some_rows(actions: list[Any]) -> None:
    batch = Batch(games=3, players=2)
    before = batch.game(1).snapshot()
    with pytest.raises(IllegalAction):
        batch.step(actions, [1])
    assert batch.game(1).snapshot() == before


def test_deal_given_seeds() -> None:
    batch = Batch(games=4, players=3, seed=0)
    batch.deal([3, 1], [77, 78])
    assert batch.game(3).snapshot() == Game(players=3, seed=77).snapshot()
    assert batch.game(1).snapshot() == Game(players=3, seed=78).snapshot()
    assert batch.seeds[[3, 1]].tolist() == [77, 78]
    assert np.array_equal(batch.masks[3], Game(players=3, seed=77).action_mask())


def test_scores_and_lengths_of_finished_games() -> None:
    batch = Batch(games=4, players=3, seed=5, views=False)
    copies = [batch.game(row) for row in range(4)]
    finished = np.zeros(4, bool)
    while not finished.all():
        actions = batch.sample()
        for row in np.flatnonzero(~finished):
            copies[row].step(int(actions[row]))
        batch.step(actions)
        for row in np.flatnonzero(batch.done & ~finished):
            seats = copies[row].result()["seats"]
            assert batch.scores[row].tolist() == [list(seat.values()) for seat in seats]
            assert batch.lengths[row] == len(copies[row].record()["actions"])
        finished |= batch.done
    assert not batch.observations.any()  # without views


def test_a_deal_brings_no_reward_and_needs_a_seed_for_each_row() -> None:
    batch = Batch(games=3, players=2, reward="dense")
    batch.step(batch.sample())
    assert batch.rewards[1].any()  # start points or open tickets of the first keep
    before = batch.seeds.tolist()
    for seeds in ([5], [5, 6, 7]):
        with pytest.raises(ValueError, match="2 are needed"):
            batch.deal([1, 2], seeds)
    assert batch.seeds.tolist() == before
    batch.deal([1], [5])
    assert not batch.rewards.any()
