# %% [markdown]
# # CleanRL style
#
# PPO in one file over Gymnasium's vector environment, as CleanRL writes it. Three places differ for a game with masks:
# the masks are kept with the observations, illegal actions get no probability, and learning uses the same masks.

# %%
import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import ttr_env

NUM_ENVS, NUM_STEPS, NUM_UPDATES, MINIBATCHES = 64, 32, 5, 4
GAMMA, LAMBDA, CLIP, RATE = 0.99, 0.95, 0.2, 1e-3
torch.manual_seed(1)
envs = gymnasium.make_vec("ttr_env/Mini-v0", num_envs=NUM_ENVS, opponents="random", features="planning", reward="dense")
size, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)

# %% [markdown]
# The agent: where the mask is 0, minus a very large number takes the place of the logit.


# %%
class Agent(nn.Module):
    """A policy and a value, each a network of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.critic = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, 1))
        self.actor = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, actions))

    def get_action_and_value(self, x, mask, action=None):
        """An action with its log-probability, the entropy and the value."""
        probs = Categorical(logits=self.actor(x).masked_fill(~mask, -1e8))
        action = probs.sample() if action is None else action
        return action, probs.log_prob(action), probs.entropy(), self.critic(x).squeeze(-1)


agent = Agent()
optimizer = torch.optim.Adam(agent.parameters(), lr=RATE)

# %% [markdown]
# Storage for a rollout, masks included.

# %%
shape = (NUM_STEPS, NUM_ENVS)
obs, masks = torch.zeros(*shape, size), torch.zeros(*shape, actions, dtype=torch.bool)
taken = torch.zeros(shape, dtype=torch.long)
logprobs, rewards, dones, values, advantages = (torch.zeros(shape) for _ in range(5))

# %% [markdown]
# Rollouts and updates. An episode that ends is followed by the next in the same step, so that no step is lost; what its
# game came to is in `final_info`.

# %%
next_obs, infos = envs.reset(seed=1)
next_done = np.zeros(NUM_ENVS, dtype=bool)
for update in range(NUM_UPDATES):
    totals: list[float] = []
    for step in range(NUM_STEPS):
        obs[step], masks[step] = torch.as_tensor(next_obs), torch.as_tensor(infos["action_mask"]).bool()
        dones[step] = torch.as_tensor(next_done)
        with torch.no_grad():
            taken[step], logprobs[step], _, values[step] = agent.get_action_and_value(obs[step], masks[step])
        next_obs, reward, terminated, truncated, infos = envs.step(taken[step].numpy())
        rewards[step], next_done = torch.as_tensor(reward), terminated | truncated
        if next_done.any():
            totals += infos["final_info"]["total"][next_done].tolist()

    with torch.no_grad():
        next_value, lastgaelam = agent.critic(torch.as_tensor(next_obs)).squeeze(-1), torch.zeros(NUM_ENVS)
        nextnonterminal = 1.0 - torch.as_tensor(next_done, dtype=torch.float32)
        for t in reversed(range(NUM_STEPS)):
            delta = rewards[t] + GAMMA * next_value * nextnonterminal - values[t]
            advantages[t] = lastgaelam = delta + GAMMA * LAMBDA * nextnonterminal * lastgaelam
            next_value, nextnonterminal = values[t], 1.0 - dones[t]

    flat = [each.flatten(0, 1) for each in (obs, masks, taken, logprobs, advantages, advantages + values)]
    for chosen in torch.randperm(NUM_STEPS * NUM_ENVS).chunk(MINIBATCHES):
        b_obs, b_masks, b_taken, b_logprobs, gain, returns = (each[chosen] for each in flat)
        _, newlogprob, entropy, newvalue = agent.get_action_and_value(b_obs, b_masks, b_taken)
        ratio = (newlogprob - b_logprobs).exp()
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        policy_loss = torch.max(-gain * ratio, -gain * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
        loss = policy_loss + 0.5 * (newvalue - returns).square().mean() - 0.01 * entropy.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if totals:
        print(f"update {update + 1}: {len(totals)} games ended, mean total {np.mean(totals):.1f}")

# %% [markdown]
# Next: more updates, and `"ttr_env/Nederland-v0"`. Every seat can learn from one network over `Batch`:
# `training/examples/ppo_over_batch.py` is such a program in one file, with the returns of each seat kept apart.
