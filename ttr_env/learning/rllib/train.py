"""Self-play training on Ray RLlib: PPO with one policy for all seats, on this machine or on a cluster.

Usage: `python -m training.rllib --config configs/rllib.yaml [--address auto] [--set workers.env_runners=8] ...
[--out DIR] [--resume]`

Without `--address` it starts a Ray of its own. Ctrl-C saves and leaves; `--resume` goes on. The folder of a run holds
its configuration, metrics (CSV and TensorBoard), the last checkpoint, the policy file, and at the end the evaluation.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console

from ttr_env.arena.command_line import reporting_errors
from ttr_env.learning.command_line import make_parser
from ttr_env.learning.configs import find


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, evaluate, and write it all down; the exit status."""
    parser = make_parser("python -m training.rllib", __doc__.splitlines()[0])
    parser.add_argument(
        "--address", metavar="HOST:PORT", help="join the Ray cluster with this head node; auto: the one on this machine"
    )
    return reporting_errors(run, parser.parse_args(arguments), "training on RLlib", extra="rllib")


def run(options: argparse.Namespace, console: Console) -> int:
    """A whole run, or the rest of one."""
    # What needs an extra is imported when somebody is there to hear what is missing, Ray when all else is right.
    if find_spec("ray") is None:
        raise ModuleNotFoundError(name="ray")
    from ttr_env.learning import run_folder
    from ttr_env.learning.rllib import settings as kind

    path = find(options.config)
    settings = kind.read(path, options.set)
    folder = options.out or Path("runs") / path.stem
    with run_folder.prepare(folder, settings, options.resume, folder / "checkpoints") as lock:
        from ttr_env.learning.conclusion import conclude
        from ttr_env.learning.finishing import finish
        from ttr_env.learning.rllib import cluster
        from ttr_env.learning.rllib.trainer import Trainer

        with cluster.running(options.address, settings.workers):
            trainer = Trainer(settings, folder, options.resume)
            try:
                if not finish(trainer, console, lock.stir):
                    return 130
                conclude(trainer, console)
                return 0
            finally:
                trainer.stop()


if __name__ == "__main__":
    sys.exit(main())
