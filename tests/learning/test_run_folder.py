"""What a run has in its folder is never half written."""

import errno
import os
from pathlib import Path

import pytest

from ttr_env.learning import configs, run_folder, settings


def full_disk(file: Path, content: bytes) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_on_a_full_disk_the_configuration_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = settings.read(configs.find("quickstart"), [])
    checkpoint = tmp_path / "checkpoint.zip"
    run_folder.prepare(tmp_path, chosen, resume=False, checkpoint=checkpoint).release()
    before = (tmp_path / "config.yaml").read_text(encoding="utf-8")
    assert before
    monkeypatch.setattr(Path, "write_bytes", full_disk)
    with pytest.raises(OSError, match=r"No space left on device: '.*config.yaml'"):
        run_folder.prepare(tmp_path, chosen, resume=True, checkpoint=checkpoint)
    assert (tmp_path / "config.yaml").read_text(encoding="utf-8") == before
    assert not any("unfinished" in file.name for file in tmp_path.iterdir())
