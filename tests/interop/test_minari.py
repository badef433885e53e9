"""Episodes of the single-agent environment in a dataset of Minari, infos included."""

from pathlib import Path

import gymnasium
import minari
import numpy as np
import pytest

import ttr_env  # noqa: F401 - it registers the environments
from ttr_env.engine.scoring import SCORES


@pytest.mark.parametrize("mask", ["info", "observation"])
def test_a_dataset_keeps_infos_and_gives_the_environment_back(
    mask: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    env = minari.DataCollector(gymnasium.make("ttr_env/Nederland-v0", mask=mask), record_infos=True, data_format="hdf5")
    lengths, totals = [], []
    for seed in range(2):
        env.reset(seed=seed)
        lengths.append(0)
        ended = False
        while not ended:
            action = int(env.unwrapped.action_masks().argmax())
            _, _, terminated, truncated, info = env.step(action)
            ended = terminated or truncated
            lengths[-1] += 1
        totals.append(info["total"])
    dataset = env.create_dataset("ttr/test-v0", algorithm_name="first legal")
    for episode, length, total in zip(dataset.iterate_episodes(), lengths, totals, strict=True):
        assert len(episode.actions) == length and episode.infos["total"][-1] == total
        assert all(len(episode.infos[part]) == length + 1 for part in SCORES)
        seen = episode.observations if mask == "observation" else episode.infos
        legal = np.asarray(seen["action_mask"])
        assert legal[np.arange(length), episode.actions].all() and legal[-1].all()
    assert dataset.recover_environment().unwrapped.observation_space == env.unwrapped.observation_space
