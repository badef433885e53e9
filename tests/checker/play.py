"""Random games in which every decision is checked against every invariant, and rare events are counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.checker.invariants import NAMES, first_broken
from ttr_env import maps
from ttr_env.engine import calls, layout
from ttr_env.engine.bits import NO_BITS
from ttr_env.engine.board import board
from ttr_env.engine.cards import total
from ttr_env.engine.jit import entry as compiled
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import CLAIM, DRAW_TICKETS, KEEP_TICKETS, LOCOMOTIVE, NEUTRAL, OVER, PASS, SET, TUNNEL

EVENTS = (
    "keeps at the start",
    "keeps after a draw",
    "claims",
    "passes",
    "short rows",
    "rows stuck with locomotives",
    "decks made of discards",
    "ticket piles made of discards",
    "loans",
    "tolls paid to a player",
    "neutral choices",
    "neutral player out",
    "games ended by passes",
    "cards put into sets",
    "tunnels paid",
    "tunnels declined",
)
LONGEST_GAME = 2000  # decisions
TRIES = {"uniform": 1, "hoard": 20, "collect": 4}  # how often each policy draws
PHASE = layout.offset("phase")


@kernel
def count_events(g, b, before, action, events):
    """Count what a decision brought about, in the order of `EVENTS`."""
    mover = before["player"]
    events[0] += int(before["phase"] == KEEP_TICKETS and before["setup"] == 1)
    events[1] += int(before["phase"] == KEEP_TICKETS and before["setup"] == 0)
    events[2] += int(CLAIM <= action < CLAIM + b["claims"])
    events[3] += int(action == PASS)
    events[4] += int(total(g["face_up"]) < b["row"])
    events[5] += int(g["face_up"][LOCOMOTIVE] >= 3)
    events[6] += int(g["deck_size"] > before["deck_size"])
    events[7] += int(before["ticket_discard"] & ~g["ticket_discard"] != NO_BITS)
    events[8] += int(g["loans"][mover] - before["loans"][mover])
    for seat in range(g["players"]):
        events[9] += int(g["tolls"][seat] > before["tolls"][seat])
    events[10] += int(before["phase"] == NEUTRAL)
    events[11] += int(before["neutral_active"] - g["neutral_active"])
    events[12] += int(g["phase"] == OVER and g["passes"] == g["players"])
    events[13] += int(before["phase"] == SET)
    events[14] += int(before["phase"] == TUNNEL and action != b["decline_action"])
    events[15] += int(before["phase"] == TUNNEL and action == b["decline_action"])


@compiled
def check(games, boards, action, mask, events):
    """The first broken invariant after an action, 0 if none is.

    `games` has three records: the game, the position before the action, and scratch space.
    """
    count_events(games[0], boards[0], games[1], action, events)
    games[2] = games[0]
    return first_broken(games[0], boards[0], games[1], games[2], mask)


class CheckedPlay:
    """Random games of one variant."""

    def __init__(self, options: dict[str, Any], seed: int) -> None:
        self.options = options
        self.boards = board(maps.load(options.get("map", "nederland")))
        self.games = np.zeros(3, layout.GAME)
        self.memory = self.games.view(np.uint8).reshape(3, -1)
        self.source = np.zeros(1, np.uint64)
        self.source[0] = seed
        self.mask = np.zeros(self.boards[0]["actions"], np.int8)
        self.events = np.zeros(len(EVENTS), np.int64)

    def play(self, seed: int, policy: str) -> int:
        """Play one game to its end; returns the number of decisions."""
        options = (self.options["players"], int(self.options["tolls"]), int(self.options["neutral_player"]))
        calls.start(self.games, 0, self.boards, np.uint64(seed), *options)
        decisions = 0
        while self.memory[0, PHASE] != OVER:
            action = self.choose(policy)
            self.memory[1] = self.memory[0]
            assert calls.step(self.games, 0, self.boards, action) >= 0, (self.options, seed, decisions)
            broken = check(self.games, self.boards, action, self.mask, self.events)
            assert not broken, (NAMES[broken], self.options, policy, seed, decisions)
            decisions += 1
            assert decisions <= LONGEST_GAME, (self.options, policy, seed)
        return decisions

    def choose(self, policy: str) -> int:
        """A random legal action; some policies draw a few times more, in the hope of one they like."""
        for _ in range(TRIES[policy]):
            action = calls.pick(self.games, 0, self.boards, self.source)
            if action == DRAW_TICKETS if policy == "collect" else action < CLAIM:
                break
        return action
