"""A training run on RLlib: PPO with one policy for all seats, one update after the other."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core import COMPONENT_RL_MODULE
from ray.rllib.core.learner.learner_group import LearnerGroup
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.utils.metrics import ENV_RUNNER_RESULTS, LEARNER_RESULTS

from ttr_env.agents import policy_file
from ttr_env.engine.scoring import PARTS
from ttr_env.learning.rllib import checkpoints
from ttr_env.learning.rllib.learner import LOGGED, MaskedPPOLearner
from ttr_env.learning.rllib.module import MaskedModule, make_spec
from ttr_env.learning.rllib.rollout import SHARED
from ttr_env.learning.rllib.runner import ENVIRONMENT_SECONDS, GAMES, BatchEnvRunner, make_sight
from ttr_env.learning.rllib.settings import RLlibSettings
from ttr_env.learning.run import Update

PATIENCE = 600.0  # seconds; a rollout that takes longer is given up


class Trainer:
    """A run in a folder of its own, from the start or from its last checkpoint; Ray must be running."""

    def __init__(self, settings: RLlibSettings, folder: Path, resume: bool = False) -> None:
        self.settings, self.folder = settings, folder
        self.sight = make_sight(settings)
        self.done = self.steps = 0  # updates and decisions
        start = checkpoints.latest(folder, self.sight.version) if resume else None
        if start is not None:
            self.done, self.steps = start.updates, start.steps
        self.goal = self.done + max(0, -(-(settings.run.steps - self.steps) // settings.steps_an_update))
        torch.set_num_threads(settings.run.threads)
        self.algorithm = make_config(settings, self.done).build_algo()
        with contextlib.suppress(OSError):  # a folder in ~/ray_results, which stays empty: the run has its own
            Path(self.algorithm.logdir).rmdir()
        if start is not None:
            checkpoints.restore(self.algorithm, start.path)
            self._share_weights()
        elif settings.network.start_from:
            self._start_from(policy_file.load_network(settings.network.start_from))

    def _start_from(self, network: policy_file.Network) -> None:
        module = self.module()
        module.fill(network)
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

    def _tell_runners(self, tell: Callable[[BatchEnvRunner], None]) -> None:
        """Let something be done to every env runner, and wait until it is."""
        group = self.algorithm.env_runner_group
        assert group is not None
        group.foreach_env_runner(cast(Callable[[EnvRunner], None], tell))  # all of them are of our kind

    def updates(self) -> Iterator[Update]:
        """Make one update after the other; between two of them, the run can be saved and left."""
        while self.done < self.goal:
            yield self._update()

    def _update(self) -> Update:
        self._set_rewards(self.steps / self.settings.run.steps)
        began = time.perf_counter()
        result = self.algorithm.train()
        seconds = time.perf_counter() - began
        self.done += 1
        self.steps += self.settings.steps_an_update
        return self._report(result, seconds)

    def _set_rewards(self, passed: float) -> None:
        """Tell all env runners what rewards are worth after this part of the run."""
        ends = self.settings.reward
        points, win = (first + passed * (last - first) for first, last in (ends.points, ends.win))

        def tell(runner: BatchEnvRunner) -> None:
            runner.points, runner.win = points, win

        self._tell_runners(tell)

    def _report(self, result: dict[str, Any], seconds: float) -> Update:
        played, learned = result[ENV_RUNNER_RESULTS], result[LEARNER_RESULTS][SHARED]
        games = int(played[GAMES])
        seats = games * self.settings.game.players
        means = {part: float(played[part]) / seats for part in PARTS} if games else {}
        share = float(played[ENVIRONMENT_SECONDS]) / max(1, self.settings.workers.env_runners) / seconds
        learning = {name: float(learned[name]) for name in LOGGED}
        new = self.settings.steps_an_update
        return Update(self.done, self.steps, new, seconds, share, games, means, {}, learning)

    def module(self) -> MaskedModule:
        """The network as it is now."""
        module = make_spec(self.settings, self.sight).build()
        assert isinstance(module, MaskedModule)  # as the specification says
        module.set_state(self._learners().get_weights()[SHARED])
        return module

    def save(self) -> None:
        """Write a checkpoint; the one before goes when it is complete."""
        checkpoints.save(self.algorithm, self.folder, self.done, self.steps, self.sight.version)

    def export(self, path: Path) -> None:
        """Write the policy as it is now as a policy file."""
        about = {"settings": self.settings.model_dump(mode="json"), "steps": self.steps}
        policy_file.save(self.module().network(self.sight, about), path)

    def stop(self) -> None:
        """End all processes."""
        self.algorithm.stop()


def make_config(settings: RLlibSettings, updates_before: int = 0) -> PPOConfig:
    """A run as RLlib wants to be told."""
    ppo, workers, spec = settings.ppo, settings.workers, make_spec(settings, make_sight(settings))
    config = PPOConfig().environment(
        observation_space=spec.observation_space,
        action_space=spec.action_space,
        env_config={"settings": settings, "updates_before": updates_before},
    )
    config.multi_agent(policies={SHARED}, policy_mapping_fn=lambda agent, episode, **_: SHARED)
    config.rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={SHARED: spec}))
    config.env_runners(
        env_runner_cls=BatchEnvRunner,
        num_env_runners=workers.env_runners,
        num_cpus_per_env_runner=workers.cpus_per_env_runner,  # type: ignore[arg-type]  # Ray shares out parts, too
        num_envs_per_env_runner=ppo.games,
        rollout_fragment_length=ppo.n_steps,
        merge_env_runner_states=False,
        sample_timeout_s=PATIENCE,
    )
    config.learners(
        num_learners=workers.learners,
        num_gpus_per_learner=workers.gpus_per_learner,
        add_default_connectors_to_learner_pipeline=False,
    )
    config.training(
        learner_class=MaskedPPOLearner,
        train_batch_size_per_learner=settings.steps_an_update // max(1, workers.learners),
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
