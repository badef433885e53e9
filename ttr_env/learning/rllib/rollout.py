"""Decisions of many games at once, sorted out into what each player did and got: RLlib's episodes."""

from __future__ import annotations

import numpy as np
from ray.rllib.core.columns import Columns
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer
from ray.rllib.evaluation.postprocessing import Postprocessing

SHARED = "shared"  # the name of the policy that plays every seat


class Rollout:
    """The decisions between two updates, in the order in which they were made.

    What a player gets until it decides again, or until the game is over, belongs to its last decision. So the last
    decision of each player in a running game is not complete yet: it ends its episode's chunk as the observation whose
    value stands for all that follows, and opens the next chunk.
    """

    def __init__(self, rows: int, players: int, steps: int, size: int, actions: int) -> None:
        capacity = rows * (players + steps)  # what is left over from the last rollout, and what comes
        self._players = players
        self._rows = np.arange(rows)
        self._length = 0
        self._waiting = np.full((rows, players), -1)  # the last decision of each player in the running games
        self._inputs = np.zeros((capacity, size), np.float32)
        self._masks = np.zeros((capacity, actions), np.int8)
        self._places = np.zeros(capacity, np.int64)  # row and seat, as one number
        self._games = np.zeros(capacity, np.int64)  # how many games the row had finished before
        self._actions = np.zeros(capacity, np.int64)
        self._log_probs = np.zeros(capacity, np.float32)
        self._values = np.zeros(capacity, np.float32)
        self._rewards = np.zeros(capacity, np.float32)
        self._last = np.zeros(capacity, np.bool_)  # the player's last decision in its game
        self._cut = np.zeros(capacity, np.bool_)  # the last one in its chunk, not complete

    @property
    def incomplete(self) -> int:
        """How many decisions wait for what comes of them, kept for the next rollout."""
        return int((self._waiting >= 0).sum())

    def decide(
        self,
        seats: np.ndarray,
        games: np.ndarray,
        inputs: np.ndarray,
        masks: np.ndarray,
        actions: np.ndarray,
        log_probs: np.ndarray,
        values: np.ndarray,
    ) -> None:
        """Note one decision in every row."""
        new = slice(self._length, self._length + len(self._rows))
        self._length = new.stop
        self._inputs[new], self._masks[new], self._actions[new] = inputs, masks, actions
        self._places[new], self._games[new] = self._rows * self._players + seats, games
        self._log_probs[new], self._values[new] = log_probs, values
        self._rewards[new], self._last[new], self._cut[new] = 0, False, False
        self._waiting[self._rows, seats] = np.arange(new.start, new.stop)

    def reward(self, rewards: np.ndarray, over: np.ndarray, truncated: np.ndarray) -> None:
        """Note what all players [rows, players] got from these decisions, and which games they ended or cut off."""
        waiting = self._waiting >= 0
        self._rewards[self._waiting[waiting]] += rewards[waiting]
        self._last[self._waiting[waiting & over[:, None]]] = True
        self._cut[self._waiting[waiting & truncated[:, None]]] = True
        self._waiting[over | truncated] = -1

    def take(self, gamma: float, gae_lambda: float) -> list[SingleAgentEpisode]:
        """The rollout as episodes, with advantages and value targets; what is not complete is kept for the next."""
        kept = self._waiting[self._waiting >= 0]
        self._cut[kept] = True
        order = np.argsort(self._places[: self._length], kind="stable")
        found = self._episodes(order, self._advantages(order, gamma, gae_lambda))
        self._keep(kept)
        return found

    def _advantages(self, order: np.ndarray, gamma: float, gae_lambda: float) -> np.ndarray:
        """Generalised advantage estimates of the decisions in this order."""
        advantages = np.zeros(len(order), np.float32)
        columns = (self._rewards, self._values, self._last, self._cut)
        later, value_after = 0.0, 0.0  # plain numbers: four times as quick as those of NumPy here
        for place, (reward, value, last, cut) in reversed(
            list(enumerate(zip(*(column[order].tolist() for column in columns), strict=True)))
        ):
            if cut:
                later = 0.0
            else:
                if last:
                    later, value_after = 0.0, 0.0
                later = reward + gamma * value_after - value + gamma * gae_lambda * later
                advantages[place] = later
            value_after = value
        return advantages

    def _episodes(self, order: np.ndarray, advantages: np.ndarray) -> list[SingleAgentEpisode]:
        """Chunks of consecutive decisions of one player; the arrays are contiguous, and cheap to send."""
        last = self._last[order]
        shown = np.repeat(order, 1 + last)  # a finished game's last observation, which nobody acts on, is shown twice
        inputs, masks = self._inputs[shown], self._masks[shown]
        actions, rewards, log_probs = self._actions[order], self._rewards[order], self._log_probs[order]
        targets = advantages + self._values[order]
        found, begin, shift = [], 0, 0
        for end in np.flatnonzero(last | self._cut[order]).tolist():
            stop = end + 1 if last[end] else end
            if stop > begin:
                seen, decided = slice(begin + shift, stop + shift + 1), slice(begin, stop)
                extra = {
                    Columns.ACTION_LOGP: log_probs[decided],
                    Postprocessing.ADVANTAGES: advantages[decided],
                    Postprocessing.VALUE_TARGETS: targets[decided],
                }
                observed = {"observations": inputs[seen], "action_mask": masks[seen]}
                found.append(
                    self._episode(order[end], observed, actions[decided], rewards[decided], extra, bool(last[end]))
                )
            begin, shift = end + 1, shift + int(last[end])
        return found

    def _episode(
        self,
        decision: int,
        observed: dict[str, np.ndarray],
        actions: np.ndarray,
        rewards: np.ndarray,
        extra: dict[str, np.ndarray],
        over: bool,
    ) -> SingleAgentEpisode:
        row, seat = divmod(int(self._places[decision]), self._players)
        game = f"{row}-{self._games[decision]}"
        return SingleAgentEpisode(
            id_=f"{game}-{seat}",
            observations=InfiniteLookbackBuffer(observed),  # type: ignore[arg-type]  # it takes nested arrays, too
            actions=InfiniteLookbackBuffer(actions),
            rewards=InfiniteLookbackBuffer(rewards),
            infos=InfiniteLookbackBuffer([{}] * (len(actions) + 1)),
            extra_model_outputs={name: InfiniteLookbackBuffer(values) for name, values in extra.items()},
            terminated=over,
            len_lookback_buffer=0,
            agent_id=f"player_{seat}",
            module_id=SHARED,
            multi_agent_episode_id=game,  # type: ignore[arg-type]  # RLlib's own are strings, too
        )

    def _keep(self, kept: np.ndarray) -> None:
        """Begin anew with these decisions."""
        self._length = len(kept)
        columns = (self._inputs, self._masks, self._places, self._games, self._actions)
        for column in (*columns, self._log_probs, self._values, self._rewards):
            column[: len(kept)] = column[kept]
        self._last[: len(kept)] = self._cut[: len(kept)] = False
        self._waiting[self._waiting >= 0] = np.arange(len(kept))
