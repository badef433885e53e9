"""A training run on RLlib: PPO with one policy for all seats, one update after the other."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import ray
import torch
from ray.exceptions import RayError
from ray.rllib.algorithms import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core import COMPONENT_RL_MODULE
from ray.rllib.core.learner.learner_group import LearnerGroup
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.utils.metrics import ENV_RUNNER_RESULTS, LEARNER_RESULTS, NUM_ENV_STEPS_SAMPLED

from ttr_env.agents import policy_file
from ttr_env.engine.scoring import PARTS
from ttr_env.errors import ClusterError
from ttr_env.learning.rllib import checkpoints
from ttr_env.learning.rllib.algorithm import PatientPPO
from ttr_env.learning.rllib.learner import LOGGED
from ttr_env.learning.rllib.learning import learning_of
from ttr_env.learning.rllib.rollout import SHARED
from ttr_env.learning.rllib.settings import RLlibSettings
from ttr_env.learning.rllib.shared_runner import ENVIRONMENT_SECONDS, GAMES, SEATS, SharedRunner
from ttr_env.learning.run import Update

_GO_ON = "start the program again with --resume once the cluster is there again"
PATIENCE = 600.0  # seconds; a rollout that takes longer is given up


class Trainer:
    """A run in a folder of its own, from the start or from its last checkpoint; Ray must be running."""

    def __init__(self, settings: RLlibSettings, folder: Path, resume: bool = False) -> None:
        self.settings, self.folder = settings, folder
        self._learning = learning_of(settings)
        self.done = self.steps = 0  # updates and decisions
        self._each = settings.steps_an_update  # how many decisions the next update will have, as far as can be told
        start = checkpoints.latest(folder, self._learning.version) if resume else None
        if start is not None:
            self.done, self.steps = start.updates, start.steps
        torch.set_num_threads(settings.run.threads)
        self.algorithm = _build(make_config(settings, self.done))
        self._playing = settings.workers.env_runners  # how many env runners there were in the last update
        with contextlib.suppress(OSError):  # a folder in ~/ray_results, which stays empty: the run has its own
            Path(self.algorithm.logdir).rmdir()
        if start is not None:
            checkpoints.restore(self.algorithm, start.path)
            self._share_weights()
        elif settings.network.start_from:
            self._start_from(settings.network.start_from)

    @property
    def goal(self) -> int:
        """How many updates it makes: whole games have more decisions or fewer, so it is known at the end."""
        return self.done + max(0, -(-(self.settings.run.steps - self.steps) // self._each))

    def _start_from(self, path: str) -> None:
        module = self.module()
        self._learning.fill(module, path)
        self._learners().set_weights({SHARED: module.get_state()})
        self._share_weights()

    def _share_weights(self) -> None:
        """Give all env runners the learner's weights, and wait until they have them; RLlib itself does not wait."""
        state = {COMPONENT_RL_MODULE: ray.put(self._learners().get_weights())}
        self._tell_runners(lambda runner: runner.set_state(state))

    def _learners(self) -> LearnerGroup:
        group = self.algorithm.learner_group
        assert group is not None  # it is there since the algorithm was built
        return group

    def _tell_runners(self, tell: Callable[[SharedRunner], None]) -> None:
        """Let something be done to every env runner, and wait until it is."""
        group = self.algorithm.env_runner_group
        assert group is not None
        group.foreach_env_runner(cast(Callable[[EnvRunner], None], tell))  # all of them are of our kind

    def updates(self) -> Iterator[Update]:
        """Make one update after the other; between two of them, the run can be saved and left."""
        while self.done < self.goal:
            yield self._update()

    def _update(self) -> Update:
        passed = min(1.0, self.steps / self.settings.run.steps)
        with _saying_what_was_lost():
            self._tell_runners(lambda runner: runner.pay(passed))
            began = time.perf_counter()
            result = self.algorithm.train()
            seconds = time.perf_counter() - began
        if NUM_ENV_STEPS_SAMPLED not in result.get(ENV_RUNNER_RESULTS, {}):
            raise ClusterError(f"no env runner is left: {_GO_ON}")
        if SHARED not in result.get(LEARNER_RESULTS, {}):
            raise ClusterError(f"a process that learns was lost: {_GO_ON}")
        self.done += 1
        self._each = int(result[ENV_RUNNER_RESULTS][NUM_ENV_STEPS_SAMPLED])
        self.steps += self._each
        return self._report(result, seconds)

    def _report(self, result: dict[str, Any], seconds: float) -> Update:
        played, learned = result[ENV_RUNNER_RESULTS], result[LEARNER_RESULTS][SHARED]
        games, seats = int(played[GAMES]), int(played[SEATS])
        means = {part: float(played[part]) / seats for part in PARTS} if games else {}
        share = float(played[ENVIRONMENT_SECONDS]) / max(1, self.settings.workers.env_runners) / seconds
        learning = {name: float(learned[name]) for name in LOGGED}
        return Update(self.done, self.steps, self._each, seconds, share, games, means, {}, learning, self._note())

    def _note(self) -> str:
        """A sentence if there are fewer env runners than in the update before, or more."""
        group, wanted = self.algorithm.env_runner_group, self.settings.workers.env_runners
        assert group is not None
        before, self._playing = self._playing, group.num_healthy_remote_env_runners()
        if not wanted or self._playing == before:
            return ""
        if self._playing > before:
            return f"Update {self.done}: {self._playing} of {wanted} env runners play again."
        return (
            f"Update {self.done}: {before - self._playing} of {wanted} env runners were lost, perhaps with their node. "
            f"The run goes on with {self._playing}, and takes the others back once there are processors for them."
        )

    def module(self) -> TorchRLModule:
        """The network as it is now."""
        module = self._learning.spec().build()
        assert isinstance(module, TorchRLModule)  # as the specification says
        module.set_state(self._learners().get_weights()[SHARED])
        return module

    def save(self) -> None:
        """Write a checkpoint; the one before goes when it is complete."""
        with _saying_what_was_lost():
            checkpoints.save(self.algorithm, self.folder, self.done, self.steps, self._learning.version)

    def export(self, path: Path) -> None:
        """Write the policy as it is now as a policy file."""
        about = {"settings": self.settings.model_dump(mode="json"), "steps": self.steps}
        policy_file.save(self._learning.network(self.module(), about), path)

    def stop(self) -> None:
        """End all processes."""
        self.algorithm.stop()


