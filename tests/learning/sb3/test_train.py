"""Training runs: what they refuse, what they leave, and that stopping them changes nothing."""

import argparse
import contextlib
import csv
import io
import json
import resource
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml
from rich.console import Console

from tests.helpers.without import run_without
from ttr_env import Batch, agents, maps
from ttr_env.agents import policy_file
from ttr_env.arena.command_line import reporting_errors
from ttr_env.arena.tables import Table
from ttr_env.engine.scoring import PARTS
from ttr_env.errors import CheckpointError, install_command
from ttr_env.learning import configs, settings, train
from ttr_env.learning.sb3 import checkpoints
from ttr_env.learning.sb3.export import network_of
from ttr_env.learning.sb3.trainer import Trainer
from ttr_env.options import Variant

SMALL = [
    "run.steps=512",
    "run.evaluation_games=4",
    "run.evaluation_opponents=[random]",
    "run.threads=1",
    "ppo.games=8",
    "ppo.n_steps=16",
    "ppo.batch_size=64",
    "network.layers=[16, 16]",
    "league.snapshot_every=2",
    "league.snapshot_weight=5",
]


def arguments(out: Path, *more: str, changes: tuple[str, ...] = ()) -> list[str]:
    sets = [part for change in (*SMALL, *changes) for part in ("--set", change)]
    return ["--config", "flat", *sets, "--out", str(out), *more]


def small(*changes: str) -> settings.Settings:
    return settings.read(configs.find("flat"), [*SMALL, *changes])


def test_names_the_configs_where_one_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert train.main(["--config", "quickstrat"]) == 2
    assert "did you mean 'quickstart'?" in capsys.readouterr().err.replace("\n", " ")


