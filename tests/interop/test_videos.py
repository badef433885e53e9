"""Videos by Gymnasium's own wrapper, which needs what the extra `video` brings."""

from pathlib import Path

import gymnasium
import moviepy  # noqa: F401 - the wrapper imports it late
from gymnasium.wrappers import RecordVideo

import ttr_env  # noqa: F401 - it registers the environments


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
    (video,) = tmp_path.glob("*.mp4")
    assert video.stat().st_size > 10_000
