"""What a run on RLlib can be told: the sections of `ttr_env.learning.settings`, and who does the work."""

from __future__ import annotations

import os

from pydantic import Field, model_validator

from ttr_env.learning.settings import AnySettings, Part, PPOSettings, read_as


class WorkerSettings(Part):
    """The processes, for `training.rllib` alone."""

    env_runners: int = Field(
        default=2, ge=0, description="that play, on any node; 0: the first learner's process plays, too"
    )
    cpus_per_env_runner: float = Field(default=1.0, gt=0, description="processors that Ray sets aside for each of them")
    learners: int = Field(
        default=0, ge=0, description="that learn, each from its share of the samples; 0: the program's own process"
    )
    gpus_per_learner: float = Field(default=0.0, ge=0, description="graphics processors for each of them")


class RLlibPPOSettings(PPOSettings):
    """The algorithm. RLlib's learner always makes all its passes."""

    target_kl: None = None


class RLlibSettings(AnySettings):
    """A whole configuration file of `training.rllib`."""

    ppo: RLlibPPOSettings = RLlibPPOSettings()
    workers: WorkerSettings = WorkerSettings()

    @model_validator(mode="after")
    def _batches_fit(self) -> RLlibSettings:
        each = self.steps_an_update // max(1, self.workers.learners)
        if self.ppo.batch_size > each:
            raise ValueError(
                f"ppo.batch_size: an update has {each} samples for each learner, not {self.ppo.batch_size}"
            )
        return self

    @property
    def steps_an_update(self) -> int:
        """How many decisions all env runners together make between two updates; with whole games, about."""
        return max(1, self.workers.env_runners) * self.ppo.games * self.ppo.n_steps


def read(path: str | os.PathLike[str], changes: list[str] | None = None) -> RLlibSettings:
    """The settings in a file, with changes such as `workers.env_runners=8` made to it."""
    return read_as(RLlibSettings, path, changes)
