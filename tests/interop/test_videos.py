"""Videos by the wrappers of Gymnasium and PettingZoo, which need what the extra `video` brings."""

from pathlib import Path

import gymnasium
import moviepy  # noqa: F401 - the wrappers import it late
import pytest
from gymnasium.wrappers import RecordVideo

import ttr_env


def is_video(folder: Path) -> bool:
    (video,) = folder.glob("*.mp4")
    return video.stat().st_size > 10_000 and video.read_bytes()[4:8] == b"ftyp"


def test_gymnasium_records_a_video(tmp_path: Path) -> None:
    env = RecordVideo(
        gymnasium.make("ttr_env/Nederland-v0", render_mode="rgb_array", max_decisions=12), str(tmp_path), lambda _: True
    )
    _, info = env.reset(seed=1)
    ended = False
    while not ended:
        _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        ended = terminated or truncated
    env.close()
    assert is_video(tmp_path)


def test_pettingzoo_records_a_video(tmp_path: Path) -> None:
    wrappers = pytest.importorskip("pettingzoo.utils.wrappers.record_video")  # it is new in 1.27
    table = ttr_env.env(render_mode="rgb_array", max_decisions=8)
    env = wrappers.RecordVideo(table, str(tmp_path), lambda _: True)
    env.reset(seed=1)
    for _ in env.agent_iter():
        _, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else table.unwrapped.sample())
    env.close()
    assert is_video(tmp_path)
