"""The Chromium that tests drive: the system's own, as Playwright's cannot be had everywhere."""

from __future__ import annotations

import os
import shutil
import sys

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

FLAGS = (
    "--headless",
    "--no-sandbox",  # which root is not given, as in a container
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
HOW_TO_GET_ONE = "no Chromium was found, so the tests in a browser did not run: `make browser` installs one"


def find() -> str | None:
    """Where it is: as TTR_CHROMIUM says, or by one of its names."""
    found = os.environ.get("TTR_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    return found and shutil.which(found)


if __name__ == "__main__":  # for `make browser`
    print(find() or "")
    sys.exit(find() is None)
