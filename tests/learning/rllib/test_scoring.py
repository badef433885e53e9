"""Training on RLlib over action features: what is recorded and learned from, whole runs, and the public module."""

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("ray")

import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.evaluation.postprocessing import Postprocessing

from ttr_env import Batch, agents
from ttr_env.agents import policy_file
from ttr_env.learning import configs
from ttr_env.learning.rllib import checkpoints, cluster, settings
from ttr_env.learning.rllib import train as program
from ttr_env.learning.rllib.env import RLlibEnv
from ttr_env.learning.rllib.games_runner import GamesEnvRunner
from ttr_env.learning.rllib.recorded import Recorded, join
from ttr_env.learning.rllib.rollout import SHARED
from ttr_env.learning.rllib.scoring_learner import MakeRaggedBatch
from ttr_env.learning.rllib.scoring_module import ScoringModule
from ttr_env.learning.rllib.shared_runner import GAMES, SEATS
from ttr_env.learning.rllib.trainer import Trainer, make_config
from ttr_env.learning.settings import SettingsError

SMALL = (
    "run.steps=3000",
    "run.evaluation_games=4",
    "run.evaluation_opponents=[random]",
    "ppo.games=6",
    "ppo.n_steps=120",
    "ppo.batch_size=128",
    "network.layers=[16, 8]",
)
HALF = 5e-3  # how far log-probabilities of features in half precision may be off


def small(*changes: str) -> settings.RLlibSettings:
    return settings.read(configs.find("rllib"), [*SMALL, *changes])


def make_runner(*changes: str) -> GamesEnvRunner:
    runner = GamesEnvRunner(config=make_config(small("workers.env_runners=0", *changes)), worker_index=0)
    torch.nn.init.normal_(runner.module[SHARED].scorer.score.weight)  # or all candidates would be as good
    return runner


@pytest.fixture(scope="module")
def runner() -> GamesEnvRunner:
    return make_runner("run.threads=2")


@pytest.fixture(scope="module")
def recorded(runner: GamesEnvRunner) -> Recorded:
    (found,) = runner.sample()
    return found


def batch_of(parts: list[Recorded]) -> tuple[MakeRaggedBatch, dict]:
    connector = MakeRaggedBatch(torch.device("cpu"))
    return connector, connector(episodes=parts)[SHARED]


def test_the_learner_scores_what_was_played_as_the_player_did(runner: GamesEnvRunner, recorded: Recorded) -> None:
    connector, batch = batch_of([recorded])
    assert batch[Columns.OBS]["count"].unique().numel() > 10
    minibatch = {name: column[100:300] for name, column in batch[Columns.OBS].items()}
    with torch.no_grad():
        found = runner.module[SHARED].forward_train({Columns.OBS: connector.decisions(minibatch)})
    chosen = found[Columns.ACTION_DIST_INPUTS].gather(1, batch[Columns.ACTIONS][100:300].unsqueeze(1)).squeeze(1)
    assert (chosen - batch[Columns.ACTION_LOGP][100:300]).abs().max() < HALF
    assert (chosen < -0.1).sum() > 100


def test_the_learner_gets_every_decision_once(recorded: Recorded) -> None:
    _, batch = batch_of([recorded, recorded[:7]])
    expected = [*recorded.rows["log_prob"].tolist(), *recorded.rows["log_prob"][:7].tolist()]
    assert sorted(batch[Columns.ACTION_LOGP].tolist()) == sorted(expected)
    advantages = batch[Postprocessing.ADVANTAGES]
    assert float(advantages.mean()) == pytest.approx(0, abs=1e-5)
    assert float(advantages.std()) == pytest.approx(1, abs=1e-3)


def test_what_is_cut_for_several_learners_is_whole_when_put_together(recorded: Recorded) -> None:
    parts = [recorded[:10], recorded.slice(slice(10, None), len_lookback_buffer=0)]
    assert [len(part) for part in parts] == [10, len(recorded) - 10]
    assert len(parts[0].candidates) == recorded.rows["count"][:10].sum()
    whole = join(parts)
    assert np.array_equal(whole.candidates, recorded.candidates)
    assert all(np.array_equal(whole.rows[name], column) for name, column in recorded.rows.items())


def test_every_seat_of_every_table_learns_what_the_end_brought_it() -> None:
    chosen = ("game.mix=[{players: 5}, {map: usa}]", "reward.win=[1, 3]", "reward.margin=[0, 0]", "reward.lead=[0, 0]")
    runner = make_runner(*chosen, "ppo.gae_lambda=1.0", "ppo.games=12")
    (first,) = runner.sample()
    metrics = runner.get_metrics()
    players, games = int(metrics[SEATS]), int(metrics[GAMES])
    assert games == 12 and 12 * 2 < players < 12 * 5 and float(metrics["total"]) / players < 200
    assert set(np.round(first.rows["target"], 4)) == {-1.0, 1.0}
    runner.pay(0.5)
    assert set(np.round(runner.sample()[0].rows["target"], 4)) == {-2.0, 2.0}


