"""The env runner: many games in one process, played by one pass of the network for all of them."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import ray
import torch
from ray.rllib.core import COMPONENT_RL_MODULE
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModule
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.utils.checkpoints import Checkpointable
from ray.rllib.utils.metrics import NUM_ENV_STEPS_SAMPLED, NUM_ENV_STEPS_SAMPLED_LIFETIME, WEIGHTS_SEQ_NO

from ttr_env import Batch
from ttr_env.agents.inputs import Sight
from ttr_env.engine.scoring import PARTS, RANK, SCORES
from ttr_env.learning.rllib.module import MaskedModule
from ttr_env.learning.rllib.rollout import SHARED, Rollout
from ttr_env.learning.rllib.settings import RLlibSettings
from ttr_env.learning.torch_parts import draw

ENVIRONMENT_SECONDS, GAMES = "environment_seconds", "games"  # metrics, beside RLlib's own and the parts of the score


def make_sight(settings: RLlibSettings) -> Sight:
    """What the network of a run sees."""
    return Sight(settings.game.map, settings.sight.features, settings.sight.tolls_visible, settings.sight.adviser)


class BatchEnvRunner(EnvRunner, Checkpointable):
    """Plays `ppo.games` games of a `Batch` side by side; every `sample` is `ppo.n_steps` decisions in each.

    RLlib's own multi-agent env runner steps its games one by one in Python and passes every decision through a pipeline
    of connectors. Here the engine steps all games, and episodes are put together once, when a rollout is complete.
    Players learn from what they get: `reward.points` for each 100 points, `reward.win` for a win, its negative for a
    loss.
    """

    env: Batch | None  # type: ignore[assignment]  # in RLlib's own class it is None and nothing else
    module: MultiRLModule

    def __init__(self, *, config: Any, **kwargs: Any) -> None:
        super().__init__(config=config, **kwargs)
        self.settings: RLlibSettings = self.config.env_config["settings"]
        self.points, self.win = self.settings.reward.points[0], self.settings.reward.win[0]
        self.spaces = kwargs.get("spaces")
        self._weights_seq_no = 0
        self.make_module()
        if self.worker_index or not self.config.num_env_runners:  # the learner's process plays only if nobody else does
            torch.set_num_threads(self._threads())
            self.make_env()

    def _threads(self) -> int:
        if not self.worker_index:
            return self.settings.run.threads
        return max(1, int(self.settings.workers.cpus_per_env_runner))

    def make_env(self) -> None:
        """Deal all games; the seed depends on the run's, on which runner this is, and on where the run began."""
        game, sight, ppo = self.settings.game, self.settings.sight, self.settings.ppo
        place = (self.settings.run.seed, self.worker_index or 0, self.config.env_config["updates_before"])
        games_seed, actions_seed = np.random.SeedSequence(place).generate_state(2, np.uint32).tolist()
        torch.manual_seed(actions_seed)
        self.sight = make_sight(self.settings)
        self.env = Batch(
            game.map,
            ppo.games,
            seed=games_seed,
            **game.options,
            features=sight.features,
            tolls_visible=sight.tolls_visible,
            reward="dense",
            threads=self._threads(),
        )
        self._everyone = np.arange(ppo.games)
        self._inputs = np.zeros((ppo.games, self.sight.size), np.float32)
        self.rollout = Rollout(ppo.games, game.players, ppo.n_steps, self.sight.size, self.sight.num_actions)

    def make_module(self) -> None:
        """Build the network."""
        module = self.config.get_multi_rl_module_spec(spaces=self.get_spaces(), inference_only=True).build()
        assert isinstance(module, MultiRLModule)
        self.module = module

    def get_spaces(self) -> dict[str, Any]:
        """The spaces of the shared policy."""
        return {SHARED: (self.config.observation_space, self.config.action_space)}

    def sample(self, **kwargs: Any) -> list[SingleAgentEpisode]:
        """Play on; what each player did since the last time."""
        ppo, env = self.settings.ppo, self.env
        assert env is not None  # only who has games is asked to play
        in_environment = 0.0
        scores: list[np.ndarray] = [np.zeros((0, len(SCORES)), np.int64)]  # of the players of finished games
        for _ in range(ppo.n_steps):
            actions = self._decide(env)
            began = time.perf_counter()
            env.step(actions)
            in_environment += time.perf_counter() - began
            self._reward(env)
            scores.append(env.scores[env.done].reshape(-1, len(SCORES)))
        self._log(ppo.n_steps * len(env), in_environment, np.concatenate(scores))
        return self.rollout.take(ppo.gamma, ppo.gae_lambda)

    def _decide(self, env: Batch) -> np.ndarray:
        """An action for every game, drawn by the network's probabilities."""
        inputs = self._inputs
        inputs[:, : env.observation_size] = env.observations
        self.sight.add_advice(env, self._everyone, inputs)
        network = self.module[SHARED]
        assert isinstance(network, MaskedModule)  # as the configuration says
        with torch.inference_mode():
            log_probs, values = network.evaluate(torch.from_numpy(inputs), torch.from_numpy(env.masks))
            drawn = draw(log_probs)
            chosen = log_probs.gather(1, drawn.unsqueeze(1)).squeeze(1)
        actions = drawn.numpy()
        self.rollout.decide(env.movers, env.episodes, inputs, env.masks, actions, chosen.numpy(), values.numpy())
        return actions

    def _reward(self, env: Batch) -> None:
        """Tell the rollout what the players got from their last decisions."""
        over = env.done & ~env.truncated
        rewards = self.points * env.rewards
        rewards[over] += np.where(env.scores[over, :, RANK] == 1, self.win, -self.win)
        self.rollout.reward(rewards, over, env.truncated)

    def _log(self, decisions: int, in_environment: float, scores: np.ndarray) -> None:
        sums = dict(zip(PARTS, scores[:, : len(PARTS)].sum(axis=0).tolist(), strict=True))
        counts = {NUM_ENV_STEPS_SAMPLED: decisions, GAMES: len(scores) // self.settings.game.players, **sums}
        for name, value in {**counts, ENVIRONMENT_SECONDS: in_environment}.items():
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
