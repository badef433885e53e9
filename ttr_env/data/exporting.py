"""A data set in other people's formats: Minari, Parquet and text."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from ttr_env.data.loading import Dataset, Decisions, load
from ttr_env.errors import install_command
from ttr_env.game import Game
from ttr_env.game.files import in_one_piece
from ttr_env.options import Sight
from ttr_env.text import Task, prompt
from ttr_env.text import to_text as told

_SIDE_BY_SIDE = 8192  # decisions


def to_minari(folder: str | os.PathLike[str], dataset_id: str, agent: str, sight: str | Sight = "base") -> Any:
    """An agent's games as a data set of Minari, an episode for each seat that it had; returns Minari's own object.

    Observations are vectors; masks are in the infos, all ones at the end, when nobody chooses. The reward is that of
    "win", at the end. On a map that has an environment of its own, `recover_environment()` makes it with the same
    opponents.
    """
    try:
        import minari
        from minari.data_collector import EpisodeBuffer
    except ModuleNotFoundError as error:
        raise ValueError("Minari is not installed: pip install 'minari[create,hdf5]'") from error
    seen = Sight(sight) if isinstance(sight, str) else sight
    dataset = load(folder, seen, only=[agent], batch_size=_SIDE_BY_SIDE)
    space = gymnasium.spaces.Box(-np.inf, np.inf, (dataset.variant.observation_size(seen),), np.float32)
    spaces = {"observation_space": space, "action_space": gymnasium.spaces.Discrete(dataset.variant.num_actions)}
    env = _environment(dataset, agent, seen)
    if env is not None:
        spaces = {"observation_space": env.observation_space, "action_space": env.action_space}
    return minari.create_dataset_from_buffers(
        dataset_id,
        (EpisodeBuffer(**episode) for episode in _episodes(dataset, seen)),
        env=env,
        **spaces,
        algorithm_name=agent,
        description=f"{agent} on {dataset.variant.map.title}, by ttr-env",
        data_format="hdf5",
    )


def _environment(dataset: Dataset, agent: str, sight: Sight) -> Any:
    """The environment in which an agent meets the others of a data set, where its map has one."""
    manifest, variant = dataset.manifest, dataset.variant
    found = [each.id for each in gymnasium.registry.values() if each.kwargs.get("map") == variant.map.name]
    if not found:
        return None
    place = manifest.agents.index(agent)
    others = [manifest.agents[(place + further) % variant.players] for further in range(1, variant.players)]
    options = {name: value for name, value in variant.as_dict().items() if name != "map"}
    return gymnasium.make(
        found[0], **options, opponents=others, features=sight.features, tolls_visible=sight.tolls_visible
    )


def _episodes(dataset: Dataset, sight: Sight) -> Iterator[dict[str, Any]]:
    """The episodes of every seat that is shown, with what it sees when the game has ended."""
    records = (record for games in dataset.read() for record in games.records())
    for record, decisions in zip(records, _whole_games(dataset), strict=True):
        game = Game.replay(record)
        for seat in np.unique(decisions["movers"]).tolist():
            mine = decisions["movers"] == seat
            count = int(mine.sum())
            last = game.observe(seat, sight.features)[None]
            rewards, ends = np.zeros(count, np.float32), np.zeros(count, np.bool_)
            rewards[-1], ends[-1] = decisions["returns"][mine][0], True
            masks = decisions["masks"][mine]
            yield {
                "seed": record["seed"],
                "observations": np.concatenate([decisions["observations"][mine], last]),
                "actions": decisions["actions"][mine],
                "rewards": rewards,
                "terminations": ends if game.over else np.zeros_like(ends),
                "truncations": np.zeros_like(ends) if game.over else ends,
                "infos": {"action_mask": np.concatenate([masks, np.ones_like(masks[:1])])},
            }


def _whole_games(dataset: Dataset) -> Iterator[dict[str, np.ndarray]]:
    """The decisions of each game in one piece, whatever batches they came in."""
    names = ("observations", "masks", "actions", "movers", "returns")
    kept: list[dict[str, np.ndarray]] = []
    number = 0
    for decisions in dataset:
        for game in np.unique(decisions.games).tolist():
            if game != number:
                yield _joined(kept)
                kept, number = [], game
            kept.append({name: getattr(decisions, name)[decisions.games == game] for name in names})
    yield _joined(kept)


def _joined(parts: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def to_parquet(folder: str | os.PathLike[str], file: str | os.PathLike[str], sight: str | Sight = "base") -> int:
    """All decisions as a Parquet file, a row for each, with the columns of `Decisions`; returns how many there are.

    Observations, masks and what a teacher thinks of actions are lists of fixed length; the deciders have their names.
    With `sight="actions"` the candidates of a row are lists of their own, and no longer than they need to be.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        raise ValueError(f"Parquet needs pyarrow, which comes with an extra: {install_command('data')}") from error
    dataset, rows = load(folder, sight), 0
    with in_one_piece(Path(file)) as place, ExitStack() as stack:
        writer = None
        for decisions in dataset:
            table = pyarrow.table(_columns(decisions, dataset, pyarrow))
            if writer is None:
                writer = stack.enter_context(pyarrow.parquet.ParquetWriter(place, table.schema, compression="zstd"))
            writer.write_table(table)
            rows += len(decisions)
    return rows


