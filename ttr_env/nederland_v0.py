"""Nederland as PettingZoo names its environments.

>>> from ttr_env import nederland_v0
>>> env = nederland_v0.env(players=3)
>>> env.reset(seed=1)
>>> env.agent_selection
'player_0'
"""

from ttr_env.envs.aec import env, raw_env

__all__ = ["env", "raw_env"]