@contextlib.contextmanager
def _saying_what_was_lost() -> Iterator[None]:
    """Turn what Ray raises when somebody does not answer any more into what can be done about it."""
    try:
        yield
    except (RayError, OSError, IndexError) as error:  # RLlib looks for the first answer, and there may be none
        lost = "a process that learns, or the head of the cluster, was lost"
        raise ClusterError(f"{lost}: {_GO_ON} ({_first_line(error)})") from error


def _build(config: PPOConfig) -> Algorithm:
    """The algorithm with all its processes."""
    try:
        return config.build_algo()
    except (RayError, IndexError) as error:  # RLlib asks the first of its env runners, and there may be none
        raise ClusterError(
            "the processes that play or learn could not be started on the cluster: all nodes need the same versions of "
            f"Python, Ray and ttr-env, and the same token or none ({_first_line(error)})"
        ) from error


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:300]


def make_config(settings: RLlibSettings, updates_before: int = 0) -> PPOConfig:
    """A run as RLlib wants to be told."""
    ppo, workers, learning = settings.ppo, settings.workers, learning_of(settings)
    spec = learning.spec()
    config = PPOConfig(PatientPPO).environment(
        observation_space=spec.observation_space,
        action_space=spec.action_space,
        env_config={"settings": settings, "updates_before": updates_before},
    )
    config.multi_agent(policies={SHARED}, policy_mapping_fn=lambda agent, episode, **_: SHARED)
    config.rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={SHARED: spec}))
    config.env_runners(
        env_runner_cls=learning.runner,
        num_env_runners=workers.env_runners,
        num_cpus_per_env_runner=workers.cpus_per_env_runner,  # type: ignore[arg-type]  # Ray shares out parts, too
        num_envs_per_env_runner=ppo.games,
        rollout_fragment_length="auto",
        merge_env_runner_states=False,
        sample_timeout_s=PATIENCE,
    )
    config.learners(
        num_learners=workers.learners,
        num_gpus_per_learner=workers.gpus_per_learner,
        add_default_connectors_to_learner_pipeline=False,
    )
    config.training(
        learner_class=learning.learner,
        train_batch_size_per_learner=learning.least_steps // max(1, workers.learners),
        minibatch_size=ppo.batch_size,
        num_epochs=ppo.n_epochs,
        shuffle_batch_per_epoch=True,
        lr=_schedule(ppo.learning_rate, settings.run.steps),
        gamma=ppo.gamma,
        lambda_=ppo.gae_lambda,
        clip_param=ppo.clip_range,
        entropy_coeff=_schedule(ppo.ent_coef, settings.run.steps),  # type: ignore[arg-type]  # or a schedule, it says
        vf_loss_coeff=ppo.vf_coef,
        grad_clip=ppo.max_grad_norm,
        grad_clip_by="global_norm",
        use_kl_loss=False,
    )
    config.framework(torch_skip_nan_gradients=True)  # which spares RLlib looking at all gradients twice
    return config.debugging(seed=settings.run.seed, log_level="ERROR")


def _schedule(ends: tuple[float, float], steps: int) -> list[list[float]]:
    """A straight line from the first value to the second, over all decisions of a run."""
    return [[0, ends[0]], [steps, ends[1]]]
