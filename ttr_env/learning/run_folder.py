"""The folder of a run: made for a new one, or found to be that of the run that is to go on."""

from __future__ import annotations

from pathlib import Path

import yaml

from ttr_env import agents, maps
from ttr_env.agents.base import check_map
from ttr_env.arena.command_line import make_folder
from ttr_env.arena.writing import write
from ttr_env.errors import SettingsError
from ttr_env.learning.run_lock import RunLock
from ttr_env.learning.settings import AnySettings, read_as

# What may differ when a run is continued: none of it changes what is learned, up to the new number of steps.
_MAY_DIFFER = {
    "run": ("steps", "threads", "checkpoint_minutes", "evaluation_games", "evaluation_opponents"),
    "workers": ("env_runners", "cpus_per_env_runner", "learners", "gpus_per_learner"),  # of training.rllib
}


def prepare(folder: Path, settings: AnySettings, resume: bool, checkpoint: Path) -> RunLock:
    """Make the folder of a new run, or see that a run to be continued is the same one; it is held by this process."""
    file = folder / "config.yaml"
    if resume and not file.exists():
        raise SettingsError(f"there is no run in {folder} to go on with; leave out --resume to start one")
    _check_opponents(settings)
    make_folder(folder)
    lock = RunLock(folder)
    try:
        if resume:
            _check_same(read_as(type(settings), file), settings, folder)
        elif checkpoint.exists():
            raise SettingsError(f"there is a run in {folder} already: go on with --resume, or choose another --out")
        write(file, yaml.safe_dump(settings.model_dump(mode="json"), sort_keys=False))
    except BaseException:
        lock.release()
        raise
    return lock


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
