"""A Ray cluster of three nodes on this machine: `python -m tests.helpers.ray_nodes`, told by lines what to do.

It prints its address, and a line after everything that it was told: `lose` a node, `gain` one, `lose head`. It ends
with its input. A process of its own, since Ray decides once in a process whether it uses a token.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psutil

SECONDS = 600.0  # in which a node must be there, on a machine that may be busy


def main() -> None:
    """Have a cluster until the input ends."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes = [cluster.add_node(wait=False, num_cpus=1) for _ in range(2)]
    cluster.wait_for_nodes(SECONDS)
    print("cluster", cluster.address, flush=True)
    for line in sys.stdin:
        match line.strip():
            case "lose":
                cluster.remove_node(nodes.pop(), allow_graceful=False)
            case "gain":
                nodes.append(cluster.add_node(wait=False, num_cpus=1))
                cluster.wait_for_nodes(SECONDS)
            case "lose head":
                cluster.head_node.kill_all_processes(check_alive=False, allow_graceful=False)
        print("done", flush=True)
    cluster.shutdown()


class Nodes:
    """The cluster, from outside."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.address = self._await("cluster ").removeprefix("cluster ")

    def processes(self, name: str) -> list[psutil.Process]:
        """Those of Ray's processes in this cluster whose names have this in them."""
        found = []
        for process in psutil.Process(self._process.pid).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if name in " ".join(process.cmdline()):
                    found.append(process)
        return found

    def tell(self, what: str) -> None:
        """Have something done."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{what}\n")
        self._process.stdin.flush()
        self._await("done")

    def _await(self, beginning: str) -> str:
        """The next line that begins so; Ray may write others."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(beginning):
                return line.strip()
        raise AssertionError("the cluster has ended by itself")


@contextmanager
def nodes(environment: Mapping[str, str]) -> Iterator[Nodes]:
    """A cluster in a process with this environment, beside what there is in this one."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.helpers.ray_nodes"],
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield Nodes(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(120)
        except subprocess.TimeoutExpired:
            process.kill()


if __name__ == "__main__":
    main()