def _columns(decisions: Decisions, dataset: Dataset, pyarrow: Any) -> dict[str, Any]:
    """The columns of a batch, as PyArrow has them."""
    columns: dict[str, Any] = {}
    for name, value in vars(decisions).items():
        if name == "deciders":
            columns["decider"] = pyarrow.DictionaryArray.from_arrays(value, dataset.agents)
        elif isinstance(value, tuple):
            columns |= _candidates(value, pyarrow)
        elif value is not None:
            columns[name] = _column(value, pyarrow)
    return columns


def _column(values: np.ndarray, pyarrow: Any) -> Any:
    flat = pyarrow.array(np.ascontiguousarray(values).reshape(-1))
    return flat if values.ndim == 1 else pyarrow.FixedSizeListArray.from_arrays(flat, values.shape[1])


def _candidates(features: Any, pyarrow: Any) -> dict[str, Any]:
    """Action features: the states, and of each row's candidates the indices and the features."""
    there = features.index >= 0
    ends = np.concatenate([[0], np.cumsum(there.sum(axis=1))]).astype(np.int32)
    described = _column(features.actions[there], pyarrow)
    return {
        "state": _column(features.state, pyarrow),
        "candidates": pyarrow.ListArray.from_arrays(ends, pyarrow.array(features.index[there])),
        "features": pyarrow.ListArray.from_arrays(ends, described),
    }


def to_text(
    folder: str | os.PathLike[str], file: str | os.PathLike[str], agent: str | None = None, task: Task | None = None
) -> int:
    """Decisions in words, one JSON a line with `prompt` and `completion`; returns how many there are.

    The prompt is what the player to move is shown and asked (`ttr_env.text.prompt`), and the completion is its move:
    what language models are fine-tuned on. `ttr_env.text.rules` goes before all of them. With `agent`, its decisions
    alone.
    """
    wanted = task or Task()
    if wanted.scope != "decision":
        raise ValueError(f'task: a data set has decisions, so the scope must be "decision", not {wanted.scope!r}')
    dataset, rows = load(folder, only=None if agent is None else [agent]), 0
    with in_one_piece(Path(file)) as place, place.open("w", encoding="utf-8") as lines:
        for record in (record for games in dataset.read() for record in games.records()):
            for line in _told(record, agent, wanted):
                lines.write(json.dumps(line, ensure_ascii=False) + "\n")
                rows += 1
    return rows


def _told(record: dict[str, Any], agent: str | None, task: Task) -> Iterator[dict[str, str]]:
    game = Game.replay({**record, "actions": []})
    for action in record["actions"]:
        if agent is None or record["agents"][game.player] == agent:
            yield {"prompt": prompt(game, task), "completion": f"Move: {told(game, action)}"}
        game.step(action)
