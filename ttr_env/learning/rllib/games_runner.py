"""The env runner of whole games: the network plays every seat in compiled code, and all of it is recorded."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import torch

from ttr_env.learning.rllib.recorded import Recorded, record
from ttr_env.learning.rllib.rollout import SHARED
from ttr_env.learning.rllib.scoring_module import ScoringModule
from ttr_env.learning.rllib.shared_runner import SharedRunner
from ttr_env.learning.selfplay import Player, Reward, make_jobs, seat_learner


class GamesEnvRunner(SharedRunner):
    """Plays `ppo.games` whole games for every `sample`, at the tables of `game.mix`, each as often as the others.

    The network is copied into compiled code, which plays on all threads of this process. Players are rewarded at the
    end of a game.
    """

    env: Player | None

    def pay(self, passed: float) -> None:
        """Pay so much for each part of what the end of a game is worth."""
        self.reward = Reward.at(self.settings.reward, passed)

    def make_env(self) -> None:
        """Make room for games; they are dealt when they are played."""
        self.env = Player(self.settings.game.variants, self.threads)
        self._rng = np.random.default_rng(self.seeds)

    def sample(self, **kwargs: Any) -> list[Recorded]:
        """Play; what all players did, as one piece."""
        player, network, ppo = self.env, self.module[SHARED], self.settings.ppo
        assert player is not None and isinstance(network, ScoringModule)  # only who has games is asked to play
        jobs = make_jobs(ppo.games, self.settings.game.variants, self._rng)
        seat_learner(jobs)
        began = time.perf_counter()
        player.pool[0] = network.scorer.compiled(temperature=1.0)[0]
        played = player.play(jobs)
        seconds = time.perf_counter() - began
        self.log(len(played), seconds, len(jobs), jobs["scores"][jobs["learns"] != 0])
        with torch.inference_mode():
            values = network.critic(torch.from_numpy(played.states), torch.from_numpy(played.hidden)).numpy()
        return [record(played, values, self.reward.of(jobs), (ppo.gamma, ppo.gae_lambda))]
