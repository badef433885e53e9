"""Files: maps, policies, checkpoints and configurations."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random

import numpy as np
import yaml

import ttr_env
from tests.fuzz.kinds.base import Kind, check
from tests.fuzz.mutating import damage_archive, damage_text, damage_tree, write_json
from tests.helpers.networks import random_network, random_scorer
from ttr_env import Game, agents, maps, render
from ttr_env.agents import policy_file
from ttr_env.errors import CheckpointError, MapError, PolicyFileError, SettingsError
from ttr_env.learning import configs, settings

TABLES = ("map.toml", "cities.csv", "tracks.csv", "tickets.csv", "land.csv", "places.csv")


class Maps(Kind):
    """Folders of a map, to `maps.load`: their files by name, as JSON. A board that loads is played, drawn and saved."""

    allowed = (MapError,)

    def prepare(self) -> None:
        boards = [Path(maps.__file__).parent / name for name in maps.names()]
        for seed in (1, 2):
            made = self.scratch / f"made-{seed}"
            maps.generate(seed, 9 + seed, tolls=seed == 1, tunnels=seed, ferries=1).save(made)
            boards.append(made)
        self._seeds = [json.dumps(_files(board)).encode() for board in boards]

    def seeds(self) -> list[bytes]:
        return self._seeds

    def damage(self, data: bytes, rng: Random) -> bytes:
        files = json.loads(data)
        name = rng.choice([*TABLES, "map.toml", "map.toml"])
        if rng.random() < 0.02:
            files.pop(name, None)
        elif name in files:
            text = files[name].encode("utf-8", "surrogateescape")
            files[name] = damage_text(text, rng).decode("utf-8", "surrogateescape")
        return json.dumps(files).encode()

    def give(self, data: bytes) -> None:
        folder = self.scratch / "board"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, text in json.loads(data).items():
            (folder / name).write_bytes(text.encode("utf-8", "surrogateescape"))
        board = maps.load(folder)
        rng = np.random.default_rng(len(data))
        players = int(rng.integers(board.rules.players[0], board.rules.players[1] + 1))
        check(ttr_env.playouts(board, players=players, games=1, seed=1).totals.shape == (1, players), "no score")
        game = Game(board, players=players, seed=1)
        while not game.over and len(game.actions) < 30:
            game.step(int(rng.choice(game.legal_actions())))
        check(np.isfinite(game.observe(0, "planning")).all(), "an observation is not finite")
        check(Game.from_snapshot(game.snapshot()).snapshot() == game.snapshot(), "a snapshot is not the position")
        if rng.random() < 0.2:
            check(render.to_svg(game).startswith("<svg") and render.to_text(game), "it is not drawn")
            board.save(self.scratch / "again")
            check(maps.load(self.scratch / "again").digest == board.digest, "a saved board is another one")


def _files(folder: Path) -> dict[str, str]:
    return {name: (folder / name).read_text(encoding="utf-8") for name in TABLES if (folder / name).exists()}


class Policies(Kind):
    """Policy files, to `policy_file.load`; one that loads plays."""

    allowed = (PolicyFileError,)

    def prepare(self) -> None:
        self._file = self.scratch / "policy.npz"
        self._seeds = []
        for network in (random_scorer(), random_network(), random_network(adviser="racer")):
            policy_file.save(network, self._file)
            self._seeds.append(self._file.read_bytes())
        self._game = Game(seed=1)

    def seeds(self) -> list[bytes]:
        return self._seeds

    def damage(self, data: bytes, rng: Random) -> bytes:
        return damage_archive(data, rng)

    def give(self, data: bytes) -> None:
        self._file.write_bytes(data)
        policy_file.load(self._file)
        action = agents.make(f"policy:{self._file}").act(self._game)
        check(action in self._game.legal_actions(), "it plays what is illegal")


SMALL = [
    *("run.steps=512", "run.threads=1", "ppo.games=4", "ppo.n_steps=8", "ppo.batch_size=32"),
    *("network.layers=[8]", "league.snapshot_every=2"),
]


class Checkpoints(Kind):
    """Checkpoints of `training.train`, to a run that goes on; one that loads takes its next decisions."""

    allowed = (CheckpointError,)

    def prepare(self) -> None:
        from ttr_env.learning.sb3 import checkpoints
        from ttr_env.learning.sb3.trainer import Trainer

        self._module = checkpoints
        self._trainer = Trainer(settings.read(configs.find("flat"), SMALL), self.scratch)
        next(self._trainer.updates())
        self._trainer.save()
        self._file = self._trainer.checkpoint
        self._whole = self._file.read_bytes()

    def seeds(self) -> list[bytes]:
        return [self._whole]

    def damage(self, data: bytes, rng: Random) -> bytes:
        return damage_archive(data, rng)

    def give(self, data: bytes) -> None:
        self._file.write_bytes(data)
        progress = self._module.read_progress(self._file)
        check(progress["updates"] >= 0, "less than no updates")
        self._module.load(self._file, self._trainer.model, self._trainer.env)
        env = self._trainer.env
        masks = np.asarray(env.action_masks())
        observations, rewards, *_ = env.step(masks.argmax(axis=1))
        check(np.isfinite(observations).all() and np.isfinite(rewards).all(), "what follows is not finite")


class Configs(Kind):
    """Configurations, to `settings.read`; one that is read is written and read again."""

    allowed = (SettingsError,)

    def prepare(self) -> None:
        self._file = self.scratch / "config.yaml"
        self._seeds = [configs.find(name).read_bytes() for name in ("quickstart", "champion", "rllib", "best-response")]

    def seeds(self) -> list[bytes]:
        return self._seeds

    def damage(self, data: bytes, rng: Random) -> bytes:
        if rng.random() < 0.5:
            return damage_text(data, rng)
        try:
            return write_json(damage_tree(yaml.safe_load(data), rng))  # JSON is YAML, too
        except (yaml.YAMLError, ValueError, RecursionError, AttributeError):
            return damage_text(data, rng)

    def give(self, data: bytes) -> None:
        from ttr_env.learning.rllib import settings as on_ray

        self._file.write_bytes(data)
        refusal = None
        for read in (on_ray.read, settings.read):
            try:
                chosen = read(self._file)
            except SettingsError as error:
                refusal = error
                continue
            self._file.write_text(yaml.safe_dump(chosen.model_dump(mode="json")))
            check(read(self._file) == chosen, "it is another one when it is read again")
            return
        assert refusal is not None
        raise refusal
