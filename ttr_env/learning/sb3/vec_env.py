"""The game as a `VecEnv` of Stable-Baselines3: one learner in each game, a league in the other seats."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any, Unpack

import gymnasium
import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from ttr_env.agents.base import Actor
from ttr_env.agents.inputs import Sight
from ttr_env.engine.scoring import PARTS
from ttr_env.envs.vector import GameVectorEnv
from ttr_env.game.resetting import check_reset_options, game_to_go_on_from
from ttr_env.learning.league import League
from ttr_env.learning.options import LeagueOptions, LearnerOptions
from ttr_env.learning.sb3.seeing import Features, Vectors
from ttr_env.options import GameOptions, SightOptions, of_kind, refuse_unknown


class LearnerVecEnv(VecEnv):
    """Many games, stepped together; finished ones restart at once, as SB3 expects.

    The reward is `points` times the change in the learner's score (in hundreds of points, tickets counted as they
    stand), plus `win` for a win and `-win` for a loss. Infos of finished games hold `is_success`, the parts of the
    score, and what SB3 needs; `env_method("action_masks")` is one array.

    With `features="actions"` observations are dictionaries: `state`, `actions` and `index`, and with `critic="hidden"`
    also `hidden`: what only a critic may know (`ttr_env.observation.HIDDEN_COLUMNS`). No other environment shows that.

    >>> env = LearnerVecEnv(games=8, opponents={"greedy": 1.0}, seed=0)
    >>> env.reset().shape == (8, env.sight.size)
    True
    """

    def __init__(
        self,
        games: int = 256,
        opponents: dict[str, float] | None = None,
        *,
        points: float = 1.0,
        win: float = 0.0,
        seed: int = 0,
        **options: Unpack[LearnerOptions],
    ) -> None:
        """Deal `games` games; `opponents` are agents by their specification, each with its weight in the league."""
        refuse_unknown(options, LearnerOptions.__annotations__)
        self.games = GameVectorEnv(
            games,
            options.get("map", "nederland"),
            threads=options.get("threads", 1),
            reward="dense",
            **of_kind(options, GameOptions),
            **of_kind(options, SightOptions),
        )
        self._seeing = _seeing(self.games, options)
        self.points, self.win = points, win
        self.rng = np.random.default_rng(seed)
        weights = opponents or {"random": 1.0}
        numbered = {name: (self.games.enlist(name), weight) for name, weight in weights.items()}
        self.league = League(numbered, **of_kind(options, LeagueOptions))
        self.seconds = 0.0  # that stepping has taken, opponents included
        self._everyone = np.arange(games)
        self._facing: np.ndarray = self.games.facing.astype(np.int64)  # the opponents of the running games
        self._actions = np.zeros(games, np.int64)
        self.render_mode = None
        super().__init__(games, self._seeing.space, self.games.single_action_space)

    @property
    def sight(self) -> Sight:
        """What the learner sees, where that is a vector."""
        if isinstance(self._seeing, Features):
            raise AttributeError('sight: with features="actions" the learner sees no vector')
        return self._seeing.sight

    @property
    def version(self) -> str:
        """What a network must have been trained on to play here."""
        return self._seeing.version

    def reset(self) -> Any:
        """Deal everywhere; where `set_options({"snapshot": ...})` names a position (`Game.snapshot`), begin there.

        The options are of the next `reset` alone, one dictionary for all games or a list with one for each.
        """
        snapshots = self._snapshots()
        if self._seeds[0] is not None:
            self.rng = np.random.default_rng(self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        self._draw_opponents(self._everyone)
        seeds = self.rng.integers(2**62, size=self.num_envs).tolist()
        observations, _ = self.games.reset(seed=seeds, options={"snapshot": snapshots})
        self._facing[:] = self.games.facing
        self._draw_opponents(self._everyone)
        return self._seeing.show(observations)

    def _snapshots(self) -> list[Any]:
        """The position that each game is to begin in; None for a deal. One that does not fit is refused here."""
        for options in self._options:
            check_reset_options(options)
        snapshots = [options.get("snapshot") for options in self._options]
        for snapshot in {id(each): each for each in snapshots if each is not None}.values():
            game_to_go_on_from(snapshot, self.games.positions.variant)
        return snapshots

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the learner's actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Take the learner's actions, and let the opponents answer."""
        began = time.perf_counter()
        observations, points, terminated, truncated, given = self.games.step(self._actions)
        rewards = (self.points * points).astype(np.float32)
        ended = np.flatnonzero(terminated | truncated)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if len(ended):
            self._finish(ended, truncated, given, rewards, infos)
        inputs = self._seeing.show(observations)
        self.seconds += time.perf_counter() - began
        return inputs, rewards, terminated | truncated, infos

    def _finish(
        self,
        ended: np.ndarray,
        truncated: np.ndarray,
        given: dict[str, Any],
        rewards: np.ndarray,
        infos: list[dict[str, Any]],
    ) -> None:
        """Reward and report the games that have ended, and choose who sits down for the ones after the next."""
        score = given["final_info"]
        seen = self._seeing.show_ends(given["final_obs"], ended)
        for row, last in zip(ended.tolist(), seen, strict=True):
            illegal = bool(score["illegal_action"][row])
            won = bool(score["rank"][row] == 1) and not illegal
            rewards[row] += self.win if won else -self.win
            self.league.report(self._facing[row].tolist(), won)
            infos[row] = {
                "is_success": won,
                "illegal_action": illegal,
                "terminal_observation": last,
                "TimeLimit.truncated": bool(truncated[row]),
                **{part: int(score[part][row]) for part in PARTS},
            }
        self._facing[ended] = self.games.facing[ended]
        self._draw_opponents(ended)

    def _draw_opponents(self, rows: np.ndarray) -> None:
        """Choose the opponents of these rows' next games."""
        self.games.line_up(rows, self.league.draw(len(rows), self._facing.shape[1], self.rng))

    def action_masks(self) -> np.ndarray:
        """The legal actions of every row as bools [games, actions]."""
        return self.games.action_masks()

    def add_snapshot(self, name: str, agent: Actor, weight: float) -> None:
        """Let an agent, the learner as it is now, join the league."""
        self.league.add_snapshot(name, self.games.enlist(agent), weight)

    def state(self) -> dict[str, Any]:
        """The running games and all chance to come; outside opponents are not part of it, but their chance is."""
        outside = [_chance_of(agent) for agent in self.games.outside]
        return {
            "games": self.games.state(),
            "facing": self._facing.copy(),
            "rng": self.rng.bit_generator.state,
            "outside": [rng and rng.bit_generator.state for rng in outside],
            "league": self.league.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a `state`; the outside opponents have to be enlisted before."""
        facing = state["facing"]
        if (
            facing.shape != self._facing.shape
            or not np.isin(facing, [each.number for each in self.league.members]).all()
        ):
            raise ValueError("facing: there are opponents who are not in the league")
        self.games.restore(state["games"])
        self._facing[:] = facing
        self.rng.bit_generator.state = state["rng"]
        self.league.restore(state["league"])
        for agent, chance in zip(self.games.outside, state["outside"], strict=True):
            rng = _chance_of(agent)
            if rng and chance:
                rng.bit_generator.state = chance

    def close(self) -> None:
        """End the programs of opponents; `reset` begins anew."""
        self.games.close()

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """`action_masks` for all games as one array."""
        if method_name != "action_masks":
            raise AttributeError(f"LearnerVecEnv has no method {method_name!r} for single games")
        masks = self.action_masks()
        return masks if indices is None else masks[list(self._indices(indices))]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, the same for every game."""
        return [getattr(self, attr_name) for _ in self._indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute for all games."""
        setattr(self, attr_name, value)

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Any = None
    ) -> list[bool]:
        """No game has a wrapper of its own."""
        return [False for _ in self._indices(indices)]

    def _indices(self, indices: Any) -> Iterable[int]:
        return self._get_indices(indices)


def _chance_of(agent: Actor) -> np.random.Generator | None:
    """Where an agent draws its chance from, if it is of the kind whose state can be kept."""
    rng = getattr(agent, "rng", None)
    return rng if isinstance(rng, np.random.Generator) else None


def _seeing(games: GameVectorEnv, options: LearnerOptions) -> Vectors | Features:
    """What the learner of these games is shown."""
    adviser, critic = options.get("adviser"), options.get("critic")
    if games.positions.table.sight.with_actions:
        return Features(games.positions, games.single_observation_space, adviser, critic)
    if critic is not None:
        raise ValueError(f'critic: {critic!r} needs features="actions"')
    return Vectors(Sight(games.map, **of_kind(options, SightOptions), adviser=adviser), games.positions)
