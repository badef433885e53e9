"""Packed lines of JSON: data sets, and results of `ttr evaluate --task`."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from abc import abstractmethod
from random import Random

import numpy as np

from tests.fuzz.kinds.base import Kind, check
from tests.fuzz.mutating import damage_bytes, damage_json
from ttr_env import data
from ttr_env.errors import RecordError
from ttr_env.tasks import definitions, leaderboard, results, testing
from ttr_env.tasks.verifying import verify

RIGHT = "right"  # stands for the digest of what was damaged, so that it is looked at all the same


class Lines(Kind):
    """What a first text says of packed lines, and these, as JSON: texts of any bytes, each in Latin-1."""

    allowed = (RecordError,)
    _seeds: list[bytes]

    def seeds(self) -> list[bytes]:
        return self._seeds

    def damage(self, data: bytes, rng: Random) -> bytes:
        told = json.loads(data)
        lines, place = told["lines"], rng.randrange(len(told["lines"]) + 1)
        chance = rng.random()
        if chance < 0.05:
            told["packed"] = rng.randrange(2**32)
        elif chance < 0.1:
            told["lines"] = rng.choice((lines[:place], lines[::-1], [*lines, *lines[:place]], [""] * 5000))
        elif place == len(lines):
            told["head"] = _damaged(told["head"], rng)
        else:
            lines[place] = _damaged(lines[place], rng)
        return json.dumps(told).encode()

    def give(self, data: bytes) -> None:
        told = json.loads(data)
        self.give_lines(told["head"].encode("latin-1"), [line.encode("latin-1") for line in told["lines"]], told)

    @abstractmethod
    def give_lines(self, head: bytes, lines: list[bytes], told: dict[str, int]) -> None:
        """Give them to whoever reads such files."""


def _damaged(text: str, rng: Random) -> str:
    return damage_json(text.encode("latin-1"), rng).decode("latin-1")


def _written(head: bytes, lines: list[bytes]) -> bytes:
    return json.dumps({"head": head.decode("latin-1"), "lines": [line.decode("latin-1") for line in lines]}).encode()


def _packed(lines: list[bytes], told: dict[str, int]) -> bytes:
    """The lines as gzip packs them, and the package damaged if that is wished for."""
    packed = gzip.compress(b"".join(line + b"\n" for line in lines), mtime=0)
    return damage_bytes(packed, Random(told["packed"])) if "packed" in told else packed


class Datasets(Lines):
    """Data sets of one file, to `data.load` and to the words they are told in; all that is shown is legal."""

    def prepare(self) -> None:
        self._folder, self._seeds = self.scratch / "set", []
        data.write(self._folder, ["random"] * 2, 1, map="mini")  # once, for what is loaded when it is first needed
        for number, teacher in enumerate((None, "random", "champion")):
            folder = self.scratch / str(number)
            board = "mini" if teacher != "champion" else "nederland"
            made = data.write(folder, ["greedy", "random"], 3 - number, map=board, seed=number, teacher=teacher)
            head = (folder / "manifest.json").read_text().replace(made.shards[0].sha256, RIGHT)
            lines = gzip.decompress((folder / made.shards[0].file).read_bytes()).splitlines()
            self._seeds.append(_written(head.encode(), lines))

    def give_lines(self, head: bytes, lines: list[bytes], told: dict[str, int]) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir()
        packed = _packed(lines, told)
        (self._folder / "part-00000.jsonl.gz").write_bytes(packed)
        digest = hashlib.sha256(packed).hexdigest().encode()
        (self._folder / "manifest.json").write_bytes(head.replace(RIGHT.encode(), digest, 1))
        dataset = data.load(self._folder, "planning", batch_size=64)
        decisions = 0
        for batch in dataset:
            rows = np.arange(len(batch))
            decisions += len(batch)
            check(batch.masks[rows, batch.actions].all(), "an action is not legal")
            check(np.isfinite(batch.observations).all() and np.isfinite(batch.returns).all(), "numbers are not finite")
            if batch.choices is not None:
                check(batch.masks[rows, batch.choices].all(), "what the teacher would do is not legal")
            for thoughts in (batch.probabilities, batch.means, batch.errors):
                check(thoughts is None or (np.isnan(thoughts) | (batch.masks != 0)).all(), "it thinks of the illegal")
        check(decisions == dataset.manifest.decisions, "decisions are missing")
        if len(head) % 5 == 0:
            data.to_text(self._folder, self.scratch / "set.jsonl")


class Results(Lines):
    """Results of a test, to `ttr verify` and to the table of all results."""

    def prepare(self) -> None:
        self._file, self._seeds = self.scratch / "results" / "result.jsonl.gz", []
        self._file.parent.mkdir()
        for agent in ("greedy", "random"):
            terms = results.Terms.of(definitions.load("mini-2p"), agent, definitions.PUBLIC, deals=1)
            result = testing.run(terms, self.scratch / f"{agent}.jsonl.gz")
            check(verify(self.scratch / f"{agent}.jsonl.gz").true, "a true result is not found true")
            head, *lines = gzip.decompress((self.scratch / f"{agent}.jsonl.gz").read_bytes()).splitlines()
            head = head.replace(result.digest.encode(), RIGHT.encode())
            self._seeds.append(_written(head, lines))

    def give_lines(self, head: bytes, lines: list[bytes], told: dict[str, int]) -> None:
        digest = hashlib.sha256(b"".join(line + b"\n" for line in lines)).hexdigest()
        self._file.write_bytes(_packed([head.replace(RIGHT.encode(), digest.encode(), 1), *lines], told))
        report = verify(self._file)
        check(report.true or report.difference, "it is not true, and nothing is said to be wrong")
        try:
            found = leaderboard.found_in(self._file.parent).values()
        except ValueError as error:
            raise RecordError(str(error)) from error
        check(leaderboard.markdown(found), "no table")
