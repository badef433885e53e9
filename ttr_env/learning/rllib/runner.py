"""The env runner: many games in one process, played by one pass of the network for all of them."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import torch
from ray.rllib.env.single_agent_episode import SingleAgentEpisode

from ttr_env import Batch
from ttr_env.agents.inputs import Sight
from ttr_env.engine.scoring import RANK, SCORES
from ttr_env.learning.rllib.module import MaskedModule
from ttr_env.learning.rllib.rollout import SHARED, Rollout
from ttr_env.learning.rllib.settings import RLlibSettings
from ttr_env.learning.rllib.shared_runner import SharedRunner
from ttr_env.learning.settings import along
from ttr_env.learning.torch_parts import draw


def make_sight(settings: RLlibSettings) -> Sight:
    """What the network of a run sees."""
    return Sight(settings.game.map, settings.sight.features, settings.sight.tolls_visible, settings.sight.adviser)


class BatchEnvRunner(SharedRunner):
    """Plays `ppo.games` games of a `Batch` side by side; every `sample` is `ppo.n_steps` decisions in each.

    RLlib's own multi-agent env runner steps its games one by one in Python and passes every decision through a pipeline
    of connectors. Here the engine steps all games, and episodes are put together once, when a rollout is complete.
    Players learn from what they get: `reward.points` for each 100 points, `reward.win` for a win, its negative for a
    loss.
    """

    env: Batch | None

    def pay(self, passed: float) -> None:
        """Pay so much for points and for a win."""
        reward = self.settings.reward
        self.points, self.win = along(reward.points, passed), along(reward.win, passed)

    def make_env(self) -> None:
        """Deal all games."""
        game, sight, ppo = self.settings.game, self.settings.sight, self.settings.ppo
        games_seed, actions_seed = self.seeds.generate_state(2, np.uint32).tolist()
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
            threads=self.threads,
        )
        self._everyone = np.arange(ppo.games)
        self._inputs = np.zeros((ppo.games, self.sight.size), np.float32)
        self.rollout = Rollout(ppo.games, game.players, ppo.n_steps, self.sight.size, self.sight.num_actions)

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
        finished = np.concatenate(scores)
        self.log(ppo.n_steps * len(env), in_environment, len(finished) // self.settings.game.players, finished)
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
