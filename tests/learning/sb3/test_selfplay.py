"""Learning from whole games: what a run leaves, that it can be stopped, and that compiled and torch networks agree."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from ttr_env import Batch, agents
from ttr_env.agents import policy_file
from ttr_env.agents.champion import network_for
from ttr_env.agents.scoring import ScoringAgent
from ttr_env.arena.tables import Table
from ttr_env.batch.recorded import estimate_advantages
from ttr_env.batch.selfplay import JOB
from ttr_env.bots.features.columns import ACTION, STATE
from ttr_env.engine.scoring import RANK, TOTAL
from ttr_env.errors import SettingsError
from ttr_env.learning import configs, settings, train
from ttr_env.learning.sb3.scoring_policy import ScoringPolicy
from ttr_env.learning.sb3.selfplay_env import SelfPlayEnv
from ttr_env.learning.sb3.selfplay_ppo import SelfPlayPPO, decisions_of
from ttr_env.learning.sb3.trainer import Trainer
from ttr_env.learning.scorer import Scorer
from ttr_env.learning.selfplay import LEARNER, Player, Reward, make_jobs
from ttr_env.options import Variant

SMALL = (
    "run.steps=2400",
    "run.threads=2",
    "run.evaluation_games=4",
    "run.evaluation_opponents=[random]",
    "ppo.games=6",
    "ppo.n_steps=100",
    "ppo.batch_size=128",
    "network.layers=[16, 8]",
    "league.snapshot_every=1",
)
TOLERANCE = 1e-5  # of log-probabilities, between the compiled network and torch


def small(*changes: str) -> settings.Settings:
    return settings.read(configs.find("quickstart"), [*SMALL, *changes])


def folder(path: Path) -> Path:
    path.mkdir()
    return path


def finished(trainer: Trainer) -> Trainer:
    for _ in trainer.updates():
        pass
    return trainer


def weights(trainer: Trainer) -> list[torch.Tensor]:
    return [value.clone() for value in trainer.model.policy.state_dict().values()]


def same(one: Trainer, other: Trainer) -> bool:
    return all(torch.equal(a, b) for a, b in zip(weights(one), weights(other), strict=True))


def env(**options: object) -> SelfPlayEnv:
    return SelfPlayEnv([Variant.of(players=2)], {"greedy": 1.0, "racer": 1.0}, games=8, **options)  # type: ignore[arg-type]


def test_a_run_leaves_all_it_promises(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    sets = [part for change in SMALL for part in ("--set", change)]
    assert train.main(["--config", "quickstart", *sets, "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "points a game" in printed and "ttr evaluate --agents policy:" in printed
    for name in ("config.yaml", "metrics.csv", "checkpoint.zip", "policy.npz", "model.zip", "curves.png"):
        assert (out / name).stat().st_size > 0
    with (out / "metrics.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["update"]) for row in rows] == [1, 2, 3, 4]
    assert 0 <= float(rows[-1]["against_planner:version=1"]) <= 1 and rows[-1]["tickets"]
    batch = Batch(games=20, players=3, seed=1)
    chosen = [
        agents.make(spec).act_batch(batch, np.arange(20))  # type: ignore[attr-defined]
        for spec in (f"policy:{out}/policy.npz", f"sb3:{out}/model.zip")
    ]
    assert np.array_equal(*chosen)


def test_stop_and_resume_gives_the_same_weights(tmp_path: Path) -> None:
    whole = finished(Trainer(small(), folder(tmp_path / "whole")))
    stopped = Trainer(small(), folder(tmp_path / "stopped"))
    for update in stopped.updates():
        if update.number == 2:
            stopped.save()
            break
    torch.manual_seed(99)
    np.random.seed(99)  # noqa: NPY002 - what another program might do in between
    resumed = Trainer(small(), tmp_path / "stopped", resume=True)
    assert resumed.done == 2 and len(resumed.env.player.pool) == 3
    assert same(whole, finished(resumed))
    assert whole.env.league.state() == resumed.env.league.state()


def test_seeds_decide_and_threads_do_not(tmp_path: Path) -> None:
    runs = {
        name: finished(
            Trainer(small("run.steps=1200", f"run.seed={seed}", f"run.threads={threads}"), folder(tmp_path / name))
        )
        for name, seed, threads in (("one", 1, 1), ("again", 1, 1), ("another", 2, 1))
    }
    assert same(runs["one"], runs["again"]) and not same(runs["one"], runs["another"])
    played = [env(seed=3, threads=threads).play(runs["one"].model.policy.scorer.compiled(1.0)) for threads in (1, 2, 3)]
    for other, rewards in played[1:]:
        assert np.array_equal(rewards, played[0][1])
        for name in ("states", "hidden", "places", "log_probs", "games", "seats"):
            assert np.array_equal(getattr(other, name), getattr(played[0][0], name))


def test_the_compiled_network_agrees_with_torch() -> None:
    model = SelfPlayPPO(ScoringPolicy, env(seed=1), batch_size=64, seed=0)
    torch.nn.init.normal_(model.policy.scorer.score.weight)
    played, _ = model.env.play(model.policy.scorer.compiled(1.0))  # type: ignore[union-attr]
    chosen = np.arange(len(played))
    with torch.no_grad():
        log_probs = model.policy.scorer(decisions_of(played, chosen)).numpy()
    assert len(played) > 400 and np.abs(log_probs[chosen, played.places] - played.log_probs).max() < TOLERANCE


def test_an_urge_is_part_of_what_is_learned_from() -> None:
    games = env(seed=1, self_play=0.0)
    model = SelfPlayPPO(ScoringPolicy, games, batch_size=64, seed=0)
    games.urge = (1.0, 4.0)
    played, _ = games.play(model.policy.scorer.compiled(1.0))
    with torch.no_grad():
        log_probs = model.policy.scorer(decisions_of(played, np.arange(len(played)))).numpy()
    assert np.abs(log_probs[np.arange(len(played)), played.places] - played.log_probs).max() < TOLERANCE
    assert played.urges.max() > 0


def test_advantages_are_those_of_each_seat() -> None:
    games, seats = np.array([0, 0, 0, 0, 1]), np.array([0, 1, 0, 1, 0])
    values, rewards = np.array([0.5, 0.2, 0.3, 0.1, 0.4], np.float32), np.array([[1.0, -1.0], [2.0, 0.0]])
    found = np.zeros(5, np.float32)
    estimate_advantages(games, seats, values, rewards, (0.9, 0.8), found)
    last = [1.0 - 0.3, -1.0 - 0.1]
    expected = [0.9 * 0.3 - 0.5 + 0.72 * last[0], 0.9 * 0.1 - 0.2 + 0.72 * last[1], *last, 2.0 - 0.4]
    assert found == pytest.approx(expected)


def test_no_batch_is_a_single_decision() -> None:
    model = SelfPlayPPO(ScoringPolicy, env(seed=1), batch_size=64, seed=0).learn(10)
    decisions = len(model.rollout_buffer.values)
    sizes = [len(samples.actions) for samples in model.rollout_buffer.get(decisions - 1)]
    assert sum(sizes) == decisions and min(sizes) >= decisions // 2


def test_rewards_are_what_they_say() -> None:
    jobs = np.zeros(1, JOB)
    jobs["players"] = 3
    jobs["scores"][0, :3, TOTAL], jobs["scores"][0, :3, RANK] = [120, 100, 60], [1, 2, 3]
    assert Reward(win=1.0).of(jobs)[0, :3].tolist() == [1, -1, -1]
    assert Reward(margin=1.0).of(jobs)[0, :3] == pytest.approx([0.5, -0.5, -0.75])
    assert Reward(lead=1.0, points=2.0).of(jobs)[0, :3] == pytest.approx([2.6, 1.8, 0.6])


def test_room_grows_when_there_is_too_little(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Variant.of(players=2)
    jobs = make_jobs(4, [table], np.random.default_rng(0))
    jobs["seats"], jobs["learns"][:, :2] = LEARNER, 1
    plenty = Player(table).play(jobs.copy())
    monkeypatch.setattr("ttr_env.learning.selfplay._DECISIONS_A_SEAT", 1)
    scarce = Player(table, threads=2).play(jobs.copy())
    assert np.array_equal(plenty.states, scarce.states) and np.array_equal(plenty.jobs, scarce.jobs)
    for one, other in ((0, 0), (len(plenty) - 1, len(scarce) - 1)):
        mine, theirs = (
            plenty.actions[plenty.begins[one] : plenty.ends[one]],
            slice(scarce.begins[other], scarce.ends[other]),
        )
        assert np.array_equal(mine, scarce.actions[theirs])


def test_tables_of_all_kinds_in_one_run(tmp_path: Path) -> None:
    mix = "game.mix=[{players: 3}, {players: 5}, {tolls: false}, {neutral_player: true}]"
    trainer = Trainer(small(mix, "ppo.games=24"), tmp_path)
    next(trainer.updates())
    trainer.export(tmp_path / "policy.npz")
    agent = agents.make(f"policy:{tmp_path}/policy.npz")
    assert isinstance(agent, ScoringAgent) and len(agent.scorer.games) == 5
    assert agent.scorer.about["steps"] == trainer.steps


def test_boards_of_all_kinds_in_one_run(tmp_path: Path) -> None:
    maps = "game.mix=[{map: usa}, {map: 'generate:seed=9,cities=30,tolls=true', players: 3}]"
    boards = ("game.map='generate:seed=1,cities=12'", maps, "game.boards=3", "ppo.games=24")
    trainer = Trainer(small(*boards), folder(tmp_path / "run"))
    next(trainer.updates())
    trainer.export(tmp_path / "policy.npz")
    agent = agents.make(f"policy:{tmp_path}/policy.npz")
    assert isinstance(agent, ScoringAgent)
    played = [game["map"] for game in agent.scorer.games]
    assert played[:4] == [*(f"generate:seed={seed},cities=12" for seed in (1, 2, 3)), "usa"] and len(played) == 7
    trainer.save()
    assert Trainer(small(*boards), tmp_path / "run", resume=True).done == 1


@pytest.mark.parametrize("threads", [1, 3])
def test_a_game_is_the_same_whatever_boards_are_played_beside_it(threads: int) -> None:
    tables = [Variant.of(map) for map in ("generate:seed=1,cities=12", "nederland", "usa")]
    jobs = make_jobs(12, tables, np.random.default_rng(2))
    drawn = jobs["table"]
    assert len(set(drawn)) == 3 and (np.diff(drawn) < 0).any()
    jobs["seats"], jobs["learns"][:, :2] = LEARNER, 1
    together = Player(tables, threads)
    together.pool[0] = Scorer(16, 8).compiled(temperature=1.0)[0]
    mixed = together.play(jobs.copy())
    for number, table in enumerate(tables):
        mine = drawn == number
        alone = Player(table)
        alone.pool[0] = together.pool[0]
        those = jobs[mine]
        those["table"] = 0
        played = alone.play(those)
        for field in set(played.jobs.dtype.names) - {"table"}:
            assert np.array_equal(mixed.jobs[field][mine], played.jobs[field])
        assert np.array_equal(mixed.states[mine[mixed.games]], played.states)


@pytest.mark.parametrize("knows", ["hidden", "seen"])
def test_no_critic_goes_into_the_file(tmp_path: Path, knows: str) -> None:
    """What positions are worth is learned afterwards, from what the player to move sees (`appraisal`)."""
    trainer = Trainer(small(f"network.critic_knows={knows}"), tmp_path)
    trainer.export(tmp_path / "policy.npz")
    agent = agents.make(f"policy:{tmp_path}/policy.npz")
    assert isinstance(agent, ScoringAgent) and agent.scorer.value == ()


def test_starts_from_a_policy_file(tmp_path: Path) -> None:
    first = finished(Trainer(small("run.steps=600"), folder(tmp_path / "first")))
    first.export(tmp_path / "policy.npz")
    start = f"network.start_from={tmp_path}/policy.npz"
    second = Trainer(small(start), folder(tmp_path / "second"))
    for one, other in zip(first.model.policy.scorer.parameters(), second.model.policy.scorer.parameters(), strict=True):
        assert torch.equal(one, other)
    with pytest.raises(ValueError, match="must have layers of 8 and 8, not of"):
        Trainer(small(start, "network.layers=[8, 8]"), folder(tmp_path / "third"))


def test_starts_from_the_champion_of_the_map(tmp_path: Path) -> None:
    chosen = "network.layers=[128, 64]", "network.start_from=champion", "game.map=usa"
    trainer = Trainer(small(*chosen), tmp_path)
    assert np.array_equal(trainer.model.policy.scorer.compiled(), network_for("usa").weights())


def test_a_saved_model_is_one_of_sb3(tmp_path: Path) -> None:
    model = SelfPlayPPO(ScoringPolicy, env(seed=1), batch_size=64, seed=0).learn(10)
    model.save(tmp_path / "model.zip")
    loaded = MaskablePPO.load(tmp_path / "model.zip")
    for one, other in zip(model.policy.parameters(), loaded.policy.parameters(), strict=True):
        assert torch.equal(one, other)
    again = SelfPlayPPO.load(tmp_path / "model.zip", env=env(seed=2))
    assert again.learn(10, reset_num_timesteps=False).num_timesteps > model.num_timesteps


@pytest.mark.parametrize(
    "change, message",
    [
        ("network.layers=[64]", "network.layers: actions are scored by two layers"),
        ("network.layers=[64, 65]", "network.layers: actions are scored by two layers"),
        ("sight.adviser=planner", "no adviser"),
        ("sight.features=planning", "it needs sight.features=actions"),
        ("game.mix=[{players: 9}]", "2 to 5 players, not 9"),
    ],
)
def test_settings_that_do_not_fit_are_refused(change: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        small(change)


@pytest.mark.slow
def test_learns_at_full_width(tmp_path: Path) -> None:
    """Half a minute of training at the real sizes: it beats greedy, of which it knew nothing."""
    chosen = settings.read(configs.find("quickstart"), ["run.steps=400000"])
    trainer = finished(Trainer(chosen, tmp_path))
    trainer.export(tmp_path / "policy.npz")
    table = Table((f"policy:{tmp_path}/policy.npz", "greedy"), Variant.of(), seed=1, folder=tmp_path)
    for _ in table.play(200):
        pass
    assert table.played().shares()[:, 0].mean() > 0.8


def test_what_it_is_blind_to_it_never_reads(tmp_path: Path) -> None:
    trainer = Trainer(small("run.steps=1200", "sight.blind_to=[plan, keep, path]"), tmp_path)
    list(trainer.updates())
    trainer.export(tmp_path / "policy.npz")
    learned = policy_file.load_scorer(tmp_path / "policy.npz")
    for weights, columns in ((learned.state, STATE), (learned.action, ACTION)):
        unread = np.array([column.group in ("plan", "keep", "path") for column in columns])
        assert unread.any() and (weights[unread] == 0).all() and (weights[~unread] != 0).any()


def test_networks_are_met_in_the_league_and_other_agents_are_refused() -> None:
    table = [Variant.of("nederland", players=2)]
    env = SelfPlayEnv(table, {"champion": 1.0}, games=8, self_play=0.0, seed=1)
    env.play(Scorer(16, 8).compiled(temperature=1.0))
    [champion] = env.league.baselines
    assert env.player.pool[champion.number - LEARNER] == agents.make("champion").on_map(table[0].map).weights[0]
    assert env.finished["win_rate"] == 0.0  # against weights that have learned nothing
    with pytest.raises(ValueError, match=r"opponents: 'ismcts' does not play in compiled code"):
        SelfPlayEnv(table, {"ismcts": 1.0})


def test_the_best_response_starts_from_the_champion_and_meets_nobody_else(tmp_path: Path) -> None:
    changes = ["run.steps=300", "run.threads=1", "ppo.games=4", "ppo.n_steps=64", "ppo.batch_size=64"]
    trainer = Trainer(settings.read(configs.find("best-response"), changes), tmp_path)
    champion = agents.make("champion").on_map(trainer.settings.game.variant.map).scorer
    assert np.array_equal(trainer.model.policy.scorer.second.weight.detach().numpy().T, champion.second)
    *_, update = trainer.updates()
    assert list(update.win_rates) == ["champion", "its past"] and update.win_rates["its past"] is None
