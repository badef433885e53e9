"""Rewards: what a decision was worth to each player, in four ways."""

from __future__ import annotations

from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import OVER
from ttr_env.engine.play import apply
from ttr_env.engine.scoring import RANK, TOTAL, score, ticket_points

WIN, MARGIN, SCORE, DENSE = range(4)
SCALE = 100.0  # points to a reward of 1
ILLEGAL_REWARD = -1.0  # in environments that end an episode with an illegal action


@kernel
def standing(g, b, player):
    """The points a player holds now, bonuses aside; nothing before its first decision."""
    if g["setup"] and player >= g["player"]:
        return 0
    won, failed, _ = ticket_points(g, b, player)
    return int(g["points"][player]) + won - failed - int(b["loan_penalty"]) * int(g["loans"][player])


@kernel
def reward_win(g, sheet, rewards):
    """The winners share 1, the others share -1; if all win, all get 0."""
    players = int(g["players"])
    winners = 0
    for player in range(players):
        winners += int(sheet[player, RANK] == 1)
    for player in range(players):
        if winners == players:
            rewards[player] = 0.0
        elif sheet[player, RANK] == 1:
            rewards[player] = 1.0 / winners
        else:
            rewards[player] = -1.0 / (players - winners)


@kernel
def reward_margin(g, sheet, rewards):
    """Own total minus the best other."""
    for player in range(g["players"]):
        best = -(1 << 30)
        for other in range(g["players"]):
            if other != player:
                best = max(best, int(sheet[other, TOTAL]))
        rewards[player] = (int(sheet[player, TOTAL]) - best) / SCALE


@kernel
def reward_end(g, b, kind, rewards, sheet):
    """Score a game that is over, and write what it was worth to each player as a whole; "dense" sums up to "score"."""
    score(g, b, sheet)
    if kind == WIN:
        reward_win(g, sheet, rewards)
    elif kind == MARGIN:
        reward_margin(g, sheet, rewards)
    else:
        for player in range(g["players"]):
            rewards[player] = sheet[player, TOTAL] / SCALE


@kernel
def advance(g, b, action, kind, rewards, sheet):
    """Take a legal action and write what it was worth to each player; fills the score sheet at the end."""
    mover = g["player"]
    before = standing(g, b, mover) if kind == DENSE else 0
    apply(g, b, action)
    rewards[:] = 0.0
    if g["phase"] != OVER:
        if kind == DENSE:
            rewards[mover] = (standing(g, b, mover) - before) / SCALE
        return
    reward_end(g, b, kind, rewards, sheet)
    if kind == DENSE:
        for player in range(g["players"]):
            held = before if player == mover else standing(g, b, player)
            rewards[player] = (sheet[player, TOTAL] - held) / SCALE
