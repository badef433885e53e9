"""Writing a data set: shard after shard, each in one piece, so that it can be stopped and gone on with."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Unpack

from ttr_env.agents import make
from ttr_env.agents.base import check_map, close
from ttr_env.agents.blind import chooses_for_many
from ttr_env.bots.built_in import HELD_OUT
from ttr_env.data.manifest import FILE, THOUGHTS, Manifest, Shard, shard_name
from ttr_env.data.playing import play
from ttr_env.data.shards import MAX_BYTES
from ttr_env.errors import RecordError
from ttr_env.game.files import in_one_piece
from ttr_env.options import GameOptions, MapLike, Variant, positive

SHARD = 500  # games in a file
SLOW_SHARD = 10  # the same where an agent is asked decision by decision: what is lost when it is stopped

Progress = Callable[[int, int], None]


def write(
    folder: str | os.PathLike[str],
    agents: Sequence[str],
    games: int,
    map: MapLike = "nederland",
    *,
    seed: int = 0,
    teacher: str | None = None,
    shard_size: int | None = None,
    progress: Progress | None = None,
    **options: Unpack[GameOptions],
) -> Manifest:
    """Let agents play games, and keep their records in a folder; returns what it says of itself.

    Where the folder has a part of this data set already, it is gone on with. Ctrl-C loses the file that is being made,
    nothing else.

    Args:
        folder: where to; it is made if it is not there.
        agents: one for each seat, as `ttr_env.agents.make` knows them; each moves on by a seat in the next game.
        games: how many; each has a deal of its own.
        map: the name of a built-in map, the folder of your own, or a `Map`.
        seed: data sets with different seeds have no deal in common; all deals are from `SEEDS`.
        teacher: an agent that is asked what it thinks of every decision (`ttr_env.agents.explain`).
        shard_size: games in a file; None: 500, or 10 where an agent is asked decision by decision.
        progress: told again and again how many games are finished, and how many there are in all.
        options: `players`, `tolls` and `neutral_player`; there are as many players as agents.
    """
    players = options.setdefault("players", len(agents))
    if isinstance(agents, str) or len(agents) != players or len(agents) < 2:
        raise ValueError(f"agents: {players if players > 1 else 2} are needed, one for each seat, not {len(agents)}")
    if teacher in HELD_OUT:
        raise ValueError(f"teacher: {teacher} is for evaluation alone, so nobody learns from it; choose another")
    variant = Variant.of(map, **options)
    quick = _are_quick(agents, teacher, variant)
    size = (SHARD if quick else SLOW_SHARD) if shard_size is None else positive(shard_size, "shard_size")
    wanted = Manifest.plan(list(agents), variant, games, seed, teacher, size)
    target = Path(folder)
    manifest = _begun(target, wanted)
    for number in range(len(manifest.shards), -(-wanted.games // wanted.shard_size)):
        before = manifest.played

        def tell(finished: int, before: int = before) -> None:
            if progress:
                progress(before + finished, wanted.games)

        tell(0)
        manifest = manifest.with_shard(_write_shard(target, manifest, variant, number, tell))
        manifest.save(target)
    return manifest


def _are_quick(agents: Sequence[str], teacher: str | None, variant: Variant) -> bool:
    """Whether all agents choose for many games at once; each is made, and refused if it cannot play here."""
    quick = teacher is None
    for name in dict.fromkeys([*agents, *([] if teacher is None else [teacher])]):
        made = make(name)
        check_map(made, variant.map)
        quick = quick and chooses_for_many(made)
        close([made])
    return quick


def _begun(folder: Path, wanted: Manifest) -> Manifest:
    """The manifest to go on from, which is in the folder now; one of another data set is left alone."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{folder} cannot be made a folder: {error.strerror}; choose another") from error
    if not (folder / FILE).exists():
        if any(folder.iterdir()):
            raise ValueError(f"{folder} has other files in it, and no data set; choose another folder")
        wanted.save(folder)
        return wanted
    found = Manifest.read(folder)
    difference = found.difference(wanted)
    if difference:
        raise ValueError(f"{folder} has another data set ({difference}); choose another folder, or ask for the same")
    for shard in found.shards:
        if not (folder / shard.file).is_file():
            raise RecordError(f"{folder}: {shard.file} is missing, which {FILE} names")
    return found


def _write_shard(
    folder: Path, manifest: Manifest, variant: Variant, number: int, progress: Callable[[int], None]
) -> Shard:
    """Play a shard's games, and write them in one piece or not at all."""
    packed, size, games, decisions, thoughts = io.BytesIO(), 0, 0, 0, set()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as file:  # the same games, the same bytes
        for record in play(manifest, variant, number, progress):
            size += file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
            if size > MAX_BYTES:
                raise ValueError(f"shard_size: {games + 1} games are larger than {MAX_BYTES:,} bytes; choose fewer")
            games, decisions = games + 1, decisions + len(record["actions"])
            thoughts |= record.get("teacher", {}).keys() & THOUGHTS.keys()
    content = packed.getvalue()
    name = shard_name(number)
    with in_one_piece(folder / name) as place:
        place.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    return Shard(name, games, decisions, digest, tuple(sorted(thoughts)))
