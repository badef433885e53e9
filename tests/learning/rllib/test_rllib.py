"""Training on RLlib over vectors: what every player is taught, a real Ray on this machine, and what a run refuses."""

import csv
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray")

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.evaluation.postprocessing import Postprocessing

from ttr_env import Batch, agents
from ttr_env.agents import policy_file
from ttr_env.errors import CheckpointError, install_command
from ttr_env.learning import configs
from ttr_env.learning.rllib import checkpoints, cluster, settings
from ttr_env.learning.rllib import train as program
from ttr_env.learning.rllib.learner import MakeBatch
from ttr_env.learning.rllib.rollout import SHARED, Rollout
from ttr_env.learning.rllib.runner import BatchEnvRunner
from ttr_env.learning.rllib.shared_runner import GAMES
from ttr_env.learning.rllib.trainer import Trainer, make_config
from ttr_env.learning.settings import SettingsError

SMALL = [
    "run.steps=512",
    "run.evaluation_games=4",
    "run.evaluation_opponents=[random]",
    "ppo.games=8",
    "ppo.n_steps=16",
    "ppo.batch_size=64",
    "network.layers=[16, 16]",
]


def small(*changes: str) -> settings.RLlibSettings:
    return settings.read(configs.find("rllib-flat"), [*SMALL, *changes])


def arguments(out: Path, *more: str, changes: tuple[str, ...] = ()) -> list[str]:
    sets = [part for change in (*SMALL, *changes) for part in ("--set", change)]
    return ["--config", "rllib-flat", *sets, "--out", str(out), *more]


def data(episode: SingleAgentEpisode, name: str) -> np.ndarray:
    return episode.extra_model_outputs[name].data


def by_hand(
    rewards: list[float], values: list[float], over: bool, gamma: float, gae_lambda: float
) -> tuple[list[float], list[float]]:
    """Advantages and value targets by their definition; without an end, the last value stands for all that follows."""
    after = [*values[1:], 0.0] if over else values[1:]
    errors = [
        reward + gamma * later - value
        for reward, later, value in zip(rewards, after, values[: len(rewards)], strict=True)
    ]
    advantages = [
        sum((gamma * gae_lambda) ** (later - now) * errors[later] for later in range(now, len(errors)))
        for now in range(len(errors))
    ]
    return advantages, [advantage + value for advantage, value in zip(advantages, values, strict=False)]


def test_every_player_gets_what_comes_between_its_decisions_and_at_the_end() -> None:
    rollout = Rollout(rows=1, players=2, steps=8, size=3, actions=4)
    seats = [0, 0, 1, 0, 1, 0, 1]
    given = np.array([[1, 0], [2, 0], [0.5, 3], [4, 0], [0, 5], [6, -1], [-7, 7]], np.float32)
    values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    found: list[SingleAgentEpisode] = []
    for step, seat in enumerate(seats):
        inputs, masks = np.full((1, 3), step, np.float32), np.ones((1, 4), np.int8)
        action, value = np.array([step % 4]), np.array([values[step]])
        rollout.decide(np.array([seat]), np.zeros(1), inputs, masks, action, np.array([-1.0]), value)
        rollout.reward(given[step : step + 1], np.array([step == 6]), np.array([False]))
        if step == 3:  # an update in the middle of the game
            found += rollout.take(0.9, 0.8)
    found += rollout.take(0.9, 0.8)
    expected = {  # seat, decisions, what they brought, whether the game ended there
        (0, 0): ([0, 1, 3], [1, 2.5], False),
        (0, 1): ([3, 5], [4, -1], True),
        (1, 0): ([2, 4, 6], [3, 4, 7], True),
    }
    seen: defaultdict[int, int] = defaultdict(int)
    for episode in found:
        seat = int(episode.agent_id[-1])
        steps, rewards, over = expected.pop((seat, seen[seat]))
        seen[seat] += 1
        assert episode.is_terminated == over and episode.module_id == SHARED
        assert episode.rewards.data.tolist() == pytest.approx(rewards)
        assert episode.actions.data.tolist() == [step % 4 for step in steps[: len(rewards)]]
        assert episode.observations.data["observations"][: len(steps), 0].tolist() == steps
        assert len(episode.observations.data["observations"]) == len(episode) + 1
        advantages, targets = by_hand(rewards, [values[step] for step in steps], over, 0.9, 0.8)
        assert data(episode, Postprocessing.ADVANTAGES).tolist() == pytest.approx(advantages, abs=1e-6)
        assert data(episode, Postprocessing.VALUE_TARGETS).tolist() == pytest.approx(targets, abs=1e-6)
    assert not expected


