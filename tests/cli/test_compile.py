"""`ttr compile` compiles all there is: whatever is done afterwards finds its kernels on disk."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EVERYTHING = """
import copy, pickle, tempfile
import gymnasium, numpy as np
import ttr_env
from ttr_env import agents, data
from ttr_env.agents.base import act_in_rows
from ttr_env.agents.scorer import Scorer
from ttr_env.agents.scoring import ScoringAgent

for name in ("nederland", "nordic", "usa"):
    game = ttr_env.Game(name, players=3, seed=1)
    for spec in ("random", "greedy", "racer", "planner", "ismcts:version=1,iterations=2", "ismcts:iterations=2"):
        agent = agents.make(spec, seed=2**64 - 1)
        game.step(agent.act(game))
        batch = ttr_env.Batch(name, games=600, players=2, threads=2, features="planning", reward="dense")
        batch.step(act_in_rows(agent, batch, np.arange(600))[:600] if spec == "planner" else batch.sample())
    pickle.loads(pickle.dumps(batch)).step(batch.sample())
    game.determinize(game.player, np.random.default_rng(0)).observe(0, "planning")
    ttr_env.Game.replay(game.record()).snapshot()
    for reward in ("win", "margin", "score", "dense"):
        env = copy.deepcopy(ttr_env.env(map=name, players=2, reward=reward, features="planning", tolls_visible=True))
        env.reset(seed=2**63 + 5)
        env.step(env.unwrapped.sample())
    single = gymnasium.make("ttr_env/Nederland-v0", map=name, players=2, opponents="ismcts:iterations=2")
    single.reset(seed=3)
    envs = gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=3, map=name, players=2, opponents="planner")
    _, infos = envs.reset(seed=3)
    for each in (envs, pickle.loads(pickle.dumps(envs)), copy.deepcopy(envs)):
        each.step(infos["action_mask"].argmax(axis=1).astype(np.int32))
    scorer = ScoringAgent(Scorer.random(np.random.default_rng(0)))
    for opponents in ("planner", scorer, ["racer", scorer]):
        players = 3 if isinstance(opponents, list) else 2
        options = {"map": name, "players": players, "opponents": opponents, "features": "actions"}
        envs = gymnasium.make_vec("ttr_env/Nederland-v0", num_envs=300, threads=2, **options)
        _, infos = envs.reset(seed=3)
        pickle.loads(pickle.dumps(envs)).step(infos["action_mask"].argmax(axis=1))
        gymnasium.make("ttr_env/Nederland-v0", **options).reset(seed=3)
    batch = ttr_env.Batch(name, games=300, players=2, threads=2, features="actions")
    pickle.loads(pickle.dumps(batch)).step(batch.sample())
    table = ttr_env.env(map=name, players=2, features="actions")
    table.reset(seed=1)
    table.last()
    ttr_env.playouts(name, games=2, seed=2**64 - 1)
with tempfile.TemporaryDirectory() as folder:
    data.write(folder, ["random", "champion"], games=2, teacher="champion")
    for sight in ("base", "planning", "actions"):
        list(data.load(folder, sight, shuffle=1))
game = ttr_env.Game(seed=1)
for spec in ("champion", "champion+search:iterations=2"):
    game.step(agents.make(spec).act(game))
"""


def run(folder: Path, *arguments: str) -> set[str]:
    """Run Python with a cache of its own; the compiled functions that lie there afterwards."""
    settings = os.environ | {"NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run([sys.executable, *arguments], env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {file.name for file in folder.rglob("*.nbc")}


@pytest.mark.slow
def test_nothing_is_left_to_compile(tmp_path: Path) -> None:
    compiled = run(tmp_path, "-m", "ttr_env.cli", "compile")
    assert len(compiled) > 20
    assert run(tmp_path, "-c", EVERYTHING) == compiled
