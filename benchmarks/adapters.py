"""The game through each library's own way in, one case for every library that is installed.

Two players, and random legal actions by the mask where the library has it. What is counted are the decisions that come
from outside; those of opponents, which are random bots, are made in between and not counted.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import random
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any, NamedTuple

import gymnasium
import numpy as np

import ttr_env
from ttr_env.llm import TicketToRide

from .measure import Case, timed

ID = "ttr_env/Nederland-v0"
SEED = 1
ROWS = 1024
CHANCE = random.Random(SEED)
_MOVES = "Legal moves:"

Step = Callable[[], int]  # goes one step further, and says how many decisions that were


class Adapter(NamedTuple):
    """A way in: the library that it needs, how a step is made, and how many are made for each unit of effort."""

    name: str
    library: str
    make: Callable[[], Step]
    steps: int


def adapter_cases(effort: int, only: str = "") -> Iterator[Case]:
    """The cases of what is installed, of those with `only` in their names."""
    for adapter in ADAPTERS:
        if find_spec(adapter.library) and only.lower() in adapter.name.lower():
            yield _case(adapter.name, adapter.make(), adapter.steps * effort)


def _case(name: str, step: Step, steps: int) -> Case:
    def play() -> float:
        return sum(step() for _ in range(steps))

    def run() -> tuple[float, float]:
        counted: list[float] = []
        seconds = timed(lambda: counted.append(play()))
        return counted[0], seconds

    step()
    return Case(name, "decisions", run)


def pick(mask: np.ndarray) -> int:
    """A random legal action."""
    legal = mask.nonzero()[0]
    return int(legal[int(CHANCE.random() * len(legal))])


def _own_loop() -> Step:
    batch = ttr_env.Batch("nederland", ROWS, players=2, seed=SEED)

    def step() -> int:
        batch.step(batch.sample())
        return ROWS

    return step


def _gymnasium_vector() -> Step:
    envs: Any = gymnasium.make_vec(ID, num_envs=ROWS, players=2)
    envs.reset(seed=SEED)

    def step() -> int:
        envs.step(envs.unwrapped.positions.sample())
        return ROWS

    return step


def _gymnasium_single(mask_of: Callable[[Any, Any], np.ndarray] | None = None, **options: Any) -> Step:
    """One environment; `mask_of` finds the mask, given an observation and an info."""
    look = mask_of or (lambda _, info: info["action_mask"])
    env: Any = gymnasium.make(ID, players=2, **options)
    told = env.reset(seed=SEED)
    masks = [look(*told)]

    def step() -> int:
        seen, _, terminated, truncated, info = env.step(pick(masks[0]))
        if terminated or truncated:
            seen, info = env.reset()
        masks[0] = look(seen, info)
        return 1

    return step


def _pettingzoo_aec() -> Step:
    env = ttr_env.env(players=2)
    env.reset(seed=SEED)

    def step() -> int:
        if not env.agents:
            env.reset()
        seen, _, terminated, truncated, _ = env.last()
        ended = terminated or truncated
        env.step(None if ended else pick(seen["action_mask"]))
        return 0 if ended else 1

    return step


def _pettingzoo_parallel() -> Step:
    env = ttr_env.parallel_env(players=2)
    seen = [env.reset(seed=SEED)[0]]

    def step() -> int:
        if not env.agents:
            seen[0] = env.reset()[0]
        masks = {agent: seen[0][agent]["action_mask"] for agent in env.agents}
        seen[0] = env.step({agent: pick(mask) if mask.any() else 0 for agent, mask in masks.items()})[0]
        return 1

    return step


def _cleanrl() -> Step:
    return _synchronous(gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make(ID, players=2)] * 4))


def _synchronous(envs: Any) -> Step:
    masks = [envs.reset(seed=SEED)[1]["action_mask"]]

    def step() -> int:
        masks[0] = envs.step(np.array([pick(mask) for mask in masks[0]]))[4]["action_mask"]
        return len(masks[0])

    return step


def _trl() -> Step:
    env = TicketToRide()
    asked = [env.reset(seed=SEED, opponents="random")]

    def step() -> int:
        if _MOVES not in asked[0]:
            asked[0] = env.reset(seed=CHANCE.getrandbits(32), opponents="random")
        asked[0] = env.move(_move(asked[0]))
        return 1

    return step


def _move(prompt: str) -> str:
    """A random legal move of those that a model is shown."""
    shown = prompt.rpartition(_MOVES)[2].splitlines()
    return CHANCE.choice([line[2:] for line in shown if line.startswith("- ")])


def _sb3_masked() -> Step:
    from ttr_env.learning.sb3 import LearnerVecEnv

    env = LearnerVecEnv(ROWS, {"random": 1.0}, seed=SEED, players=2)
    env.reset()

    def step() -> int:
        env.env_method("action_masks")  # as MaskablePPO asks for them
        env.step(env.games.positions.sample())
        return ROWS

    return step


def _sb3_plain() -> Step:
    from stable_baselines3.common.vec_env import DummyVecEnv

    env: Any = DummyVecEnv([lambda: gymnasium.make(ID, players=2, illegal="replace")] * 4)
    env.reset()
    actions = int(env.action_space.n)

    def step() -> int:
        env.step(np.array([CHANCE.randrange(actions) for _ in range(4)]))
        return 4

    return step


def _rllib() -> Step:
    from ttr_env.learning.rllib.env import RLlibEnv

    env = RLlibEnv({"players": 2})
    seen = [env.reset(seed=SEED)[0]]

    def step() -> int:
        [(agent, view)] = seen[0].items()
        seen[0], _, ends, cuts, _ = env.step({agent: pick(view["action_mask"])})
        if ends["__all__"] or cuts["__all__"]:
            seen[0] = env.reset()[0]
        return 1

    return step


def _rllib_single() -> Step:
    return _gymnasium_single(lambda seen, _: seen["action_mask"], mask="observation", observation_key="observations")


def _tianshou() -> Step:
    from tianshou.env import DummyVectorEnv, PettingZooEnv

    envs = DummyVectorEnv([lambda: PettingZooEnv(ttr_env.raw_env(players=2))] * 4)
    envs.seed(SEED)
    seen = [envs.reset()[0]]

    def step() -> int:
        seen[0], _, terminated, truncated, _ = envs.step(np.array([pick(np.array(each["mask"])) for each in seen[0]]))
        ended = np.flatnonzero(terminated | truncated)
        if len(ended):
            seen[0][ended] = envs.reset(ended)[0]
        return 4

    return step


def _minari() -> Step:
    """Episodes go to a temporary folder, as far as Minari writes them before a data set is made."""
    import minari

    folder = contextlib.ExitStack()
    atexit.register(folder.close)
    os.environ.setdefault("MINARI_DATASETS_PATH", folder.enter_context(tempfile.TemporaryDirectory(prefix="ttr-")))
    env: Any = minari.DataCollector(gymnasium.make(ID, players=2), record_infos=True)
    masks = [env.reset(seed=SEED)[1]["action_mask"]]

    def step() -> int:
        _, _, terminated, truncated, info = env.step(pick(masks[0]))
        if terminated or truncated:
            info = env.reset()[1]
        masks[0] = info["action_mask"]
        return 1

    return step


def _openenv() -> Step:
    from ttr_env.llm.openenv import TicketAction, TicketClient

    from .openenv import serving

    stack = contextlib.ExitStack()
    atexit.register(stack.close)
    env: Any = stack.enter_context(TicketClient(base_url=stack.enter_context(serving())).sync())
    asked = [env.reset(seed=SEED, opponents="random")]

    def step() -> int:
        if asked[0].done:
            asked[0] = env.reset(seed=CHANCE.getrandbits(32), opponents="random")
        asked[0] = env.step(TicketAction(move=_move(asked[0].observation.text)))
        return 1

    return step


ADAPTERS = (
    Adapter("your own loop: Batch of 1,024", "ttr_env", _own_loop, 2),
    Adapter("Gymnasium: vector of 1,024", "ttr_env", _gymnasium_vector, 2),
    Adapter("Gymnasium: one environment", "ttr_env", _gymnasium_single, 200),
    Adapter("PettingZoo: AEC", "ttr_env", _pettingzoo_aec, 200),
    Adapter("PettingZoo: parallel", "ttr_env", _pettingzoo_parallel, 100),
    Adapter("CleanRL's way: SyncVectorEnv of 4", "ttr_env", _cleanrl, 50),
    Adapter("TRL: TicketToRide.move", "ttr_env", _trl, 20),
    Adapter("OpenEnv: TicketClient", "openenv", _openenv, 10),
    Adapter("sb3-contrib: LearnerVecEnv of 1,024", "stable_baselines3", _sb3_masked, 2),
    Adapter("Stable-Baselines3: DummyVecEnv of 4", "stable_baselines3", _sb3_plain, 50),
    Adapter("RLlib: RLlibEnv", "ray", _rllib, 200),
    Adapter("RLlib: one policy", "ray", _rllib_single, 200),
    Adapter("Tianshou: DummyVectorEnv of 4", "tianshou", _tianshou, 50),
    Adapter("Minari: DataCollector", "minari", _minari, 20),
)
