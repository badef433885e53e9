"""Ray, on this machine or on a cluster."""

from __future__ import annotations

import contextlib
import logging
import math
import os
import re
import socket
from collections.abc import Iterator
from typing import Any

import ray
from ray._private.authentication.authentication_token_setup import maybe_enable_token_auth_if_token_available
from ray._private.ray_logging import stdout_deduplicator
from ray._private.services import canonicalize_bootstrap_address
from ray.exceptions import RayError

from ttr_env.errors import ClusterError as ClusterError  # it is imported from here too
from ttr_env.learning.rllib.settings import WorkerSettings

ANSWER_SECONDS = 5.0  # Ray itself would try for minutes
QUIET: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}


@contextlib.contextmanager
def running(address: str | None, workers: WorkerSettings) -> Iterator[None]:
    """Ray, for as long as it is needed: one's own, or the cluster at an address."""
    needed = workers.env_runners * workers.cpus_per_env_runner + workers.learners
    _hush()
    if address is None:
        processors = max(os.cpu_count() or 1, math.ceil(needed))  # too many processes on one machine are only slow
        ray.init("local", num_cpus=processors, include_dashboard=False, **QUIET)
    else:
        _join(address)
    try:
        if address is not None:
            _check_resources(needed, workers.learners * workers.gpus_per_learner)
        yield
    finally:
        ray.shutdown()


def _hush() -> None:
    """Keep Ray's remarks on its own workings off the screen; they are in its log files."""
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    stdout_deduplicator.skip_re = re.compile("")  # pages of a node's state when it is lost
    logging.getLogger("ray.rllib.utils.actor_manager").setLevel(logging.CRITICAL)  # the run says itself who was lost
    for name in ("ray", "ray.rllib"):
        logging.getLogger(name).setLevel(logging.ERROR)


def _join(address: str) -> None:
    """Join a running cluster, or say quickly that there is none."""
    start = (
        "start one with `ray start --head` and name its HOST:PORT, or leave out --address; if it asks for a token, "
        "this machine needs the same one, and RAY_AUTH_MODE=token in the environment"
    )
    if address == "auto":  # an address may be that of a cluster without a token, and a token is not for everybody
        maybe_enable_token_auth_if_token_available(warn_if_disabled=False)
    try:
        place = canonicalize_bootstrap_address(address) or address
        host, _, port = place.rpartition(":")
        socket.create_connection((host, int(port)), ANSWER_SECONDS).close()
        ray.init(place, **QUIET)
    except (OSError, RuntimeError, ValueError, RayError) as error:
        raise ClusterError(f"no Ray cluster can be joined at {address}: {start} ({error})") from error


def _check_resources(cpus: float, gpus: float) -> None:
    """Refuse to wait for ever for processors that the cluster does not have."""
    has = ray.cluster_resources()
    for kind, needed in (("CPU", cpus), ("GPU", gpus)):
        if has.get(kind, 0) < needed:
            raise ClusterError(
                f"the cluster has {has.get(kind, 0):g} {kind}s, and the configuration asks for {needed:g}: "
                "add nodes with `ray start --address`, or change the section workers"
            )
