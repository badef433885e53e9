"""The end of a run: the policy file, the evaluation against the baselines, the curves, and what to do next."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # draws to files; there may be no screen

import matplotlib.pyplot as plt
import numpy as np
from rich.console import Console

from ttr_env.agents import policy_file
from ttr_env.arena.reporting import write_folder
from ttr_env.arena.showing import bar, evaluate_with_bar, print_results
from ttr_env.learning.appraisal import with_value
from ttr_env.learning.progress import read_metrics
from ttr_env.learning.run import Run
from ttr_env.learning.settings import AnySettings
from ttr_env.options import as_typed

_POINTS = {
    "total": "#1f5fa8",
    "routes": "#8a8a8a",
    "tickets": "#2f8f4e",
    "tickets_failed": "#b5483a",
    "toll_bonus": "#c98a1b",
}


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
        f"Evaluate it further: ttr evaluate --agents policy:{policy} --against champion "
        + as_typed(trainer.settings.game.model_dump()),
        soft_wrap=True,
        highlight=False,
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


def draw_curves(folder: Path) -> None:
    """Draw win rates, and where the points come from, over the run."""
    rows = read_metrics(folder)
    steps = [int(row["steps"]) / 1e6 for row in rows]
    opponents = [name for name in rows[0] if name.startswith("against_")]  # none where all seats learn
    figure, panels = plt.subplots(1, 2 if opponents else 1, figsize=(11, 4), squeeze=False)
    *others, totals = panels[0]
    for wins in others:
        for column in opponents:
            wins.plot(steps, _numbers(rows, column), label=column.removeprefix("against_"))
        wins.set(ylabel="win rate, lately", ylim=(0, 1))
        wins.legend(frameon=False)
    for part, colour in _POINTS.items():
        totals.plot(steps, _numbers(rows, part), color=colour, label=part.replace("_", " "))
    totals.set(ylabel="mean points a game")
    totals.legend(frameon=False)
    for axes in panels[0]:
        axes.set_xlabel("decisions of the learner, millions")
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(folder / "curves.png", dpi=150, bbox_inches="tight")
    plt.close(figure)


def _numbers(rows: list[dict[str, str]], column: str) -> list[float]:
    """A column, with gaps where there was nothing to say yet."""
    return [float(row[column]) if row[column] else np.nan for row in rows]