def test_threads_do_not_matter_and_seeds_do() -> None:
    one, two, other = (
        make_runner(f"run.threads={threads}", f"run.seed={seed}") for threads, seed in [(1, 4), (2, 4), (1, 5)]
    )
    for runner in (two, other):
        runner.module[SHARED].set_state(one.module[SHARED].get_state())
    (a,), (b,), (c,) = one.sample(), two.sample(), other.sample()
    assert np.array_equal(a.candidates, b.candidates) and np.array_equal(a.rows["place"], b.rows["place"])
    assert not np.array_equal(a.candidates, c.candidates)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("sight.adviser=planner", "sight: with features actions there is no adviser"),
        ("league.self_play=0.5", "league: there is no such field"),
        ("network.layers=[64]", "network.layers: actions are scored by two layers"),
        ("network.activation=tanh", "network.activation: actions are scored with relu, not with tanh"),
        ("ppo.batch_size=9999", "ppo.batch_size: an update has .* samples for each learner, not 9999"),
    ],
)
def test_settings_that_do_not_fit_are_refused(change: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        small(change)


@pytest.mark.slow
def test_a_run_with_two_env_runners_trains_saves_and_resumes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"

    def arguments(*more: str, steps: int) -> list[str]:
        sets = [part for change in (*SMALL, f"run.steps={steps}") for part in ("--set", change)]
        return ["--config", "rllib", *sets, "--out", str(out), *more]

    assert program.main(arguments(steps=3000)) == 0
    assert "Wins against each opponent" in capsys.readouterr().out
    [checkpoint] = checkpoints.folder_of(out).iterdir()
    assert program.main(arguments("--resume", steps=6000)) == 0
    [later] = checkpoints.folder_of(out).iterdir()
    assert later.name > checkpoint.name
    with (out / "metrics.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    steps = [int(row["steps"]) for row in rows]
    assert steps == sorted(set(steps)) and steps[-2] < 6000 <= steps[-1]
    assert all(int(row["games"]) == 12 and row["tickets"] and float(row["entropy"]) > 0 for row in rows)
    agent = agents.make(f"policy:{out}/policy.npz")
    for players in (2, 4):
        batch = Batch(games=3, players=players, seed=1)
        assert batch.masks[np.arange(3), agent.act_batch(batch, np.arange(3))].all()  # type: ignore[attr-defined]
    assert policy_file.load_scorer(out / "policy.npz").about["steps"] == steps[-1]


@pytest.fixture(scope="module")
def local_ray() -> Iterator[None]:
    with cluster.running(None, small("workers.learners=2").workers):
        yield


@pytest.mark.slow
def test_learns_in_several_processes_and_starts_from_a_policy_file(tmp_path: Path, local_ray: None) -> None:
    trainer = Trainer(small("workers.env_runners=1", "workers.learners=2", "network.critic_knows=seen"), tmp_path)
    before = dict(trainer.module().get_state())
    update = next(trainer.updates())
    after = dict(trainer.module().get_state())
    assert update.games == 6 and all(not np.array_equal(before[name], value) for name, value in after.items())
    trainer.export(tmp_path / "policy.npz")
    trainer.stop()
    scorer = policy_file.load_scorer(tmp_path / "policy.npz")
    assert np.array_equal(scorer.action, after["scorer.action.weight"].T) and scorer.value == ()
    again = Trainer(small(f"network.start_from={tmp_path}/policy.npz", "workers.env_runners=0"), tmp_path)
    begun = again.module().get_state()
    again.stop()
    assert all(np.array_equal(begun[name], after[name]) for name in after if name.startswith("scorer."))


@pytest.mark.slow
def test_the_module_learns_with_rllibs_own_env_runner_and_learner(local_ray: None) -> None:
    config = (
        PPOConfig()
        .environment(RLlibEnv, env_config={"players": 2, "features": "actions", "max_decisions": 40})
        .multi_agent(policies={SHARED}, policy_mapping_fn=lambda agent, episode, **_: SHARED)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={SHARED: RLModuleSpec(module_class=ScoringModule)}))
        .env_runners(num_env_runners=0)
        .training(train_batch_size_per_learner=120, minibatch_size=60, num_epochs=1)
        .debugging(seed=0, log_level="ERROR")
    )
    algorithm = config.build_algo()
    before = dict(algorithm.get_module(SHARED).get_state())
    algorithm.train()
    after = algorithm.get_module(SHARED).get_state()
    algorithm.stop()
    assert all(not np.array_equal(before[name], value) for name, value in after.items())
    assert all(np.isfinite(value).all() for value in after.values())


def test_the_module_takes_candidates_alone() -> None:
    env = RLlibEnv({"players": 2, "features": "actions"})
    agent = env.possible_agents[0]
    spaces = {"observation_space": env.observation_spaces[agent], "action_space": env.action_spaces[agent]}
    module = ScoringModule(**spaces, model_config={})
    seen, _ = env.reset(seed=3)
    for _ in range(60):
        ((mover, view),) = seen.items()
        shown = {name: torch.from_numpy(array)[None] for name, array in view["observations"].items()}
        with torch.no_grad():
            found = module.forward_inference({Columns.OBS: {"observations": shown}})
        chances = found[Columns.ACTION_DIST_INPUTS][0].exp().numpy()
        index = view["observations"]["index"]
        assert np.array_equal(np.flatnonzero(chances), np.sort(index[index >= 0])) and found[
            Columns.VF_PREDS
        ].shape == (1,)
        seen, *_ = env.step({mover: int(chances.argmax())})
