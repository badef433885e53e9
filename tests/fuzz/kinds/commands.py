"""Command lines of `ttr`. What would take long is interrupted as by Ctrl-C."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.fuzz.kinds.base import Fault, Kind, check
from tests.fuzz.mutating import TEXTS, damage_tree
from ttr_env import Game, data, maps
from ttr_env.tasks import definitions, results, testing

PATIENCE = 1.0  # seconds until Ctrl-C
LINES = [
    "--version",
    "--help",
    "agents",
    "maps",
    "maps nordic board",
    "maps --generate 7",
    "maps --generate seed=7,cities=12,tolls=true,tunnels=2 --out made",
    "watch random random --seed 1 --speed 1000",
    "watch greedy racer random --map usa --seed 5 --speed 1000 --save saved.json",
    "watch random random --no-tolls --seed 2 --html page.html --perspective 0",
    "replay game.json --to 5 --speed 1000",
    "replay games.jsonl --game 2 --html page.html --explain greedy",
    "play --resume game.json",
    "play --against greedy --seat 1 --seed 3 --neutral-player",
    "check greedy --map nordic --games 1 --seed 1",
    "evaluate --agents random greedy --games 4 --seed 1 --out out",
    "evaluate --agents random greedy racer --players 3 --games 6 --map usa",
    "evaluate --task mini-2p --agents random --opponents public --deals 1 --out played.jsonl.gz",
    "verify result.jsonl.gz",
    "verify result.jsonl.gz --agent greedy --figures figures.json",
    "leaderboard results --out site",
    "dataset --agents greedy random --games 2 --out games",
    "dataset --agents random random --games 3 --map mini --shard 2 --teacher random --seed 1 --out taught",
    "replay taught/part-00000.jsonl.gz --game 1 --to 3 --speed 1000",
    "replay [/game] --to 5 --speed 1000",
    "watch random random --seed 1 --speed 1000 --save [/saved]",
    "watch policy:[/none] random",
    "verify [/none]",
    "leaderboard [/none]",
    "dataset --agents random random --games 1 --map [/none] --out [/games]",
    "train --config flat --set run.steps=128 --out run",
    "train --config base.yaml --resume --out run",
    "bench --help",
    "serve --help",
]
LOADED = (
    *("matplotlib.pyplot", "matplotlib.backends.backend_agg", "scipy.stats", "scipy.ndimage", "choix", "rich.progress"),
    *(
        "torch._dynamo",
        "torch.utils.tensorboard",
        "stable_baselines3",
        "sb3_contrib",
        "ttr_env.learning.train",
        "ttr_env.arena.program",
    ),
    *("ttr_env.tasks.program", "ttr_env.tasks.verifying", "ttr_env.tasks.leaderboard", "ttr_env.tasks.drawing"),
    *("ttr_env.cli.commands.verify", "ttr_env.cli.commands.leaderboard", "ttr_env.cli.commands.dataset"),
    *("ttr_env.learning.sb3.trainer", "ttr_env.arena.showing", "ttr_env.cli.commands.check", "ttr_env.render.pages"),
)
QUIET = ("bench", "serve", "compile")  # which last by themselves: only what they refuse is of interest


class Commands(Kind):
    """Command lines: a status that is documented, and of mistakes one line without a traceback."""

    def prepare(self) -> None:
        self._home = os.getcwd()
        os.chdir(self.scratch)
        maps.generate(1, 8).save(Path("board"))
        game = Game(seed=1)
        for _ in range(20):
            game.step(int(game.legal_actions()[0]))
        record = json.dumps({**game.record(), "agents": ["you", "greedy"], "human": 0})
        Path("game.json").write_text(record)
        Path("games.jsonl").write_text(f"{record}\n{record}\n")
        Path("[").mkdir()
        Path("[/game]").write_text(record)
        data.write("taught", ["random", "random"], 2, map="mini", teacher="random")
        Path("results").mkdir()
        terms = results.Terms.of(definitions.load("mini-2p"), "greedy", definitions.PUBLIC, deals=1)
        testing.run(terms, Path("result.jsonl.gz"))
        Path("results/result.jsonl.gz").write_bytes(Path("result.jsonl.gz").read_bytes())
        for module in LOADED:  # Ctrl-C in the middle of this would leave half of it in the process
            importlib.import_module(module)
        signal.signal(signal.SIGALRM, _interrupt)
        self._lines = [line.split() for line in LINES]

    def seeds(self) -> list[bytes]:
        return [json.dumps(line).encode() for line in self._lines]

    def damage(self, data: bytes, rng: Random) -> bytes:
        words = json.loads(data)
        if rng.random() < 0.3:
            words.insert(rng.randrange(len(words) + 1), rng.choice([*rng.choice(self._lines), *TEXTS]))
        else:
            words = damage_tree(words, rng)
        words = [str(word) for word in words] if isinstance(words, list) else [str(words)]
        return json.dumps([_harmless(word) for word in words]).encode()

    def give(self, data: bytes) -> None:
        words = json.loads(data)
        if words and words[0] in QUIET and "--help" not in words:
            words.append("--no-such-option")
        output, complaints = io.StringIO(), io.StringIO()
        status = _run(words, output, complaints)
        told = complaints.getvalue()
        check(status in (0, 1, 2, 130), f"the exit status is {status!r}")
        if "Exception ignored in" not in told:  # Ctrl-C in the middle of what Python itself does
            check("Traceback" not in told + output.getvalue(), told[-3000:])
        if status == 2:
            check(told.strip(), "a mistake, and not a word about it")

    def close(self) -> None:
        os.chdir(self._home)


def _harmless(word: str) -> str:
    """A word that names nothing outside of the scratch folder, and no program."""
    word = word.replace("\x00", "").replace("exec:", "").replace("~", "").replace("..", ".")
    word = re.sub(r"(?<!\[)/", "|", word)  # "[/x]" is in the scratch folder, and a tag for Rich
    return word[:20_000].encode("utf-8", "replace").decode()


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _run(words: list[str], output: io.StringIO, complaints: io.StringIO) -> object:
    """The exit status of a command that is interrupted after a while; typed input is at its end at once."""
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(complaints), _without_input():
        try:
            return _interrupted(words)
        except KeyboardInterrupt:  # Ctrl-C between two of the program's own places for it, or after its end
            return 130
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


def _interrupted(words: list[str]) -> object:
    from ttr_env.cli import main

    signal.setitimer(signal.ITIMER_REAL, PATIENCE, PATIENCE)
    try:
        main(words)
    except SystemExit as end:
        signal.setitimer(signal.ITIMER_REAL, 0)
        return 0 if end.code is None else end.code
    raise Fault("the command did not end with a status")


@contextlib.contextmanager
def _without_input() -> Iterator[None]:
    before, sys.stdin = sys.stdin, io.StringIO()
    try:
        yield
    finally:
        sys.stdin = before
