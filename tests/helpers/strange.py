"""Agents that go wrong, each in its own way."""

from __future__ import annotations

import os
import time

from ttr_env import Game


class Sleeper:
    """Thinks for ever."""

    def __init__(self, seed: int) -> None:
        pass

    def act(self, game: Game) -> int:
        time.sleep(3600)
        return 0


class Raiser:
    """Raises an error of its own."""

    def __init__(self, seed: int) -> None:
        pass

    def act(self, game: Game) -> int:
        raise RuntimeError("no idea")


class Quitter:
    """Takes its whole process with it."""

    def __init__(self, seed: int) -> None:
        pass

    def act(self, game: Game) -> int:
        os._exit(3)


class Cheater:
    """Chooses what is not there."""

    def __init__(self, seed: int) -> None:
        pass

    def act(self, game: Game) -> int:
        return 10_000
