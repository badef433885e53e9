"""Advantages by seat, against a plain way to work them out, and a step of TorchRL's PPO with them."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss

from ttr_env.torchrl import BatchEnv, SeatGAE

GAMMA, LAMBDA = 0.9, 0.8


@pytest.fixture(autouse=True)
def one_thread_and_one_seed() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)


def critic(env: BatchEnv) -> ValueOperator:
    return ValueOperator(nn.Linear(env.batch.observation_size, 1), in_keys=["observation"])


def plainly(row: TensorDict, values: Any, last_value: Callable[[Any], float]) -> list[float | None]:
    """The advantages of one row's decisions by their definition, None where they cannot be told."""
    done, terminated = row["next", "done"][:, 0].tolist(), row["next", "terminated"][:, 0].tolist()
    movers, rewards = row["mover"][:, 0].tolist(), row["next", "reward"]
    found: list[float | None] = [None] * len(movers)
    for time in reversed(range(len(movers))):
        seat, gained, step = movers[time], 0.0, time
        while True:
            gained += float(rewards[step, seat])
            if terminated[step]:
                found[time] = gained - values[time]
                break
            if done[step] or step == len(movers) - 1:
                if int(row["next", "mover"][step, 0]) == seat:
                    found[time] = gained + GAMMA * last_value(row["next"][step]) - values[time]
                break
            step += 1
            if movers[step] == seat:
                later = found[step] or 0.0
                found[time] = gained + GAMMA * values[step] - values[time] + GAMMA * LAMBDA * later
                break
    return found


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 4}, {"players": 3, "max_decisions": 13}], ids=str)
def test_advantages_are_those_of_each_seat(options: dict[str, Any]) -> None:
    env = BatchEnv(games=6, reward="dense", **options)
    valued = critic(env)
    env.rollout(100, env.sample, break_when_any_done=False)
    steps = SeatGAE(valued, GAMMA, LAMBDA)(env.rollout(200, env.sample, break_when_any_done=False))
    for row in steps:
        values = row["state_value"][:, 0].tolist()
        expected = plainly(row, values, lambda after: valued.module(after["observation"]).item())
        assert [each is not None for each in expected] == row["known"].tolist()
        known = torch.tensor([each for each in expected if each is not None])
        assert torch.allclose(row["advantage"][row["known"]][:, 0], known, atol=1e-4)
    assert torch.allclose(steps["value_target"], steps["advantage"] + steps["state_value"])
    assert steps["known"].float().mean() > 0.5 and not steps["known"].all()


def test_the_loser_sees_the_loss() -> None:
    env = BatchEnv(games=16, players=2, reward="win")
    nothing = ValueOperator(nn.Linear(env.batch.observation_size, 1), in_keys=["observation"])
    nn.init.zeros_(nothing.module.weight), nn.init.zeros_(nothing.module.bias)
    steps = SeatGAE(nothing, gamma=1.0, lmbda=1.0)(env.rollout(600, env.sample, break_when_any_done=False))
    decided = 0
    for row in steps:
        [*ends] = row["next", "terminated"][:, 0].nonzero()[:, 0].tolist()
        game = row[: ends[0] + 1]
        results = game["next", "reward"][-1]
        assert game["known"].all()
        assert torch.equal(game["advantage"], results[game["mover"][:, 0]].unsqueeze(-1))
        decided += int(results[0] != results[1])
    assert decided > 8


def test_a_step_of_its_ppo() -> None:
    env = BatchEnv(games=32, players=3, reward="dense")
    scores = nn.Sequential(nn.Linear(env.batch.observation_size, 32), nn.Tanh(), nn.Linear(32, env.batch.num_actions))
    actor = ProbabilisticActor(
        TensorDictModule(scores, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        spec=env.action_spec,
        return_log_prob=True,
    )
    valued = critic(env)
    loss, advantages = ClipPPOLoss(actor, valued), SeatGAE(valued)
    optimiser = torch.optim.Adam(loss.parameters(), 1e-3)
    collector = Collector(env, actor, frames_per_batch=32 * 32, total_frames=32 * 64)
    before = [each.detach().clone() for each in loss.parameters()]
    for steps in collector:
        assert steps["action_mask"].gather(-1, steps["action"].unsqueeze(-1)).all()
        advantages(steps)
        learned = steps[steps["known"]]
        assert len(learned) > 32 * 20
        told = loss(learned)
        total = told["loss_objective"] + told["loss_critic"] + told["loss_entropy"]
        assert torch.isfinite(total)
        optimiser.zero_grad()
        total.backward()
        optimiser.step()
    collector.shutdown()
    assert all(not torch.equal(*pair) for pair in zip(before, loss.parameters(), strict=True))
