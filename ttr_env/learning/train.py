"""Self-play training: MaskablePPO against a league of baselines and of its own past.

Usage: `python -m training.train --config configs/quickstart.yaml [--set ppo.n_epochs=4] ... [--out DIR] [--resume]`

Ctrl-C saves and leaves; `--resume` goes on as if nothing had happened. The folder of a run holds its configuration,
metrics (CSV and TensorBoard), the checkpoint, the policy file, and at the end the evaluation and the curves.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from ttr_env.arena.command_line import reporting_errors
from ttr_env.learning.command_line import make_parser
from ttr_env.learning.configs import find


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, evaluate, and write it all down; the exit status."""
    return reporting_errors(run, make_parser("ttr train", __doc__.splitlines()[0]).parse_args(arguments))


def run(options: argparse.Namespace, console: Console) -> int:
    """A whole run, or the rest of one."""
    # What needs an extra is imported when somebody is there to hear what is missing, torch when all else is right.
    from ttr_env.learning import run_folder
    from ttr_env.learning.settings import read

    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # torch's threads wait asleep: others may need the processors
    path = find(options.config)
    settings = read(path, options.set)
    folder = options.out or Path("runs") / path.stem
    with run_folder.prepare(folder, settings, options.resume, folder / "checkpoint.zip") as lock:
        from ttr_env.learning.conclusion import conclude
        from ttr_env.learning.finishing import finish
        from ttr_env.learning.sb3.trainer import Trainer

        trainer = Trainer(settings, folder, options.resume)
        if not finish(trainer, console, lock.stir):
            return 130
        trainer.model.save(folder / "model.zip")
        conclude(trainer, console)
        return 0


if __name__ == "__main__":
    sys.exit(main())
