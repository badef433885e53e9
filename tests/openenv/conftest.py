"""A server to talk to."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import httpx
import pytest


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    """A server in a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([sys.executable, "-m", "ttr_env.llm.openenv", "--port", str(port)])
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                httpx.get(f"{address}/health")
                break
            except httpx.TransportError:
                assert server.poll() is None, "the server ended"
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait()
