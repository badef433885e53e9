# %% [markdown]
# # Tianshou
#
# Its `PettingZooEnv` takes the PettingZoo environment as it is, and finds the mask in the observation. Every player is
# an algorithm of its own: here DQN against a random one. It needs `pip install tianshou`.

# %%
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

import ttr_env


def table() -> PettingZooEnv:
    """A game that raises an error if a mask is not obeyed."""
    return PettingZooEnv(ttr_env.raw_env(players=2, reward="dense"))


# %% [markdown]
# A learner and somebody to play with.

# %%
env = table()
seen = env.observation_space["observation"]
net = Net(state_shape=seen.shape[0], action_shape=int(env.action_space.n), hidden_sizes=[64])
policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space, observation_space=seen, eps_training=0.2)
learner = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3))
other = MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space)
both = MultiAgentOffPolicyAlgorithm(algorithms=[learner, other], env=env)

# %% [markdown]
# Four tables are played at, and what happened there is learned from. Rewards have an entry for each player, also at the
# end of a game: the loser sees the loss.

# %%
collector = Collector(both, DummyVectorEnv([table] * 4), VectorReplayBuffer(4000, 4), exploration_noise=True)
collector.reset()
for _ in range(2):
    collected = collector.collect(n_step=400)
    with policy_within_training_step(both.policy):
        print(both.update(collector.buffer, sample_size=64).get_loss_stats_dict())

# %% [markdown]
# For one learner against opponents in compiled code, give Tianshou the single-agent environment:
# `gymnasium.make("ttr_env/Nederland-v0", opponents="greedy")`.
