"""Agents that do what agents should not, and some that only look like it."""

from __future__ import annotations

import numpy as np

from ttr_env import Game
from ttr_env.agents import Agent
from ttr_env.game.positions import Positions
from ttr_env.options import Sight


class Good:
    """Chooses by what it may know, remembers what it saw, and looks ahead only in worlds of its own."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.turns = 0

    def act(self, game: Game) -> int:
        self.turns += 1
        world = game.determinize(game.player, self.rng)
        legal = world.legal_actions()
        return int(legal[(self.turns + len(world.information_state(game.player)["face_up"])) % len(legal)])


class Historian(Good):
    """Looks at what was done last, which everybody saw."""

    def act(self, game: Game) -> int:
        legal = game.legal_actions()
        return int(legal[len(repr(game.last and (game.last.player, game.last.action.kind))) % len(legal)])


class Illegal(Good):
    """Passes in the middle of the game."""

    def act(self, game: Game) -> int:
        return game.index({"kind": "pass"}) if game.phase == "turn" else super().act(game)


class Nobody(Good):
    """Has no answer."""

    def act(self, game: Game) -> int:
        return None  # type: ignore[return-value]


class Talker(Good):
    """Answers in words."""

    def act(self, game: Game) -> int:
        return str(super().act(game))  # type: ignore[return-value]


class Talkers(Agent):
    """Answers in words, for many games at once."""

    def act_batch(self, positions: Positions, rows: np.ndarray) -> np.ndarray:
        return np.array(["3"] * len(rows))


class Broken(Good):
    """Fails."""

    def act(self, game: Game) -> int:
        raise KeyError("plan")


class Meddler(Good):
    """Plays in the game that it is shown."""

    def act(self, game: Game) -> int:
        action = super().act(game)
        game.step(action)
        return action


class Moody(Good):
    """Takes chance from elsewhere than its seed."""

    def act(self, game: Game) -> int:
        return int(np.random.default_rng().choice(game.legal_actions()))


class Peeker(Good):
    """Looks into the next player's hand."""

    def act(self, game: Game) -> int:
        legal = game.legal_actions()
        hand = game.records[0]["hand"][(game.player + 1) % game.players]
        return int(legal[int(hand.argmax()) % len(legal)])


class Clairvoyant(Good):
    """Tries what it would draw, and draws only if it likes it."""

    def act(self, game: Game) -> int:
        legal = game.legal_actions().tolist()
        if game.phase == "turn" and 0 in legal:
            before = game.information_state(game.player)["seats"][game.player]["hand"]
            after = game.copy()
            after.step(0)
            hand = after.information_state(game.player)["seats"][game.player]["hand"]
            if hand["locomotive"] > before["locomotive"]:
                return 0
        return int(legal[-1])


class Dealer(Good):
    """Deals the game again from its seed."""

    def act(self, game: Game) -> int:
        record = game.record()
        return int(game.legal_actions()[-(record["seed"] % 2)])


class TwoFaced(Agent):
    """Is honest as long as it is asked about one game."""

    def act(self, game: Game) -> int:
        return int(game.legal_actions()[0])

    def act_batch(self, positions: Positions, rows: np.ndarray) -> np.ndarray:
        masks = positions.look(rows, Sight())[1]
        peeked = positions.records[rows]["deck"][:, 0] % 2 == 0
        return np.where(peeked, masks.argmax(axis=1), masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1))


class BatchPeeker(Agent):
    """Looks at the deck, whether it is asked about one game or many."""

    def act_batch(self, positions: Positions, rows: np.ndarray) -> np.ndarray:
        return TwoFaced.act_batch(self, positions, rows)  # type: ignore[arg-type]
