"""The champion: it plays every table, sees no more than it may, and is better than what it was taught by."""

from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import ttr_env
from tests.helpers.variants import EVERYWHERE, variant_name
from ttr_env import agents
from ttr_env.arena.tables import Table
from ttr_env.options import Variant


@pytest.mark.parametrize("options", EVERYWHERE, ids=variant_name)
def test_plays_every_variant_and_chooses_by_what_it_may_know(options: dict[str, object]) -> None:
    champion, dealer = agents.make("champion"), np.random.default_rng(0)
    game = ttr_env.Game(seed=5, **options)
    while game.player >= 0:
        action = champion.act(game)
        assert champion.act(game.determinize(game.player, dealer)) == action
        game.step(action)


def test_one_game_at_a_time_or_many() -> None:
    champion = agents.make("champion")
    batch = ttr_env.Batch(games=16, players=5, seed=2)
    rows = np.array([1, 4, 15])
    for _ in range(60):
        assert champion.act_batch(batch, rows).tolist() == [champion.act(batch.game(row)) for row in rows]
        batch.step(batch.sample())


@pytest.mark.parametrize(("opponent", "least"), [("planner", 0.6), ("racer", 0.75)])
def test_beats_the_ladder(tmp_path: Path, opponent: str, least: float) -> None:
    table = Table(("champion", opponent), Variant.of(), seed=3, folder=tmp_path)
    for _ in table.play(300):
        pass
    assert table.played().shares()[:, 0].mean() > least


def test_searches_among_what_it_likes() -> None:
    game = ttr_env.Game(players=2, seed=5)
    for _ in range(20):
        game.step(agents.make("planner:version=1").act(game))
    for spec in ("champion+search:iterations=40", "champion+search:seconds=0.05"):
        likely = [thought.action for thought in agents.explain("champion", game).options]
        tried = {thought.action for thought in agents.explain(spec, game).options}
        assert tried == set(likely[: len(tried)]) and len(tried) > 1


def test_version_1_refuses_other_maps() -> None:
    with pytest.raises(ValueError, match="trained on 'nederland' and cannot play 'usa'"):
        agents.make("champion:version=1").act(ttr_env.Game("usa", seed=0))


def test_champions_share_nothing_that_they_work_with() -> None:
    """Each can play in a thread of its own: compiled code works in memory that belongs to one agent."""
    games = [ttr_env.Game(players=2, seed=seed) for seed in range(2)]
    for name in ("champion", "champion+search:iterations=20"):
        one, other = (agents.make(name) for _ in range(2))
        networks = [getattr(agent, "network_on", agent.on_map)(games[0].map) for agent in (one, other)]
        assert networks[0] is not networks[1] and networks[0].scorer is networks[1].scorer
    alone = [agents.play(game.copy(), ["champion", "champion"]).actions for game in games]
    with ThreadPoolExecutor(2) as threads:
        together = list(threads.map(lambda game: agents.play(game.copy(), ["champion", "champion"]).actions, games * 8))
    assert together == alone * 8


def test_its_files_are_small() -> None:
    folder = Path(str(files("ttr_env.agents") / "champions"))
    assert sum(file.stat().st_size for file in folder.rglob("*.npz")) < 10_000_000
    assert all(file.stat().st_size < 200_000 for file in folder.glob("*.npz"))
