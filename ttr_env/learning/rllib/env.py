"""The game as a `MultiAgentEnv` of RLlib: key `observations`, a float mask, agents in seat order."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from ttr_env import IllegalAction
from ttr_env.envs.aec import raw_env
from ttr_env.errors import IllegalActionType


class RLlibEnv(MultiAgentEnv):
    """One game for RLlib: at every step the player to move gets an observation, and acts.

    The configuration takes the options of `ttr_env.raw_env`. With `features="actions"` there is a dictionary under
    `observations`, which `ScoringModule` reads. Rewards of players who are not to move are handed out as they arise,
    and the loser sees the loss. An illegal action loses the game and ends the episode.
    """

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        super().__init__()
        self._env = raw_env(**dict(config or {}))
        actions = self._env.action_space("player_0")
        space = gymnasium.spaces.Dict(
            {
                "observations": self._env.observation_space("player_0")["observation"],
                "action_mask": gymnasium.spaces.Box(0, 1, (int(actions.n),), np.float32),
            }
        )
        self.possible_agents = self.agents = [*self._env.possible_agents]
        self.observation_spaces = dict.fromkeys(self.agents, space)
        self.action_spaces = dict.fromkeys(self.agents, actions)

    # RLlib's multi-agent environments answer otherwise than those of Gymnasium, from which it derives them.
    def reset(  # type: ignore[override]
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal a new game, or begin in the position of `options["snapshot"]`."""
        self._env.reset(seed, options)
        return self._observe(self._env.agent_selection), {}

    def step(  # type: ignore[override]
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Take the action of the player to move."""
        mover = self._env.agent_selection
        try:
            self._env.step(actions[mover])
        except IllegalActionType:
            raise
        except IllegalAction:  # RLlib's own check of an environment samples without masks
            self._env.lose()
        terminated = self._env.terminations[mover]
        truncated = self._env.truncations[mover] and not terminated
        ended = terminated or truncated
        rewards = {agent: reward for agent, reward in self._env.rewards.items() if reward or ended or agent == mover}
        seen = self._observe(*(self._env.possible_agents if ended else [self._env.agent_selection]))
        infos = {agent: info for agent, info in self._env.infos.items() if agent in seen}
        ends = dict.fromkeys(seen, terminated) | {"__all__": terminated}
        cuts = dict.fromkeys(seen, truncated) | {"__all__": truncated}
        self._env.rewards = dict.fromkeys(self._env.agents, 0.0)
        return seen, rewards, ends, cuts, infos

    def close(self) -> None:
        """End the game; `reset` begins anew."""
        self._env.close()

    def _observe(self, *agents: str) -> dict[str, Any]:
        seen = {agent: self._env.observe(agent) for agent in agents}
        return {
            agent: {"observations": view["observation"], "action_mask": view["action_mask"].astype(np.float32)}
            for agent, view in seen.items()
        }