def test_a_run_leaves_all_it_promises(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    assert train.main(arguments(out)) == 0
    printed = capsys.readouterr().out
    assert "Wins against each opponent" in printed and "ttr evaluate --agents policy:" in printed
    for name in ("config.yaml", "metrics.csv", "checkpoint.zip", "policy.npz", "model.zip", "curves.png"):
        assert (out / name).stat().st_size > 0
    assert (out / "evaluation" / "ratings.png").exists() and list((out / "tensorboard").iterdir())
    with (out / "metrics.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["update"]) for row in rows] == [1, 2, 3, 4]
    assert 0 <= float(rows[-1]["against_greedy"]) <= 1
    batch = Batch(games=3, seed=1)
    chosen = [
        agents.make(spec).act_batch(batch, np.arange(3))
        for spec in (f"policy:{out}/policy.npz", f"sb3:{out}/model.zip")
    ]
    assert np.array_equal(*chosen)
    assert train.main(arguments(out)) == 2
    assert "go on with --resume" in capsys.readouterr().err.replace("\n", " ")


@pytest.mark.parametrize("name", maps.names())
def test_metrics_have_every_part_of_the_score_on_every_map(tmp_path: Path, name: str) -> None:
    trainer = Trainer(small(f"game.map={name}", "ppo.n_steps=128", "run.steps=1024"), tmp_path)
    row = next(trainer.updates()).as_row()
    assert {"longest_path", "most_tickets", *PARTS} <= set(row)
    assert float(row["total"]) == pytest.approx(
        sum(float(row[part]) for part in PARTS if part not in ("total", "completed")), abs=1e-3
    )
    assert {"learning_rate", "entropy_loss", "value_loss"} <= set(row)


def test_a_snapshot_joins_the_league_without_being_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer(small("league.snapshot_every=1"), tmp_path)
    monkeypatch.setattr(policy_file, "load", None)
    monkeypatch.setattr(policy_file, "load_network", None)
    for _ in trainer.updates():
        pass
    monkeypatch.undo()
    [first, *_] = trainer.env.games.outside
    stored = policy_file.load(tmp_path / "snapshots" / "update-1.npz")
    for (one, other), (again, too) in zip(first.network.policy, stored.policy, strict=True):
        assert np.array_equal(one, again) and np.array_equal(other, too)


def weights(trainer: Trainer) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in trainer.model.policy.state_dict().items()}


def assert_same_weights(one: Trainer, other: Trainer) -> None:
    for name, value in weights(one).items():
        assert torch.equal(value, weights(other)[name]), name


@pytest.mark.parametrize("changes", [(), ("sight.adviser=racer", "sight.features=base")], ids=["plain", "advised"])
def test_stop_and_resume_gives_the_same_weights(tmp_path: Path, changes: tuple[str, ...]) -> None:
    chosen = small("run.steps=1024", *changes)
    whole = Trainer(chosen, _folder(tmp_path / "whole"))
    for _ in whole.updates():
        pass
    stopped = Trainer(chosen, _folder(tmp_path / "stopped"))
    for update in stopped.updates():
        if update.number == 5:
            stopped.save()
            break
    torch.manual_seed(99)
    np.random.seed(99)  # noqa: NPY002 - what another program might do in between
    resumed = Trainer(chosen, tmp_path / "stopped", resume=True)
    assert resumed.done == 5
    for _ in resumed.updates():
        pass
    assert_same_weights(whole, resumed)
    assert whole.env.league.state() == resumed.env.league.state()
    assert len(whole.env.league.snapshots) == 3


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def test_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    runs = []
    for name, seed in (("one", 1), ("again", 1), ("another", 2)):
        runs.append(Trainer(small(f"run.seed={seed}"), _folder(tmp_path / name)))
        for _ in runs[-1].updates():
            pass
    assert_same_weights(runs[0], runs[1])
    with pytest.raises(AssertionError):
        assert_same_weights(runs[0], runs[2])


@pytest.mark.parametrize("adviser", ["null", "planner"])
def test_the_policy_file_equals_the_model(tmp_path: Path, adviser: str) -> None:
    trainer = Trainer(small(f"sight.adviser={adviser}"), tmp_path)
    next(trainer.updates())
    policy_file.save(network_of(trainer.model, trainer.env.sight), tmp_path / "policy.npz")
    network = policy_file.load(tmp_path / "policy.npz")
    batch = Batch(games=50, players=2, seed=4)
    for _ in range(30):
        batch.step(batch.sample())
    inputs, masks = network.sight.see(batch, np.arange(50))
    with torch.no_grad():
        distribution = trainer.model.policy.get_distribution(torch.from_numpy(inputs), action_masks=masks)
        values = trainer.model.policy.predict_values(torch.from_numpy(inputs)).numpy()[:, 0]
    expected = distribution.distribution.probs.numpy()
    logits = network.logits(inputs, masks)
    found = np.exp(logits - logits.max(axis=1, keepdims=True))
    assert np.abs(found / found.sum(axis=1, keepdims=True) - expected).max() < 1e-5
    assert np.abs(network.values(inputs) - values).max() < 1e-5


@pytest.mark.slow
def test_learns_at_full_width(tmp_path: Path) -> None:
    """Some seconds of training at the real sizes: it beats its own start, and what it started from."""
    chosen = settings.read(configs.find("flat"), ["run.steps=130000", "run.threads=1"])
    trainer = Trainer(chosen, tmp_path)
    trainer.export(tmp_path / "before.npz")
    for _ in trainer.updates():
        pass
    trainer.export(tmp_path / "after.npz")
    for opponent in (f"policy:{tmp_path}/before.npz", "random"):
        table = Table((f"policy:{tmp_path}/after.npz", opponent), Variant.of(), seed=1, folder=tmp_path)
        for _ in table.play(200):
            pass
        assert table.played().shares()[:, 0].mean() > 0.9


def test_starts_from_a_policy_file(tmp_path: Path) -> None:
    first = Trainer(small("sight.adviser=racer"), _folder(tmp_path / "first"))
    next(first.updates())
    first.export(tmp_path / "policy.npz")
    second = Trainer(
        small("sight.adviser=racer", f"network.start_from={tmp_path}/policy.npz"), _folder(tmp_path / "second")
    )
    assert_same_weights(first, second)


def test_refuses_to_start_from_a_network_of_another_shape(tmp_path: Path) -> None:
    Trainer(small(), _folder(tmp_path / "first")).export(tmp_path / "policy.npz")
    for layers in ("[16, 8]", "[16]"):
        chosen = small(f"network.layers={layers}", f"network.start_from={tmp_path}/policy.npz")
        with pytest.raises(ValueError, match=r"must have layers of .*, not of \d+x16, 16x16, 16x616, 16x1"):
            Trainer(chosen, tmp_path)


@pytest.mark.slow
def test_a_killed_run_leaves_a_usable_checkpoint(tmp_path: Path) -> None:
    out = tmp_path / "run"
    long = arguments(out, changes=("run.steps=100000000", "run.checkpoint_minutes=0.0001"))
    process = subprocess.Popen([sys.executable, "-m", "training.train", *long], stdout=subprocess.DEVNULL)
    _wait_for(out / "checkpoint.zip", process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = checkpoints.read_progress(out / "checkpoint.zip")["updates"]
    resumed = Trainer(settings.read(out / "config.yaml"), out, resume=True)
    assert next(resumed.updates()).number == done + 1


@contextlib.contextmanager
def _heeding(kind: signal.Signals) -> Iterator[None]:
    """Whoever is started in the meantime heeds this signal: processes inherit what is ignored."""
    heeded = signal.signal(kind, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(kind, heeded)


@pytest.mark.slow
def test_an_interrupted_run_saves_and_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = [sys.executable, "-m", "training.train", *arguments(out, changes=("run.steps=100000000",))]
    with _heeding(signal.SIGINT):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    _wait_for(out / "metrics.csv", process)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=120)
    assert process.returncode == 130 and "--resume" in printed
    done = checkpoints.read_progress(out / "checkpoint.zip")["updates"]
    more = f"run.steps={(done + 2) * 128}"
    assert train.main(arguments(out, "--resume", changes=(more,))) == 0
    with (out / "metrics.csv").open(newline="") as file:
        assert [int(row["update"]) for row in csv.DictReader(file)] == list(range(1, done + 3))


def _wait_for(path: Path, process: "subprocess.Popen[str]") -> None:
    for _ in range(1200):
        if path.exists() and path.stat().st_size:
            return
        assert process.poll() is None, "the run has ended by itself"
        time.sleep(0.1)
    raise AssertionError(f"{path} was never written")


def test_refuses_to_go_on_with_other_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    assert train.main(arguments(out, "--resume")) == 2
    assert "there is no run in" in capsys.readouterr().err
    assert train.main(arguments(out)) == 0
    before = (out / "checkpoint.zip").read_bytes()
    for change in ("game.players=3", "sight.features=base", "game.map=tests/none"):
        assert train.main(arguments(out, "--resume", changes=(change,))) == 2
    assert "game.players" in capsys.readouterr().err.replace("\n", " ")
    assert (out / "checkpoint.zip").read_bytes() == before


def test_refuses_a_checkpoint_of_another_observation_or_a_damaged_one(tmp_path: Path) -> None:
    trainer = Trainer(small(), tmp_path)
    trainer.save()
    with pytest.raises(CheckpointError, match="another map or observation version"):
        Trainer(small("sight.features=base"), tmp_path, resume=True)
    with pytest.raises(CheckpointError, match="does not fit"):
        Trainer(small("network.layers=[8]"), tmp_path, resume=True)
    whole = trainer.checkpoint.read_bytes()
    trainer.checkpoint.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CheckpointError, match="damaged"):
        Trainer(small(), tmp_path, resume=True)
    for inside in ("checkpoint.json", "arrays.npz", "weights.pt"):
        with zipfile.ZipFile(io.BytesIO(whole)) as file, zipfile.ZipFile(trainer.checkpoint, "w") as damaged:
            for name in file.namelist():
                damaged.writestr(name, b"[]" if name == inside else file.read(name))
        with pytest.raises(CheckpointError, match="damaged"):
            Trainer(small(), tmp_path, resume=True)


def rewritten(checkpoint: bytes, name: str, content: bytes, packing: int = zipfile.ZIP_STORED) -> bytes:
    """A checkpoint with one of its parts replaced."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(checkpoint)) as file, zipfile.ZipFile(stream, "w", packing) as other:
        for each in file.namelist():
            other.writestr(each, content if each == name else file.read(each))
    return stream.getvalue()


def test_a_tampered_checkpoint_is_refused_before_the_engine_sees_it(tmp_path: Path) -> None:
    trainer = Trainer(small(), tmp_path)
    next(trainer.updates())
    trainer.save()
    whole = trainer.checkpoint.read_bytes()
    with zipfile.ZipFile(io.BytesIO(whole)) as file:
        with np.load(io.BytesIO(file.read("arrays.npz"))) as stored:
            arrays = dict(stored)
        described = json.loads(file.read("checkpoint.json"))
    for name, field, value in (
        ("env/games/games", "player", 77),
        ("env/games/games", "phase", 5),
        ("env/games/games", "component", 120),
        ("env/games/rows", "decisions", 2**40),
        ("env/games/rows", "bots", 10**6),
        ("env/games/rows", "bots", -(10**6)),
        ("env/games/outcomes", "mover", 100),
        ("env/facing", ..., 99),
        ("model/last_obs", ..., np.nan),
    ):
        tampered = {key: array.copy() for key, array in arrays.items()}
        tampered[name][field] = value
        stream = io.BytesIO()
        np.savez(stream, **tampered)
        trainer.checkpoint.write_bytes(rewritten(whole, "arrays.npz", stream.getvalue()))
        with pytest.raises(CheckpointError, match="does not fit this configuration or this version"):
            Trainer(small(), tmp_path, resume=True)
    for progress in ({"updates": -1, "snapshots": []}, {"updates": 1, "snapshots": ["../../policy"]}, None, []):
        told = json.dumps({**described, "progress": progress}).encode()
        trainer.checkpoint.write_bytes(rewritten(whole, "checkpoint.json", told))
        with pytest.raises(CheckpointError, match="does not say how far its run had come"):
            Trainer(small(), tmp_path, resume=True)
    trainer.checkpoint.write_bytes(whole)
    assert Trainer(small(), tmp_path, resume=True).done == 1


def test_a_checkpoint_that_would_unpack_to_more_is_refused(tmp_path: Path) -> None:
    trainer = Trainer(small(), tmp_path)
    trainer.save()
    whole = trainer.checkpoint.read_bytes()
    bomb = io.BytesIO()
    np.savez_compressed(bomb, zeros=np.zeros(2**22))
    trainer.checkpoint.write_bytes(rewritten(whole, "arrays.npz", bomb.getvalue()))
    with pytest.raises(CheckpointError, match=r"zeros\.npy is packed, and must not be"):
        Trainer(small(), tmp_path, resume=True)
    trainer.checkpoint.write_bytes(rewritten(whole, "", b"", zipfile.ZIP_DEFLATED))
    with pytest.raises(CheckpointError, match="is packed, and must not be"):
        Trainer(small(), tmp_path, resume=True)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [signal.SIGHUP, signal.SIGTERM])
def test_a_run_is_not_joined_by_another_and_saves_when_told_to_stop(tmp_path: Path, kind: signal.Signals) -> None:
    out = tmp_path / "run"
    command = [sys.executable, "-m", "training.train", *arguments(out, changes=("run.steps=100000000",))]
    with _heeding(kind):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _wait_for(out / "metrics.csv", process)
    time.sleep(1)
    for more in ([], ["--resume"]):
        second = subprocess.run([*command, *more], capture_output=True, text=True, check=False)
        assert second.returncode == 2
        assert f"is going on: process {process.pid} " in second.stderr.replace("\n", " ")
    process.send_signal(kind)
    assert process.wait(timeout=120) == 130
    assert checkpoints.read_progress(out / "checkpoint.zip")["updates"] > 0
    with (out / "metrics.csv").open(newline="") as file:
        numbers = [int(row["update"]) for row in csv.DictReader(file)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_checkpoint_of_another_version_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        before.setattr(checkpoints, "FORMAT", 1)  # as 0.1.0 wrote it
        Trainer(small(), tmp_path).save()
    with pytest.raises(CheckpointError, match=r"has format 1 and this version reads \d; .*network\.start_from"):
        Trainer(small(), tmp_path, resume=True)


def test_a_full_disk_leaves_the_last_checkpoint(tmp_path: Path) -> None:
    """The system lets no file grow beyond a limit: the new checkpoint is cut off in the middle."""
    trainer = Trainer(small(), tmp_path)
    trainer.save()
    before = trainer.checkpoint.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, limits[1]))
    try:
        with pytest.raises(CheckpointError, match="cannot be written: File too large"):
            trainer.save()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert trainer.checkpoint.read_bytes() == before
    assert not list(tmp_path.glob(".*unfinished*"))
    assert Trainer(small(), tmp_path, resume=True).done == 0


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("in the way")
    assert train.main(arguments(tmp_path / "file" / "run")) == 2
    assert "Not a directory" in capsys.readouterr().err


def test_a_program_that_is_stopped_at_once_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    def program(options: argparse.Namespace, console: Console) -> int:
        raise KeyboardInterrupt

    assert reporting_errors(program, argparse.Namespace()) == 130
    assert capsys.readouterr().err == "Stopped.\n"


@pytest.mark.parametrize("field", ["run.evaluation_opponents=[planer]", "league.opponents={planer: 1.0}"])
def test_opponents_are_looked_for_before_anything_is_written(
    tmp_path: Path, field: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train.main(arguments(tmp_path / "run", changes=(field,))) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"{field.partition('=')[0]}: ") and "did you mean 'planner'?" in error
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
@pytest.mark.parametrize("module", ["yaml", "torch", "sb3_contrib"])
def test_names_the_extra_that_is_missing(tmp_path: Path, module: str) -> None:
    code = "from training.train import main; sys.exit(main())"
    done = run_without([module], code, *arguments(tmp_path / "run"))
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert f"training needs {module}" in done.stderr and install_command("train") in done.stderr


def test_the_settings_of_a_run_can_be_read_again(tmp_path: Path) -> None:
    chosen = small()
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(chosen.model_dump(mode="json")))
    assert settings.read(tmp_path / "config.yaml") == chosen
