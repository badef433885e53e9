"""Advantages in games where the players' decisions take turns in one row."""

from __future__ import annotations

from typing import Any

import torch
from tensordict import TensorDictBase
from tensordict.nn import TensorDictModuleBase


class SeatGAE(TensorDictModuleBase):
    """Generalised advantage estimation for each seat by itself, over what a collector brings from a `BatchEnv`.

    A decision is followed by decisions of others, and the next observation is somebody else's. So a decision's next
    value is that of the same seat's next decision, and its reward all that the seat gets until then, whoever's step
    brings it. `gamma` and `lmbda` count a seat's own decisions.

    It reads `mover`, ("next", "reward"), ("next", "done") and ("next", "terminated") of steps [rows, time], has the
    critic write `state_value`, and writes `advantage` and `value_target` float32 [rows, time, 1], and `known` bool
    [rows, time]: whether the steps tell what came of a decision. They do not where a seat does not decide again before
    they end or a game is cut off, unless it is to move there. Learn from the others: `steps[steps["known"]]`.
    """

    def __init__(self, critic: Any, gamma: float = 0.99, lmbda: float = 0.95) -> None:
        """Choose the critic, a module that writes `state_value` from what the player to move sees."""
        super().__init__()
        self.in_keys = [*critic.in_keys, "mover", ("next", "reward"), ("next", "done"), ("next", "terminated")]
        self.out_keys = ["state_value", "advantage", "value_target", "known"]
        self.critic, self.gamma, self.lmbda = critic, gamma, lmbda

    @torch.no_grad()
    def forward(self, tensordict: TensorDictBase) -> TensorDictBase:
        """Write the advantages."""
        self.critic(tensordict)
        values = tensordict["state_value"].squeeze(-1)
        advantages, known = self._look_back(tensordict, values, self._next_values(tensordict))
        tensordict["advantage"] = advantages.unsqueeze(-1)
        tensordict["value_target"] = (advantages + values).unsqueeze(-1)
        tensordict["known"] = known
        return tensordict

    def _next_values(self, steps: TensorDictBase) -> torch.Tensor:
        """The values of what comes next [rows, time], where the steps end or a game is cut off; else they are 0."""
        after = steps["next"]
        open_ends = (after["done"] & ~after["terminated"]).squeeze(-1)
        open_ends[:, -1] = ~after["terminated"][:, -1, 0]
        values = torch.zeros(steps.shape)
        if open_ends.any():
            values[open_ends] = self.critic(after[open_ends].select(*self.critic.in_keys))["state_value"].squeeze(-1)
        return values

    def _look_back(
        self, steps: TensorDictBase, values: torch.Tensor, next_values: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The advantages, and which of them are known, from the last step to the first."""
        rewards, done, terminated = (steps["next", name] for name in ("reward", "done", "terminated"))
        movers, next_movers = steps["mover"], steps["next", "mover"]
        rows, time, seats = rewards.shape
        advantages, known = torch.zeros(rows, time), torch.zeros(rows, time, dtype=torch.bool)
        # For each seat, seen from the step at hand: what it gets until it decides again, the value and the advantage
        # of that decision, and whether these are known.
        gains, later_value, later_advantage = (torch.zeros(rows, seats) for _ in range(3))
        told = torch.zeros(rows, seats, dtype=torch.bool)
        for step in reversed(range(time)):
            ends = done[:, step] if step < time - 1 else torch.ones_like(done[:, step])
            for array in (gains, later_value, later_advantage):
                array.masked_fill_(ends, 0.0)
            told = torch.where(ends, terminated[:, step], told)
            waits = ends & ~terminated[:, step]  # for the player who would be next
            later_value.scatter_add_(1, next_movers[:, step], torch.where(waits, next_values[:, step, None], 0.0))
            told.scatter_(1, next_movers[:, step], told.gather(1, next_movers[:, step]) | waits)
            gains += rewards[:, step]
            mover = movers[:, step]
            gained, value, advantage = (each.gather(1, mover) for each in (gains, later_value, later_advantage))
            surprise = gained + self.gamma * value - values[:, step, None]
            advantages[:, step] = (surprise + self.gamma * self.lmbda * advantage).squeeze(1)
            known[:, step] = told.gather(1, mover).squeeze(1)
            gains.scatter_(1, mover, 0.0)
            later_value.scatter_(1, mover, values[:, step, None])
            later_advantage.scatter_(1, mover, torch.where(known[:, step, None], advantages[:, step, None], 0.0))
            told.scatter_(1, mover, True)
        return advantages, known
