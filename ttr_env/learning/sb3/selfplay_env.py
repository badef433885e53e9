"""Tables at which a learner plays whole games in compiled code, as an environment that SB3 takes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import gymnasium
import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from ttr_env import agents
from ttr_env.agents.base import on_map
from ttr_env.agents.scorer import columns_digest
from ttr_env.batch.pool import has_weights
from ttr_env.bots.built_in import BOTS
from ttr_env.bots.features.columns import ACTION, HIDDEN, STATE
from ttr_env.bots.features.space import MAX_CANDIDATES
from ttr_env.engine.scoring import PARTS, RANK
from ttr_env.learning.league import League
from ttr_env.learning.options import LeagueOptions
from ttr_env.learning.selfplay import LEARNER, Played, Player, Reward, make_jobs
from ttr_env.options import Variant, check_choice, of_kind


class SelfPlayEnv(VecEnv):
    """Where `SelfPlayPPO` plays: it asks for whole games, not for steps.

    Every game has one seat for the learner; in the others sit bots, its past selves or, in `self_play` of them, itself,
    which it learns from too. `tables` are the kinds of games, each as likely as the others; an opponent with networks
    for several maps plays by that for the first of them. The learner has an urge to
    draw tickets in `urge[0]` of the games, of up to `urge[1]` in logits.

    >>> env = SelfPlayEnv([Variant.of("nederland", players=2)], {"planner": 1.0}, games=16, seed=0)
    >>> env.observation_space["state"].shape == (len(STATE),)
    True
    """

    def __init__(
        self,
        tables: Sequence[Variant],
        opponents: Mapping[str, float],
        *,
        games: int = 256,
        self_play: float = 0.5,
        critic: str = "hidden",
        threads: int = 1,
        seed: int = 0,
        league: LeagueOptions | None = None,
    ) -> None:
        """Make room for `games` games an update; `opponents` are bots and networks, and how often each is met."""
        self.tables, self.games, self.self_play = list(tables), games, self_play
        self.reward, self.urge = Reward(margin=1.0, lead=0.5), (0.0, 0.0)
        self.rng = np.random.default_rng(seed)
        self.player = Player(self.tables, threads)
        numbers = {name: (self._enlist(name), weight) for name, weight in opponents.items()}
        self.league = League(numbers, **of_kind(league or {}, LeagueOptions))
        self.seconds = 0.0  # that playing has taken
        self.finished: dict[str, float] = {}  # means of the last games: `win_rate`, and parts of the score
        self.render_mode = None
        actions: Any = gymnasium.spaces.Discrete(max(table.num_actions for table in self.tables))
        super().__init__(games, observation_space(critic, int(actions.n)), actions)

    @property
    def version(self) -> str:
        """What a network must have been trained on to play here."""
        return columns_digest()

    def _enlist(self, name: str) -> int:
        """The number of an opponent that plays in compiled code: a bot, or an agent with a network."""
        if name in BOTS:
            return BOTS.index(name)
        agent = on_map(agents.make(name), self.tables[0].map)
        if not has_weights(agent):
            raise ValueError(
                f"opponents: {name!r} does not play in compiled code, as bots ({', '.join(BOTS)}) and networks that "
                f"score actions do; other agents can be met with sight.features=planning, or with LearnerVecEnv"
            )
        return self.player.add(agent.weights)

    def add_snapshot(self, name: str, weights: np.ndarray, weight: float) -> None:
        """Let a network, the learner as it is now, join the league."""
        self.league.add_snapshot(name, self.player.add(weights), weight)

    def play(self, weights: np.ndarray) -> tuple[Played, np.ndarray]:
        """Games with a learner of these weights (`ttr_env.bots.scorer.WEIGHTS`), and their rewards by seat."""
        began = time.perf_counter()
        self.player.pool[0] = weights[0]
        jobs, own = self._draw_jobs()
        played = self.player.play(jobs)
        self._report(jobs, own)
        self.seconds += time.perf_counter() - began
        return played, self.reward.of(jobs)

    def _draw_jobs(self) -> tuple[np.ndarray, np.ndarray]:
        """The next games, and where the learner sits in them."""
        jobs = make_jobs(self.games, self.tables, self.rng)
        own = self.rng.integers(jobs["players"])
        every, seats = np.arange(self.games), np.arange(jobs["seats"].shape[1])
        others = self.league.draw(self.games, len(seats), self.rng)
        itself = self.rng.random(self.games) < self.self_play  # in all seats of a game, or in one
        jobs["seats"] = np.where(itself[:, None] | (seats == own[:, None]), LEARNER, others)
        jobs["learns"] = (jobs["seats"] == LEARNER) & (seats < jobs["players"][:, None])
        urged = self.rng.random(self.games) < self.urge[0]
        jobs["urge"][every, own] = np.where(urged, self.urge[1] * self.rng.random(self.games), 0.0)
        return jobs, own

    def _report(self, jobs: np.ndarray, own: np.ndarray) -> None:
        """Tell the league who won, and keep the means; games with an urge or against itself alone do not count."""
        every = np.arange(self.games)
        scores = jobs["scores"][every, own]
        won = scores[:, RANK] == 1
        seats = np.arange(jobs["seats"].shape[1])
        others = (seats != own[:, None]) & (seats < jobs["players"][:, None]) & (jobs["seats"] != LEARNER)
        counts = others.any(axis=1) & (jobs["urge"][every, own] == 0)
        for game in np.flatnonzero(counts):
            self.league.report(jobs["seats"][game][others[game]].tolist(), bool(won[game]))
        if counts.any():
            means = {part: float(scores[counts, column].mean()) for column, part in enumerate(PARTS)}
            self.finished = {"win_rate": float(won[counts].mean()), **means}

    def state(self) -> dict[str, Any]:
        """All chance to come, and how the league stands."""
        return {"rng": self.rng.bit_generator.state, "league": self.league.state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a `state`; the snapshots must have been added before."""
        self.rng.bit_generator.state = state["rng"]
        self.league.restore(state["league"])

    # What SB3 asks of every environment.

    def reset(self) -> dict[str, np.ndarray]:
        """Nothing is running between two rounds of games."""
        spaces = self.observation_space.spaces  # type: ignore[attr-defined]
        return {name: np.zeros((self.num_envs, *space.shape), space.dtype) for name, space in spaces.items()}

    def step_async(self, actions: np.ndarray) -> NoReturn:
        """Whole games are played, not steps."""
        raise NotImplementedError("SelfPlayEnv plays whole games, for SelfPlayPPO; LearnerVecEnv can be stepped")

    def step_wait(self) -> NoReturn:
        """As `step_async`."""
        raise NotImplementedError

    def close(self) -> None:
        """Nothing is held."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, the same for every game."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute for all games."""
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> NoReturn:
        """No game has methods of its own."""
        raise AttributeError(f"SelfPlayEnv has no method {method_name!r} for single games")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No game has a wrapper of its own."""
        return [False for _ in self._get_indices(indices)]


def observation_space(critic: str, num_actions: int) -> gymnasium.spaces.Dict:
    """The space of action features; with a critic that knows what is hidden, of that too."""

    def box(*shape: int) -> gymnasium.spaces.Box:
        return gymnasium.spaces.Box(-1, 1, shape, np.float32)

    spaces: dict[str, gymnasium.Space[Any]] = {
        "state": box(len(STATE)),
        "actions": box(MAX_CANDIDATES, len(ACTION)),
        "index": gymnasium.spaces.Box(-1, num_actions - 1, (MAX_CANDIDATES,), np.int64),
    }
    if check_choice(critic, ("seen", "hidden"), "critic") == "hidden":
        spaces["hidden"] = box(len(HIDDEN))
    return gymnasium.spaces.Dict(spaces)
