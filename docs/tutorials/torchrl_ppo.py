# %% [markdown]
# # TorchRL
#
# A thousand games as one of TorchRL's environments, masks where it looks for them, and its own PPO for all seats.
# It needs `pip install torchrl`.

# %%
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss

from ttr_env.torchrl import BatchEnv, SeatGAE

torch.manual_seed(0)

# %% [markdown]
# Every row is a game that waits for the decision of its player to move. `ActionMask` keeps TorchRL's random policy to
# what is legal.

# %%
random_play = TransformedEnv(BatchEnv("nederland", games=64, players=3, seed=0), ActionMask())
steps = random_play.rollout(50)
print(steps["observation"].shape, steps["next", "reward"].shape)

# %% [markdown]
# An actor whose distribution knows the mask, and a critic.

# %%
env = BatchEnv("nederland", games=64, players=2, reward="dense", features="planning", seed=0)
seen, actions = env.batch.observation_size, env.batch.num_actions
scores = nn.Sequential(nn.Linear(seen, 128), nn.Tanh(), nn.Linear(128, actions))
actor = ProbabilisticActor(
    TensorDictModule(scores, in_keys=["observation"], out_keys=["logits"]),
    in_keys={"logits": "logits", "mask": "action_mask"},
    distribution_class=MaskedCategorical,
    spec=env.action_spec,
    return_log_prob=True,
)
critic = ValueOperator(nn.Sequential(nn.Linear(seen, 128), nn.Tanh(), nn.Linear(128, 1)), in_keys=["observation"])

# %% [markdown]
# In a row the decisions of all players follow each other, so the observation after a step is usually somebody else's.
# `SeatGAE` takes the value of the same seat's next decision, and marks what the steps cannot tell (`known`).

# %%
advantages, loss = SeatGAE(critic, gamma=0.995, lmbda=0.95), ClipPPOLoss(actor, critic)
optimiser = torch.optim.Adam(loss.parameters(), 3e-4)
for steps in Collector(env, actor, frames_per_batch=64 * 64, total_frames=2 * 64 * 64):
    advantages(steps)
    learned = steps[steps["known"]]
    for chosen in torch.randperm(len(learned)).split(1024):
        told = loss(learned[chosen])
        optimiser.zero_grad()
        (told["loss_objective"] + told["loss_critic"] + told["loss_entropy"]).backward()
        optimiser.step()
    print(len(learned), "decisions learned from")

# %% [markdown]
# With `bots=[None, "greedy"]` and one seat to learn the same lines do: that seat is always the mover.
