"""The end of a run: the policy file, the evaluation against the baselines, the curves, and what to do next."""

from __future__ import annotations

import shlex
from pathlib import Path

from rich.console import Console

from ttr_env.agents import policy_file
from ttr_env.arena.reporting import write_folder
from ttr_env.arena.showing import evaluate_with_bar, print_results
from ttr_env.arena.waiting import bar
from ttr_env.learning.appraisal import with_value
from ttr_env.learning.curves import draw_curves
from ttr_env.learning.run import Run
from ttr_env.learning.settings import AnySettings
from ttr_env.options import as_typed


def conclude(trainer: Run, console: Console) -> None:
    """Write what a finished run leaves, and print how good it is."""
    policy = trainer.folder / "policy.npz"
    trainer.export(policy)
    if trainer.settings.run.appraisal_games:
        add_value(policy, trainer.settings, console)
    draw_curves(trainer.folder)
    console.print(f"Trained on {trainer.steps:,} decisions. Now it plays the baselines:")
    evaluation = trainer.folder / "evaluation"
    evaluate_policy(policy, trainer.settings, evaluation, console)
    console.print(
        f"The policy is in {policy}, curves in {trainer.folder / 'curves.png'}, the evaluation in {evaluation}.\n"
        f"Evaluate it further: ttr evaluate --agents {shlex.quote(f'policy:{policy}')} --against champion "
        + as_typed(trainer.settings.game.model_dump()),
        soft_wrap=True,
        highlight=False,
        markup=False,
    )


def add_value(policy: Path, settings: AnySettings, console: Console) -> None:
    """Let a policy file know what positions are worth."""
    run = settings.run
    with bar(console, "games against itself, to learn what positions are worth") as show:
        scorer = with_value(
            policy_file.load_scorer(policy),
            settings.game.variants,
            run.appraisal_games,
            seed=run.seed,
            threads=run.threads,
            progress=show,
        )
    policy_file.save(scorer, policy)


def evaluate_policy(policy: Path, settings: AnySettings, out: Path, console: Console) -> None:
    """Let a policy file play each of the baselines in the arena."""
    run = settings.run
    results = evaluate_with_bar(
        console,
        [f"policy:{policy}"],
        run.evaluation_opponents,
        settings.game.map,
        games=run.evaluation_games,
        folder=out,
        **settings.game.options,
    )
    print_results(results, console)
    write_folder(out, results)
