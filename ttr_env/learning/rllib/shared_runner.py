"""What every env runner of ours does: it holds the network, and counts games and points."""

from __future__ import annotations

from typing import Any

import numpy as np
import ray
import torch
from ray.rllib.core import COMPONENT_RL_MODULE
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModule
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.utils.checkpoints import Checkpointable
from ray.rllib.utils.metrics import NUM_ENV_STEPS_SAMPLED, NUM_ENV_STEPS_SAMPLED_LIFETIME, WEIGHTS_SEQ_NO

from ttr_env.engine.scoring import PARTS
from ttr_env.learning.rllib.rollout import SHARED
from ttr_env.learning.rllib.settings import RLlibSettings

# Metrics, beside RLlib's own and the parts of the score.
ENVIRONMENT_SECONDS, GAMES, SEATS = "environment_seconds", "games", "seats"


class SharedRunner(EnvRunner, Checkpointable):
    """An env runner in which one policy plays every seat; `make_env` and `sample` are up to its kind."""

    env: Any  # in RLlib's own class it is None and nothing else
    module: MultiRLModule

    def __init__(self, *, config: Any, **kwargs: Any) -> None:
        super().__init__(config=config, **kwargs)
        self.settings: RLlibSettings = self.config.env_config["settings"]
        self.spaces = kwargs.get("spaces")
        self._weights_seq_no = 0
        self.pay(0.0)
        self.make_module()
        if self.worker_index or not self.config.num_env_runners:  # the learner's process plays only if nobody else does
            torch.set_num_threads(self.threads)
            self.make_env()

    @property
    def threads(self) -> int:
        """How many threads it may use."""
        if not self.worker_index:
            return self.settings.run.threads
        return max(1, int(self.settings.workers.cpus_per_env_runner))

    @property
    def seeds(self) -> np.random.SeedSequence:
        """What its chance follows from: the run's seed, which runner this is, and where the run began."""
        begun = self.config.env_config["updates_before"]
        return np.random.SeedSequence((self.settings.run.seed, self.worker_index or 0, begun))

    def pay(self, passed: float) -> None:
        """Pay what the settings say for what comes after this part of the run."""
        raise NotImplementedError

    def make_module(self) -> None:
        """Build the network."""
        module = self.config.get_multi_rl_module_spec(spaces=self.get_spaces(), inference_only=True).build()
        assert isinstance(module, MultiRLModule)
        self.module = module

    def get_spaces(self) -> dict[str, Any]:
        """The spaces of the shared policy."""
        return {SHARED: (self.config.observation_space, self.config.action_space)}

    def log(self, decisions: int, seconds: float, games: int, scores: np.ndarray) -> None:
        """Count what was played: decisions, seconds in the engine, games, and the scores of seats [seats, parts]."""
        sums = dict(zip(PARTS, scores[:, : len(PARTS)].sum(axis=0).tolist(), strict=True))
        counts = {NUM_ENV_STEPS_SAMPLED: decisions, GAMES: games, SEATS: len(scores), **sums}
        for name, value in {**counts, ENVIRONMENT_SECONDS: seconds}.items():
            self.metrics.log_value(name, value, reduce="sum")
        self.metrics.log_value(NUM_ENV_STEPS_SAMPLED_LIFETIME, decisions, reduce="lifetime_sum")

    def get_metrics(self) -> Any:
        """What was logged since the last time."""
        return self.metrics.reduce()

    def get_state(self, components: Any = None, *, not_components: Any = None, **kwargs: Any) -> dict[str, Any]:
        """The weights; running games are not part of it."""
        if not self._check_component(COMPONENT_RL_MODULE, components, not_components):
            return {}
        return {COMPONENT_RL_MODULE: self.module.get_state(**kwargs), WEIGHTS_SEQ_NO: self._weights_seq_no}

    def set_state(self, state: dict[str, Any]) -> None:
        """Take over new weights."""
        if COMPONENT_RL_MODULE not in state:
            return
        weights = state[COMPONENT_RL_MODULE]
        self.module.set_state(ray.get(weights) if isinstance(weights, ray.ObjectRef) else weights)
        self._weights_seq_no = state.get(WEIGHTS_SEQ_NO, 0)

    def get_ctor_args_and_kwargs(self) -> tuple[tuple[()], dict[str, Any]]:
        """What another one like this is made from."""
        return (), {"config": self.config}

    def get_checkpointable_components(self) -> list[tuple[str, Any]]:
        """The network."""
        return [(COMPONENT_RL_MODULE, self.module)]

    def assert_healthy(self) -> None:
        """See that there are games to be played."""
        assert self.env is not None and self.module is not None
