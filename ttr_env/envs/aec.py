"""The PettingZoo environment: every player an agent, one decision a step.

`ttr_env.nederland_v0`, `nordic_v0` and `usa_v0` say what is played on each map, and what the actions are.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any, Unpack

import gymnasium
import numpy as np
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from ttr_env.engine.rewards import ILLEGAL_REWARD
from ttr_env.envs.drawing import RENDER_MODES, Drawing
from ttr_env.envs.playing import Playing
from ttr_env.envs.spaces import as_observation, observation_space
from ttr_env.errors import IllegalAction
from ttr_env.game import Game
from ttr_env.game.resetting import check_reset_options, closed, game_to_go_on_from
from ttr_env.game.turnstile import shared
from ttr_env.options import EnvOptions, MapLike, Table, TableOptions, check_seed, of_kind, refuse_unknown

_PROBE = {"options": 1}  # what PettingZoo's suites give to `reset`, to see that it takes options


class raw_env(AECEnv):  # noqa: N801 - PettingZoo's name for it
    """A game as a PettingZoo environment, without wrappers: an illegal action raises `IllegalAction`.

    An agent acts several times in a turn where the turn has several decisions. The environment is not parallelizable,
    as one player decides at a time; `parallel_env` is what PettingZoo makes of it.

    >>> env = raw_env(players=2)
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter():
    ...     observation, reward, terminated, truncated, info = env.last()
    ...     env.step(None if terminated or truncated else env.sample())
    >>> env.agents
    []
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo's name for it
        "name": "nederland_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, map: MapLike = "nederland", **options: Unpack[EnvOptions]) -> None:
        """Make a table; `reset` deals.

        Args:
            map: the name of a built-in map, the folder of your own, or a `Map`.
            options: those of every environment (`ttr_env.options.EnvOptions`).
        """
        refuse_unknown(options, ["map", *EnvOptions.__annotations__])
        super().__init__()
        self.render_mode = options.get("render_mode")
        self._playing = Playing(Table.of(map, **of_kind(options, TableOptions)))
        self._stepping = False
        self.metadata = self.metadata | {"name": f"{Path(self._playing.variant.map.name).name}_v0"}
        seats = self._playing.variant.players
        self._drawing = Drawing(self.render_mode, options.get("perspective"), seats, self.metadata["render_fps"])
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._action_space: gymnasium.spaces.Discrete = gymnasium.spaces.Discrete(self._playing.num_actions)
        self._observation_space = gymnasium.spaces.Dict(
            {
                "observation": observation_space(self._playing.variant, self._playing.sight),
                "action_mask": gymnasium.spaces.Box(0, 1, (self._playing.num_actions,), np.int8),
            }
        )
        self.state_space = gymnasium.spaces.Box(0, 1, (seats * self._playing.vector_size,), np.float32)
        self.agents: list[str] = []  # nobody before reset()
        self.closed = False
        self._seeds: np.random.Generator | None = None

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        return self._observation_space

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        return self._action_space

    @property
    def game(self) -> Game:
        """The running `Game`; stepping it from outside leaves the environment behind."""
        return self._playing.game

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game. A seed gives the deal of `Game(seed=...)`, and decides all deals that follow without one.

        `options["snapshot"]` begins the episode in that position instead (`Game.snapshot`).
        """
        chosen = {} if options is None or options == _PROBE else options
        check_reset_options(chosen)
        snapshot = chosen.get("snapshot")
        position = None if snapshot is None else game_to_go_on_from(snapshot, self._playing.variant)
        if seed is not None or self._seeds is None:
            seed = secrets.randbits(63) if seed is None else check_seed(seed)
            self._seeds = np.random.default_rng(seed)
        else:
            seed = int(self._seeds.integers(2**63))
        self._playing.start(seed, position)
        self.closed = False
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._playing.game.player]
        self._skip_agent_selection = None

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and its legal actions: none while it is not to move.

        With `features="actions"` there is nothing to be seen either while it is not to move: zeros, and -1 in `index`.
        """
        seat = self._seats[agent]
        live = agent in self.terminations and not (self.terminations[agent] or self.truncations[agent])
        mask = self._playing.mask(seat if live else -2)
        return {"observation": as_observation(self._playing.observe(seat)), "action_mask": mask}

    def state(self) -> np.ndarray:
        """The full position: every player's observation vector, one after the other.

        With `features="actions"`, which are those of the player to move alone, it is made of base features.
        """
        return np.concatenate([self._playing.observe_vector(seat) for seat in range(len(self.possible_agents))])

    def sample(self) -> int:
        """A random legal action for the agent to move; quicker than sampling from a mask."""
        return self._playing.random_action()

    def step(self, action: Any) -> None:
        """Take an action for the agent to move; `IllegalAction` if that is not legal, and nothing changes."""
        if not self.agents:
            if self.closed:
                raise closed()
            raise gymnasium.error.ResetNeeded("no game is running; call reset() before step()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if self._stepping:  # a turnstile would cost a tenth of the speed; a game's own step cannot be interrupted
            raise shared("an environment")
        self._stepping = True
        playing = self._playing
        try:
            playing.step(action)
        finally:
            self._stepping = False
        self._cumulative_rewards[agent] = 0.0
        if playing.pays:
            self.rewards = dict(zip(self.agents, playing.rewards.tolist(), strict=True))
            self._accumulate_rewards()
        player = playing.game.player
        if player >= 0:
            self.agent_selection = self.possible_agents[player]
        if player < 0 or playing.truncated:
            self._finish(truncated=playing.truncated)
        if self.render_mode == "human":
            self.render()

    def _finish(self, truncated: bool) -> None:
        """The game has ended for everyone."""
        if truncated:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {agent: self._playing.breakdown(seat) for agent, seat in self._seats.items()}
        self.agent_selection = self.agents[0]

    def lose(self) -> None:
        """End the episode with a loss for the agent to move, as PettingZoo does after an illegal action."""
        culprit = self.agent_selection
        self._cumulative_rewards[culprit] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[culprit] = ILLEGAL_REWARD
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> np.ndarray | str | None:
        """The picture or text of the position, as `render_mode` says."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode; give one at construction.")
            return None
        return self._drawing.draw(self._playing.game)

    def close(self) -> None:
        """End the game, and close the window, if there is one; `reset` begins anew."""
        self.closed = True
        self.agents = []
        self._drawing.close()


class Referee(OrderEnforcingWrapper):
    """PettingZoo's three customary wrappers in one, at a fraction of their cost.

    It enforces the order of calls, refuses actions outside the action space, and ends the episode with a loss for the
    agent that takes an illegal one.
    """

    env: raw_env

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.env.reset(seed=seed, options=options)  # before anything else: what is refused changes nothing
        self._has_reset = True
        self._has_updated = True

    def step(self, action: Any) -> None:
        env = self.env
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        if not env.agents:
            if env.closed:
                raise closed()
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = env.agent_selection
        if not (env.terminations[agent] or env.truncations[agent]):
            assert _is_in(env.action_space(agent), action), "action is not in action space"
        try:
            env.step(action)
        except IllegalAction:
            EnvLogger.warn_on_illegal_move()
            env.lose()

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return self.env.last(observe)

    def __str__(self) -> str:
        return str(self.env)


def _is_in(space: gymnasium.spaces.Discrete, action: Any) -> bool:
    """Whether an action is in a space; Gymnasium itself stumbles over numbers of more than 64 bits."""
    try:
        return space.contains(action)
    except OverflowError:
        return False


def env(map: MapLike = "nederland", **options: Unpack[EnvOptions]) -> Referee:
    """A game as a PettingZoo environment, with the usual checks; the options are those of `raw_env`.

    >>> table = env(players=4, reward="score")
    >>> table.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = table.last()
    >>> int(observation["action_mask"].sum())  # ways to keep at least 3 of 5 tickets
    16
    """
    return Referee(raw_env(map, **options))


def parallel_env(map: MapLike = "nederland", **options: Unpack[EnvOptions]) -> ParallelEnv[str, Any, Any]:
    """A game as a parallel environment of PettingZoo: all agents step at once, and only the mover's action counts.

    It is PettingZoo's own conversion of `env`. `info["active_agent"]` says who is to move, from the first step on; the
    mask of all others is zero.

    >>> table = parallel_env(players=3)
    >>> observations, infos = table.reset(seed=7)
    >>> [agent for agent, seen in observations.items() if seen["action_mask"].any()]
    ['player_0']
    """
    return turn_based_aec_to_parallel(env(map, **options))
