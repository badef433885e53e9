"""The names under which Gymnasium and PettingZoo find the environments.

Importing `ttr_env` registers them. Gymnasium imports it by itself where the name begins with the package:

>>> import gymnasium
>>> env = gymnasium.make("ttr_env:ttr_env/Nederland-v0", players=3)
"""

from __future__ import annotations

import gymnasium
import pettingzoo

IDS = {  # id: map
    "ttr_env/Mini-v0": "mini",
    "ttr_env/Nederland-v0": "nederland",
    "ttr_env/Nordic-v0": "nordic",
    "ttr_env/USA-v0": "usa",
}
PETTINGZOO_IDS = {  # id: module
    "ttr_env/mini-v0": "ttr_env.mini_v0",
    "ttr_env/nederland-v0": "ttr_env.nederland_v0",
    "ttr_env/nordic-v0": "ttr_env.nordic_v0",
    "ttr_env/usa-v0": "ttr_env.usa_v0",
}


def register() -> None:
    """Enter all environments into the registries, once."""
    for name, board in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="ttr_env.envs.single:SingleAgentEnv",
                vector_entry_point="ttr_env.envs.vector:GameVectorEnv",
                kwargs={"map": board},
            )
    if not hasattr(pettingzoo, "aec_registry"):  # PettingZoo has one from 1.27 on
        return
    for name, module in PETTINGZOO_IDS.items():
        if name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, f"{module}:env")
        if name not in pettingzoo.parallel_registry:
            pettingzoo.register("parallel", name, f"{module}:parallel_env")
