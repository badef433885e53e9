"""Self-play training: MaskablePPO against a league of baselines and of its own past.

Usage: `python -m training.train --config configs/quickstart.yaml [--set ppo.n_epochs=4 ...] [--out DIR] [--resume]`

Ctrl-C saves and leaves; `--resume` goes on as if nothing had happened. The folder of a run holds its configuration,
metrics (CSV and TensorBoard), the checkpoint, the policy file, and at the end the evaluation and the curves.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ttr_env import agents, maps
from ttr_env.agents.base import check_map
from ttr_env.learning.configs import find

if TYPE_CHECKING:
    from ttr_env.learning.progress import Run
    from ttr_env.learning.settings import AnySettings

# What may differ when a run is continued: none of it changes what is learned, up to the new number of steps.
_MAY_DIFFER = {
    "run": ("steps", "threads", "checkpoint_minutes", "evaluation_games", "evaluation_opponents"),
    "workers": ("env_runners", "cpus_per_env_runner", "learners", "gpus_per_learner"),  # of training.rllib
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, evaluate, and write it all down; the exit status."""
    options = make_parser("python -m training.train", __doc__.splitlines()[0]).parse_args(arguments)
    return reporting_errors(run, options)


def reporting_errors(
    program: Callable[[argparse.Namespace, Console], int], options: argparse.Namespace, name: str = "training"
) -> int:
    """Run a program; what it cannot do it says in one line."""
    try:
        return program(options, Console())
    except ModuleNotFoundError as error:
        message = f"{name} needs {error.name}, which comes with an extra: pip install 'ttr-env[train]'"
    except (ValueError, OSError) as error:
        message = str(error)
    except KeyboardInterrupt:  # where nobody waits for it: before the first update, or for the second time
        Console(stderr=True).print("Stopped.")
        return 130
    Console(stderr=True).print(message, style="red", soft_wrap=True, highlight=False, markup=False)
    return 2


def make_parser(program: str, description: str) -> argparse.ArgumentParser:
    """The options that every training program takes."""
    parser = argparse.ArgumentParser(prog=program, description=description)
    parser.add_argument("--config", required=True, help="a configuration file, or the name of one in configs/")
    parser.add_argument(
        "--set", action="append", default=[], metavar="SECTION.FIELD=VALUE", help="change a field of the configuration"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="the run's folder (default: runs/CONFIG)")
    parser.add_argument("--resume", action="store_true", help="go on from the folder's checkpoint")
    return parser


def run(options: argparse.Namespace, console: Console) -> int:
    """A whole run, or the rest of one."""
    from ttr_env.learning.settings import (
        read,  # like all that needs an extra, when somebody is there to hear what is missing
    )

    path = find(options.config)
    settings = read(path, options.set)
    folder = options.out or Path("runs") / path.stem
    prepare(folder, settings, options.resume, folder / "checkpoint.zip")
    from ttr_env.learning.sb3.trainer import Trainer  # torch is imported when all else is known to be right

    trainer = Trainer(settings, folder, options.resume)
    if not finish(trainer, console):
        return 130
    trainer.model.save(folder / "model.zip")
    from ttr_env.learning import conclusion

    return conclusion.conclude(trainer, console)


def finish(trainer: Run, console: Console) -> bool:
    """Make the updates that are left, showing and saving; whether nobody stopped them."""
    from ttr_env.learning.progress import Progress

    with Progress(trainer, console) as progress, Interruption() as interruption:
        saved = time.monotonic()
        for update in trainer.updates():
            progress.show(update)
            if interruption.wanted or time.monotonic() - saved > 60 * trainer.settings.run.checkpoint_minutes:
                trainer.save()
                saved = time.monotonic()
            if interruption.wanted:
                break
    if trainer.done < trainer.goal:
        console.print(f"Stopped after {trainer.done} updates. Go on with the same command and --resume.")
        return False
    trainer.save()
    return True


def prepare(folder: Path, settings: AnySettings, resume: bool, checkpoint: Path) -> None:
    """Make the folder of a new run, or see that a run to be continued is the same one."""
    import yaml

    from ttr_env.learning.settings import SettingsError, read_as

    file = folder / "config.yaml"
    if resume:
        if not file.exists():
            raise SettingsError(f"there is no run in {folder} to go on with; leave out --resume to start one")
        _check_same(read_as(type(settings), file), settings, folder)
    elif checkpoint.exists():
        raise SettingsError(f"there is a run in {folder} already: go on with --resume, or choose another --out")
    _check_opponents(settings)
    make_folder(folder)
    file.write_text(yaml.safe_dump(settings.model_dump(mode="json"), sort_keys=False), encoding="utf-8")


def make_folder(folder: Path) -> None:
    """Make a folder for what is to be written, if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"--out {folder} cannot be made a folder: {error.strerror}; choose another") from error


def _check_opponents(settings: AnySettings) -> None:
    """Refuse opponents that cannot play, also those that are met only when all is trained."""
    board = maps.load(settings.game.map)
    league = getattr(settings, "league", None)  # which training.rllib has not
    met = {
        "league.opponents": league.opponents if league else (),
        "run.evaluation_opponents": settings.run.evaluation_opponents,
    }
    for field, names in met.items():
        for name in names:
            try:
                check_map(agents.make(name), board)
            except ValueError as error:
                raise ValueError(f"{field}: {error}") from error


def _check_same(before: AnySettings, now: AnySettings, folder: Path) -> None:
    """Refuse to continue a run with other settings."""
    old, new = before.model_dump(), now.model_dump()
    for section, fields in new.items():
        for field, value in fields.items():
            if old[section][field] != value and field not in _MAY_DIFFER.get(section, ()):
                raise ValueError(
                    f"the run in {folder} has {section}.{field}={old[section][field]!r}, not {value!r}: "
                    "continue it with its own configuration, or choose another --out"
                )


class Interruption:
    """Turns the first Ctrl-C, or a polite kill, into a wish to stop after the update; the second stops at once."""

    wanted = False

    def __enter__(self) -> Interruption:
        self._before = {kind: signal.signal(kind, self._note) for kind in (signal.SIGINT, signal.SIGTERM)}
        return self

    def __exit__(self, *_: Any) -> None:
        for kind, handler in self._before.items():
            signal.signal(kind, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.wanted:
            raise KeyboardInterrupt
        self.wanted = True


if __name__ == "__main__":
    sys.exit(main())
