"""Why an action is illegal, in words."""

from __future__ import annotations

from typing import Any

from ttr_env.engine import legal
from ttr_env.errors import IllegalActionType as IllegalActionType  # it is imported from here too

_REASONS = {
    legal.OUT_OF_RANGE: "there is no such action",
    legal.GAME_OVER: "the game is over",
    legal.OTHER_PHASE: "the phase is {phase}",
    legal.NO_CARD_LEFT: "deck and discard pile are empty",
    legal.NOT_FACE_UP: "no such card lies face up",
    legal.SECOND_LOCOMOTIVE: "a face-up locomotive cannot be the second card",
    legal.NO_TICKET_LEFT: "no tickets are left",
    legal.NOT_OFFERED: "fewer tickets are on offer",
    legal.KEEPS_TOO_FEW: "more tickets must be kept",
    legal.CAN_DO_MORE: "passing is only for a player who can do nothing else",
    legal.TAKEN: "the track is taken",
    legal.CLOSED: "the other track of this double route is taken, which closes this one to the player",
    legal.TOO_FEW_TRAINS: "the track is longer than the player's trains",
    legal.TOO_FEW_CARDS: "the hand does not hold these cards",
    legal.NOT_ASKED_FOR: "the tunnel does not ask for so many cards",
    legal.LOCOMOTIVES_ONLY: "what was paid with locomotives alone takes nothing but locomotives",
}


def reason(verdict: int, phase: str) -> str:
    """Why a verdict is not `legal.LEGAL`."""
    return _REASONS[verdict].format(phase=phase)


def explain(verdict: int, action: Any, size: int, player: int, phase: str, meaning: str) -> str:
    """A sentence for the verdict on an action."""
    if verdict == legal.OUT_OF_RANGE:
        return f"action {action} is out of range; actions go from 0 to {size - 1}"
    return f"action {action} ({meaning}) is illegal for player {player}: {reason(verdict, phase)}"
