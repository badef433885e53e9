"""The commands of `ttr`, their arguments and their help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ttr_env.cli import options
from ttr_env.cli.errors import OneLineErrors

app = typer.Typer(
    cls=OneLineErrors,
    help="Ticket to Ride: Nederland as an environment. Watch games, play one, measure, train.",
    epilog="Unofficial: not connected with the makers of the game.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
# Programs with command lines of their own get everything that follows their name, `--help` included.
_PASS_ON = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}


@app.callback(invoke_without_command=True)
def ttr(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
) -> None:
    """Options of the tool itself."""
    if version:
        from ttr_env import __version__

        typer.echo(f"ttr-env {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command(epilog="Example: ttr watch planner racer greedy --seed 7 --speed 4")
@options.deals
@options.pages
def watch(
    *,
    agents: Annotated[
        list[str],
        typer.Argument(metavar="AGENT", help=f"One for each seat: {options.AGENTS}."),
    ],
    deal: options.Deal,
    speed: options.Speed = 2.0,
    gif: options.Gif = None,
    mp4: options.Mp4 = None,
    width: options.Width = 900,
    page: options.PageWish,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the game's record, for `ttr replay`.")
    ] = None,
) -> None:
    """Watch agents play a game, in the terminal, as a film or as a page for a browser.

    Keys: space pauses and goes on, the arrows step back and forth, Home and End go to the first and last position,
    + and - change the speed, q quits.
    """
    from ttr_env.cli.commands import watch
    from ttr_env.cli.screen import films, pages

    watch.watch(agents, deal, speed, films.Film(gif, mp4, speed, width), pages.PageFile(page), save)


@app.command(epilog="Example: ttr play --against planner --against racer")
@options.deals
def play(
    *,
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT", help=f"An opponent (default: planner); repeat it for more. {options.AGENTS}."),
    ] = None,
    seat: Annotated[int, typer.Option(metavar="N", min=0, max=4, help="Your seat; seat 0 begins.")] = 0,
    deal: options.Deal,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a game that you saved.")] = None,
) -> None:
    """Play against agents in the terminal.

    Every prompt takes a number, or: help, hand, tickets, board, undo, quit.
    """
    from ttr_env.cli.commands import play

    if resume is not None:
        play.resume(resume, against or ())
    else:
        play.play(against or ["planner"], seat, deal)


@app.command(epilog="Example: ttr replay game.json --html game.html --explain champion")
@options.pages
def replay(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record (JSON), or many, one a line, packed or not.")],
    game: Annotated[int, typer.Option(metavar="N", min=1, help="Which game of a file with many.")] = 1,
    to: Annotated[int | None, typer.Option(metavar="N", min=0, help="Go to this decision, and stop there.")] = None,
    speed: options.Speed = 2.0,
    gif: options.Gif = None,
    mp4: options.Mp4 = None,
    width: options.Width = 900,
    page: options.PageWish,
) -> None:
    """Step through the record of a game, in the terminal or, as a page, in a browser.

    Records come from `ttr play`, `ttr watch --save`, `ttr evaluate --out DIR --records`, `ttr dataset` and
    `Game.record()`.

    Keys: the arrows step back and forth, Home and End go to the first and last position, space plays and pauses,
    + and - change the speed, q quits.
    """
    from ttr_env.cli.commands import replay
    from ttr_env.cli.screen import films, pages

    replay.replay(file, game, to, speed, films.Film(gif, mp4, speed, width), pages.PageFile(page))


@app.command(epilog="Example: ttr serve --agents mine:Mine policy:runs/mine/policy.npz")
def serve(
    more: Annotated[
        list[str] | None, typer.Argument(metavar="AGENT", hidden=True, help="Further agents after --agents.")
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT ...", help=f"Agents to choose from beside the built-in ones: {options.AGENTS}."),
    ] = None,
    boards: Annotated[
        list[str] | None,
        typer.Option(
            "--map", metavar="FOLDER", help="A map of your own to choose from, beside the others; repeat it for more."
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Where to listen; 0.0.0.0 for the local network, with a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="0 takes any port that is free.")] = 8470,
    opens: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = True,
    save: Annotated[Path | None, typer.Option(metavar="DIR", help="Keep the records of finished games here.")] = None,
    thinking: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.1, max=600, help="How long an agent may think about a decision.")
    ] = 30.0,
) -> None:
    """Play, watch and look back in the browser, against agents and with other people."""
    from ttr_env.cli.commands import serve

    if more and not agents:
        raise typer.BadParameter(f"{more[0]!r} follows no option; agents are named after --agents")
    serve.serve([*(agents or []), *(more or [])], boards or [], serve.Address(host, port, opens), save, thinking)


@app.command(epilog="Example: ttr maps --generate seed=7,cities=20,tunnels=4 --out my-board")
def maps(
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="MAP", help="Names or folders; default: all built-in maps.")
    ] = None,
    generate: Annotated[
        str | None,
        typer.Option(
            metavar="SEED",
            help="Make a board from a seed, or from wishes such as seed=7,cities=20,tolls=true (also: players, trains, "
            "tickets, doubles, tunnels, ferries).",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write the board that was made here.")] = None,
) -> None:
    """List the maps: cities, tracks, tickets, players. A folder of your own is checked; a new board can be made."""
    from ttr_env.cli.commands import maps

    if generate is not None:
        maps.generate(generate, out)
    elif out is not None:
        raise typer.BadParameter("--out writes a board that --generate makes; give both")
    else:
        maps.show(sources or [])


@app.command()
def agents() -> None:
    """List the agents to watch and play against, with their options."""
    from ttr_env.cli.commands import agents

    agents.show()


@app.command(epilog="Example: ttr check mine:Mine --map nederland")
def check(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help=f"Your own, or any other: {options.AGENTS}.")],
    on: Annotated[
        list[str] | None,
        typer.Option(
            "--map", metavar="MAP", help="A map's name or folder; repeat it for more (default: all built-in)."
        ),
    ] = None,
    games: Annotated[int, typer.Option(metavar="N", min=1, help="Games at each table.")] = 1,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of deals and agents.")] = 1,
) -> int:
    """See whether an agent is legal, repeatable and honest, in whole games at every table.

    Honest: it chooses the same when what its seat does not know is dealt anew. The exit status is 1 if it is not.
    """
    from ttr_env.cli.commands import check

    return check.run(agent, on or [], games, seed)


@app.command(epilog="Example: ttr dataset --agents champion planner --games 10000 --out champion-games")
@options.deals
def dataset(
    *,
    more: Annotated[
        list[str] | None, typer.Argument(metavar="AGENT", hidden=True, help="Further agents after --agents.")
    ] = None,
    agents: Annotated[list[str], typer.Option(metavar="AGENT ...", help=f"One for each seat: {options.AGENTS}.")],
    games: Annotated[int, typer.Option(metavar="N", min=1, help="How many; each has a deal of its own.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where to; a part that is there is gone on with.")],
    teacher: Annotated[
        str | None, typer.Option(metavar="AGENT", help="Note what this agent thinks of every decision.")
    ] = None,
    shard: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Games in a file (default: 500; 10 with a teacher or slow agents)."),
    ] = None,
    deal: options.Deal,
) -> None:
    """Let agents play, and keep their games to learn from: `ttr_env.data.load` makes arrays of them.

    Ctrl-C stops; the same command goes on from there. Without --seed, the seed is 0; another one means other deals.
    """
    from ttr_env.cli.commands import dataset

    dataset.run([*agents, *(more or [])], games, out, deal, teacher, shard)


@app.command(name="compile")
def compile_kernels() -> None:
    """Compile the engine now, for all later programs; otherwise each part is compiled when it is first used."""
    from ttr_env.cli.commands import compile

    compile.run()


@app.command(context_settings=_PASS_ON)
def bench(context: typer.Context) -> int:
    """Measure how fast the engine is; `ttr bench --help` lists its options."""
    from ttr_env.cli import programs

    return programs.run("bench", context.args)


@app.command(context_settings=_PASS_ON)
def evaluate(context: typer.Context) -> int:
    """Let agents play each other and rate them, or test one of them with --task TASK, so that anybody can verify it."""
    from ttr_env.cli import programs

    return programs.run("evaluate", context.args)


@app.command(epilog="Example: ttr verify champion.jsonl.gz --agent champion")
def verify(
    result: Annotated[Path, typer.Argument(metavar="RESULT", help="A file that `ttr evaluate --task` has written.")],
    agent: Annotated[
        str | None, typer.Option(metavar="AGENT", help="Ask this agent too for all its moves, not only opponents.")
    ] = None,
    figures: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the result without its games, as JSON, if it is true.")
    ] = None,
) -> int:
    """See whether a result is true: replay its games, ask its opponents again, and compute its numbers anew.

    The exit status is 1 if it is not, and the first game that differs is named.
    """
    from ttr_env.cli import programs

    programs.check_installed("verify")
    from ttr_env.cli.commands import verify

    return verify.run(result, agent, figures)


@app.command(epilog="Example: ttr leaderboard results --out site")
def leaderboard(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Results, with their games or without.")],
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Where to write (default: beside them).")] = None,
) -> None:
    """Put results side by side, task by task: as Markdown, and as a page with plots."""
    from ttr_env.cli import programs

    programs.check_installed("leaderboard")
    from ttr_env.cli.commands import leaderboard

    leaderboard.run(folder, out or folder)


@app.command(context_settings=_PASS_ON)
def train(context: typer.Context) -> int:
    """Train a policy: the same as `python -m training.train`."""
    from ttr_env.cli import programs

    return programs.run("train", context.args)
