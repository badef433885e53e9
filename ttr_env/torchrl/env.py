"""Many games as one environment of TorchRL: every row waits for the decision of its player to move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
import torch
from tensordict import TensorDict, TensorDictBase
from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase

from ttr_env.batch import Batch
from ttr_env.batch.roster import Bots
from ttr_env.game import Game
from ttr_env.game.resetting import check_reset_options, closed, games_to_go_on_from
from ttr_env.options import MapLike, TableOptions, check_seed, check_vector


class BatchEnv(EnvBase):
    """Games that are stepped together by one compiled call, with `batch_size=[games]`.

    With `n` games, `p` players, `d` observation entries and `a` actions, it reads `action` int64 [n] and writes

    - `observation` float32 [n, d], `action_mask` bool [n, a] and `mover` int64 [n, 1]: of the player to move. Where a
      game is over there is nobody to move: `observation` and `mover` are those of who moved last, and the mask is all
      ones, which masked policies need,
    - `reward` float32 [n, p]: what the step was worth to each seat. `SeatGAE` makes advantages of it,
    - `done`, `terminated` and `truncated` bool [n, 1].

    An illegal action raises `IllegalAction` with the row, and no row moves. Random actions of its own spec are legal,
    those of a `TransformedEnv` with TorchRL's `ActionMask`; the policy `sample` takes such actions sooner.

    >>> env = BatchEnv("nederland", games=8, players=3, seed=0)
    >>> steps = env.rollout(20)
    >>> steps.shape, steps["next", "reward"].shape
    (torch.Size([8, 20]), torch.Size([8, 20, 3]))
    """

    def __init__(
        self,
        map: MapLike = "nederland",
        games: int = 1024,
        *,
        seed: int = 0,
        bots: Bots | None = None,
        seat: int | None = 0,
        threads: int = 1,
        **options: Unpack[TableOptions],
    ) -> None:
        """Make a batch of games; the arguments are those of `Batch`.

        Args:
            map: the name of a built-in map, the folder of your own, or a `Map`.
            games: how many rows.
            seed: what every game's own seed is derived from; `set_seed` gives another.
            bots: for each place, counted from `seat`, a bot, or None for a player whose actions are taken from outside.
            seat: the seat of place 0; None draws one for every game.
            threads: how many processor threads share the rows.
            options: those of every table (`ttr_env.options.TableOptions`), without `features="actions"`.
        """
        check_vector(options.get("features", "base"))
        self.batch = Batch(map, games, seed=seed, bots=bots, seat=seat, autoreset=False, threads=threads, **options)
        super().__init__(batch_size=[len(self.batch)], device=torch.device("cpu"))
        self.is_closed, self._draws_seats = False, seat is None
        self._next_seed: int | None = seed  # of the deals at the next reset of all rows; None: the next games
        self._make_specs()

    def _make_specs(self) -> None:
        batch, rows = self.batch, len(self.batch)
        players, actions = batch.variant.players, batch.num_actions
        ends = {name: Categorical(2, (rows, 1), dtype=torch.bool) for name in ("done", "terminated", "truncated")}
        self.observation_spec = Composite(
            observation=Bounded(0.0, 1.0, (rows, batch.observation_size), dtype=torch.float32),
            action_mask=Binary(actions, (rows, actions), dtype=torch.bool),
            mover=Categorical(players, (rows, 1), dtype=torch.int64),
            shape=(rows,),
        )
        self.action_spec = Categorical(actions, (rows,), dtype=torch.int64)
        self.reward_spec = Unbounded((rows, players), dtype=torch.float32)
        self.done_spec = Composite(ends, shape=(rows,))

    def _set_seed(self, seed: int | None) -> None:
        self._next_seed = None if seed is None else check_seed(seed)

    def _reset(
        self, tensordict: TensorDictBase | None = None, *, options: dict[str, Any] | None = None
    ) -> TensorDictBase:
        """Deal the rows that `_reset` names, or all of them: from the seed, if one was set, or else the next games.

        `options["snapshot"]` begins their games in that position instead (`Game.snapshot`), or in each row in that of
        a list, whose entries may also be None. With `seat=None`, place 0 is then the player to move.
        """
        check_reset_options(options)
        batch, wanted = self.batch, None if tensordict is None else tensordict.get("_reset", None)
        chosen = np.arange(len(batch)) if wanted is None else np.flatnonzero(wanted.numpy())
        snapshot = (options or {}).get("snapshot")
        positions = games_to_go_on_from(snapshot, chosen.tolist(), len(batch), batch.variant)
        self.is_closed = False
        if wanted is None and self._next_seed is not None:
            batch.renew_views()
            batch.reset(self._next_seed)
            self._next_seed = None
        else:
            batch.renew_views(keep=True)  # of the rows that go on
            dealt = [row for row, position in zip(chosen, positions, strict=True) if position is None]
            batch.restart(dealt, [None] * len(dealt))
        begun = [(row, position) for row, position in zip(chosen, positions, strict=True) if position is not None]
        if begun:
            self._go_on(*zip(*begun, strict=True))
        return self._show(np.maximum(batch.movers, 0))

    def _go_on(self, rows: Sequence[int], games: Sequence[Game]) -> None:
        """Begin the games of these rows in these positions."""
        seats = [game.player for game in games] if self._draws_seats else None
        self.batch.restart(rows, [None] * len(rows), games, seats)

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        if self.is_closed:
            raise closed()
        batch, movers = self.batch, self.batch.movers.copy()
        batch.renew_views()  # tensors stand on the same memory
        batch.step(tensordict["action"].numpy())
        batch.masks[batch.done] = 1
        seen = self._show(np.where(batch.movers < 0, movers, batch.movers))
        seen["reward"] = torch.from_numpy(batch.rewards.copy())
        return seen

    def _show(self, movers: np.ndarray) -> TensorDictBase:
        """What the players to move see, and which games have ended."""
        batch, masks = self.batch, torch.from_numpy(self.batch.masks.view(np.bool_))
        self.input_spec["full_action_spec", "action"].update_mask(masks)
        ends = {name: _column(getattr(batch, name), np.bool_) for name in ("done", "terminated", "truncated")}
        return TensorDict(
            {
                "observation": torch.from_numpy(batch.observations),
                "action_mask": masks,
                "mover": _column(movers, np.int64),
                **ends,
            },
            batch_size=self.batch_size,
        )

    def sample(self, tensordict: TensorDictBase) -> TensorDictBase:
        """A policy that takes a random legal action in every row, without looking at the masks."""
        return tensordict.set("action", torch.from_numpy(self.batch.sample().copy()))


def _column(values: np.ndarray, kind: Any) -> torch.Tensor:
    return torch.from_numpy(values.astype(kind)[:, None])
