"""RLlib's own check of multi-agent environments, on our adapter."""

import numpy as np
import pytest
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

from ttr_env.learning.rllib.env import RLlibEnv


@pytest.mark.parametrize("players", [2, 4])
def test_rllibs_own_check(players: int) -> None:
    check_multiagent_environments(RLlibEnv({"players": players}))


def test_the_loser_sees_the_loss() -> None:
    env = RLlibEnv({"players": 3})
    seen, _ = env.reset(seed=1)
    received = dict.fromkeys(env.possible_agents, 0.0)
    rng = np.random.default_rng(0)
    ended = False
    while not ended:
        ((mover, view),) = seen.items()
        assert view["action_mask"].dtype == np.float32
        action = int(rng.choice(np.flatnonzero(view["action_mask"])))
        seen, rewards, ends, _, infos = env.step({mover: action})
        for agent, reward in rewards.items():
            received[agent] += reward
        ended = ends["__all__"]
    assert list(seen) == env.possible_agents
    assert sorted(received.values()) == pytest.approx([-0.5, -0.5, 1.0])
    assert all("total" in infos[agent] for agent in env.possible_agents)