def test_a_game_that_is_cut_off_has_no_last_reward() -> None:
    rollout = Rollout(rows=1, players=2, steps=4, size=1, actions=1)
    for step in range(4):
        one = np.ones((1, 1), np.float32)
        rollout.decide(np.array([step % 2]), np.zeros(1), one, one, np.zeros(1), np.zeros(1), np.array([0.5]))
        rollout.reward(np.ones((1, 2), np.float32), np.array([False]), np.array([step == 3]))
    found = rollout.take(1.0, 1.0)
    assert [len(episode) for episode in found] == [1, 1] and not any(episode.is_terminated for episode in found)
    assert data(found[0], Postprocessing.VALUE_TARGETS).tolist() == [2.5]  # two rewards, and the value after them
    assert rollout.take(1.0, 1.0) == []


@pytest.fixture(scope="module")
def runner() -> BatchEnvRunner:
    chosen = small("workers.env_runners=0", "game.players=3", "ppo.games=16", "ppo.n_steps=60", "reward.win=[2, 2]")
    return BatchEnvRunner(config=make_config(chosen), worker_index=0)


def test_masked_players_never_choose_an_illegal_action(runner: BatchEnvRunner) -> None:
    decided = 0
    for _ in range(3):
        for episode in runner.sample():
            masks = episode.observations.data["action_mask"]
            assert masks.shape[1] == 616 and len(masks) == len(episode) + 1
            assert masks[np.arange(len(episode)), episode.actions.data].all()
            assert (data(episode, Columns.ACTION_LOGP) < 1e-6).all()
            decided += len(episode)
    assert decided + runner.rollout.incomplete == 3 * 16 * 60


def test_a_whole_games_rewards_are_its_points_and_its_win(runner: BatchEnvRunner) -> None:
    received: defaultdict[str, dict[str, float]] = defaultdict(dict)
    finished: defaultdict[str, set[str]] = defaultdict(set)
    runner.make_env()
    runner.get_metrics()
    for _ in range(12):
        for episode in runner.sample():
            game = received[episode.multi_agent_episode_id]
            game[episode.agent_id] = game.get(episode.agent_id, 0.0) + float(episode.rewards.data.sum())
            if episode.is_terminated:
                finished[episode.multi_agent_episode_id].add(episode.agent_id)
    metrics = runner.get_metrics()
    assert len(finished) == int(metrics[GAMES]) > 10 and all(len(players) == 3 for players in finished.values())
    paid = sum(sum(received[game].values()) for game in finished)
    won = 2 * sum(1 - 2 for _ in finished)  # a win and two losses, as no game of these ends in a tie
    assert paid == pytest.approx(int(metrics["total"]) / 100 + won, abs=1e-3)


def test_the_learner_gets_every_decision_once(runner: BatchEnvRunner) -> None:
    episodes = runner.sample()
    batch = MakeBatch(torch.device("cpu"))(episodes=episodes)[SHARED]
    actions = np.concatenate([episode.actions.data for episode in episodes])
    assert sorted(batch[Columns.ACTIONS].tolist()) == sorted(actions.tolist())
    rows = batch[Columns.OBS]["observations"].numpy()
    first = np.concatenate([episode.observations.data["observations"][: len(episode)] for episode in episodes])
    place = np.flatnonzero((first == rows[0]).all(axis=1))
    assert int(batch[Columns.ACTIONS][0]) in actions[place]
    advantages = batch[Postprocessing.ADVANTAGES]
    assert float(advantages.mean()) == pytest.approx(0, abs=1e-5) and float(advantages.std()) == pytest.approx(
        1, abs=1e-3
    )


@pytest.mark.slow
def test_a_run_with_two_env_runners_trains_saves_and_resumes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    assert program.main(arguments(out)) == 0
    printed = capsys.readouterr().out
    assert "Wins against each opponent" in printed and "ttr evaluate --agents policy:" in printed
    for name in ("config.yaml", "metrics.csv", "policy.npz", "curves.png"):
        assert (out / name).stat().st_size > 0
    assert (out / "evaluation" / "ratings.png").exists() and list((out / "tensorboard").iterdir())
    assert [path.name for path in checkpoints.folder_of(out).iterdir()] == ["update-000002"]
    actions = agents.make(f"policy:{out}/policy.npz").act_batch(batch := Batch(games=3, seed=1), np.arange(3))
    assert batch.masks[np.arange(3), actions].all()

    assert program.main(arguments(out)) == 2
    assert "go on with --resume" in capsys.readouterr().err.replace("\n", " ")
    longer = ("run.steps=1024", "workers.env_runners=1")  # with fewer processes, too
    assert program.main(arguments(out, "--resume", changes=longer)) == 0
    with (out / "metrics.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(int(row["update"]), int(row["steps"])) for row in rows][1:] == [
        (2, 512),
        *((2 + more, 512 + 128 * more) for more in range(1, 5)),
    ]
    assert program.main(arguments(out, "--resume", changes=("game.players=3",))) == 2
    assert "game.players" in capsys.readouterr().err


@pytest.fixture(scope="module")
def local_ray() -> Iterator[None]:
    with cluster.running(None, small().workers):
        yield


def weights(trainer: Trainer) -> dict[str, np.ndarray]:
    return dict(trainer.module().get_state())


