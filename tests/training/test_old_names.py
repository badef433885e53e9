"""Names of 0.1.0 that are still there for one version: they warn, and they work."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest
from sb3_contrib import MaskablePPO

from ttr_env import Batch, agents
from ttr_env.learning.sb3 import LearnerVecEnv
from ttr_env.learning.sb3.policy import Policy, Trunk


@pytest.mark.parametrize(
    ("old", "name", "new"),
    [
        ("training.vec_env", "LearnerVecEnv", "ttr_env.learning.sb3"),
        ("training.networks", "Policy", "ttr_env.learning.sb3.policy"),
        ("training.networks", "Trunk", "ttr_env.learning.sb3.policy"),
        ("training.aec_env", "AECLearner", "training.examples.aec_learner"),
        ("training.rllib_env", "RLlibEnv", "ttr_env.learning.rllib.env"),
        ("ttr_env.agents.sight", "Sight", "ttr_env.agents.inputs"),
        ("ttr_env.agents.sight", "advised_actions", "ttr_env.agents.inputs"),
    ],
)
def test_an_old_name_warns_and_is_the_new_one(old: str, name: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "rllib" in old:
        pytest.importorskip("ray")
    monkeypatch.delitem(sys.modules, old, raising=False)
    with pytest.warns(DeprecationWarning, match=f"{old} is now {new}"):
        module = importlib.import_module(old)
    assert getattr(module, name) is getattr(importlib.import_module(new), name)


def test_who_is_to_move_in_a_batch_had_another_name() -> None:
    batch = Batch(games=3, players=4, seed=1)
    with pytest.warns(DeprecationWarning, match=r"Batch\.players is now Batch\.movers"):
        assert batch.players is batch.movers


def test_a_model_that_names_the_old_classes_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env = LearnerVecEnv(games=2, seed=0)
    shape = {"inputs": env.sight.observation_size, "layers": [8], "activation": "relu"}
    kwargs = {"features_extractor_class": Trunk, "features_extractor_kwargs": shape, "net_arch": [], "trust": 4.0}
    model = MaskablePPO(Policy, env, n_steps=8, policy_kwargs=kwargs, device="cpu")
    with pytest.warns(DeprecationWarning):
        monkeypatch.delitem(sys.modules, "training.networks", raising=False)
        importlib.import_module("training.networks")
    with monkeypatch.context() as as_it_was:
        for kind in (Policy, Trunk):
            as_it_was.setattr(kind, "__module__", "training.networks")
        model.save(tmp_path / "model.zip")
    monkeypatch.delitem(sys.modules, "training.networks")
    with pytest.warns(DeprecationWarning, match="training.networks"):
        agent = agents.make(f"sb3:{tmp_path}/model.zip")
    batch = Batch(games=3, seed=1)
    assert batch.masks[np.arange(3), agent.act_batch(batch, np.arange(3))].all()