@pytest.mark.slow
@pytest.mark.parametrize("adviser", ["null", "planner"])
def test_the_policy_file_equals_the_torch_module(tmp_path: Path, adviser: str, local_ray: None) -> None:
    chosen = (f"sight.adviser={adviser}", "workers.env_runners=0")
    trainer = Trainer(small(*chosen), tmp_path)
    before = weights(trainer)
    next(trainer.updates())
    assert any(not np.array_equal(before[name], value) for name, value in weights(trainer).items())
    assert not Path(trainer.algorithm.logdir).exists(), "RLlib's own folder is left behind"
    trainer.export(tmp_path / "policy.npz")
    module = trainer.module()
    trainer.stop()
    network = policy_file.load(tmp_path / "policy.npz")
    batch = Batch(games=50, players=2, seed=4)
    for _ in range(30):
        batch.step(batch.sample())
    inputs, masks = network.sight.see(batch, np.arange(50))
    with torch.no_grad():
        log_probs, values = module.evaluate(torch.from_numpy(inputs), torch.from_numpy(masks))
    logits = network.logits(inputs, masks)
    found = np.exp(logits - logits.max(axis=1, keepdims=True))
    assert np.abs(found / found.sum(axis=1, keepdims=True) - log_probs.exp().numpy()).max() < 1e-5
    assert np.abs(network.values(inputs) - values.numpy()).max() < 1e-5
    again = Trainer(small(*chosen, f"network.start_from={tmp_path}/policy.npz"), tmp_path)
    for name, value in weights(again).items():
        assert np.array_equal(value, module.get_state()[name]), name
    again.stop()


def state(trainer: Trainer) -> list[Any]:
    """Sums over the learner's weights and over those of the env runners, and the optimiser."""
    algorithm = trainer.algorithm
    runners = algorithm.env_runner_group.foreach_env_runner(
        lambda runner: runner.module[SHARED].get_state(), local_env_runner=False
    )
    assert len(runners) == trainer.settings.workers.env_runners
    sums = [[float(np.abs(value).sum()) for value in one.values()] for one in (weights(trainer), *runners)]
    return [sums, algorithm.learner_group.get_state()["learner"]["optimizer"]]


@pytest.mark.slow
def test_a_checkpoint_brings_everything_back(tmp_path: Path, local_ray: None) -> None:
    chosen = small("run.steps=1024")
    first = Trainer(chosen, tmp_path)
    for update in first.updates():
        if update.number == 2:
            break
    first.save()
    before = state(first)
    first.stop()
    resumed = Trainer(chosen, tmp_path, resume=True)
    assert (resumed.done, resumed.steps, resumed.goal) == (2, 512, 4)
    assert str(state(resumed)) == str(before) and "exp_avg" in str(before)
    assert [update.number for update in resumed.updates()] == [3, 4]
    resumed.stop()

    with pytest.raises(CheckpointError, match="another map or observation version"):
        Trainer(small("sight.features=base"), tmp_path, resume=True)
    next(checkpoints.folder_of(tmp_path).rglob("learner_group/**/*state*")).unlink()
    with pytest.raises(CheckpointError, match="damaged"):
        Trainer(chosen, tmp_path, resume=True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("workers.env_runer=2", r"workers.env_runer: there is no such field; did you mean 'env_runners'\?"),
        ("league.power=1", "league: there is no such field"),
        ("workers.env_runners=-1", "workers.env_runners: .*greater than or equal to 0"),
        ("ppo.target_kl=0.1", "ppo.target_kl: .*None"),
        ("game.mix=[{players: 3}]", "game.mix: it needs sight.features=actions"),
        ("reward.margin=[1, 1]", "reward.margin: it needs sight.features=actions"),
        ("ppo.batch_size=4096", "ppo.batch_size: an update has .* samples for each learner, not 4096"),
    ],
)
def test_refuses_bad_settings(change: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        small(change)


@pytest.mark.parametrize(
    ("address", "message"),
    [("127.0.0.1:9", "joined at 127.0.0.1:9"), ("nowhere", "joined at nowhere"), ("ray://x:1", "joined at ray://x:1")],
)
def test_an_address_that_nobody_answers_is_one_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], address: str, message: str
) -> None:
    assert program.main(arguments(tmp_path / "run", "--address", address)) == 2
    error = capsys.readouterr().err
    assert message in error.replace("\n", " ") and "Traceback" not in error


def test_a_missing_extra_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert program.main(arguments(tmp_path / "run")) == 2
    assert install_command("rllib") in capsys.readouterr().err.replace("\n", " ")


def test_nothing_to_resume_is_one_clear_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(arguments(tmp_path / "none", "--resume")) == 2
    assert "there is no run in" in capsys.readouterr().err.replace("\n", " ")
    with pytest.raises(CheckpointError, match="there is no checkpoint in"):
        checkpoints.latest(tmp_path, "any")
