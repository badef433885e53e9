"""What a game was worth: the final score and the ranks (B10, B11, N7, N8, S9, U3)."""

from __future__ import annotations

import numpy as np

from ttr_env.engine.bits import NO_BITS, lowest, without_lowest
from ttr_env.engine.jit import kernel
from ttr_env.engine.paths import longest_path
from ttr_env.engine.tickets import is_completed
from ttr_env.maps.limits import MAX_PLAYERS, MAX_TRACKS

# The columns of a score sheet. It has a row for each seat, and further ones as scratch space.
SCORES = (
    "routes",
    "start",
    "tickets",
    "tickets_failed",
    "toll_bonus",
    "loans",
    "longest_path",
    "most_tickets",
    "total",
    "completed",
    "path",
    "rank",
)
ROUTES, START, WON, FAILED, TOLL_BONUS, LOANS, LONGEST_PATH, MOST_TICKETS, TOTAL, COMPLETED, PATH, RANK = range(12)
PARTS = SCORES[:PATH]  # all that are points, and the number of completed tickets
SHEET_SHAPE = (MAX_PLAYERS + -(-MAX_TRACKS // len(SCORES)), len(SCORES))
SHEET_TYPE = np.int32


@kernel
def ticket_points(g, b, player):
    """The points of the tickets a player has completed, of those it has not, and the number completed (B10)."""
    won, failed, completed = 0, 0, 0
    left = g["tickets"][player]
    while left != NO_BITS:
        ticket = lowest(left)
        if is_completed(g, b, player, ticket):
            won += int(b["ticket_points"][ticket])
            completed += 1
        else:
            failed += int(b["ticket_points"][ticket])
        left = without_lowest(left)
    return won, failed, completed


@kernel
def toll_bonus(g, b, player):
    """N7: the bonus for tokens left, among the players without a loan."""
    if not g["with_tolls"] or g["loans"][player] > 0:
        return 0
    ahead = 0
    for other in range(g["players"]):
        if g["loans"][other] == 0 and g["tolls"][other] > g["tolls"][player]:
            ahead += 1
    return int(b["toll_bonus"][g["players"], ahead])


@kernel
def score_seat(g, b, player, row):
    """Fill in one player's row of the score sheet, all but the rank and what depends on the other rows."""
    won, failed, completed = ticket_points(g, b, player)
    row[ROUTES] = g["points"][player] - b["start_points"][player]
    row[START] = b["start_points"][player]
    row[WON] = won
    row[FAILED] = -failed
    row[TOLL_BONUS] = toll_bonus(g, b, player)
    row[LOANS] = -b["loan_penalty"] * int(g["loans"][player])
    row[LONGEST_PATH] = 0
    row[MOST_TICKETS] = 0
    row[COMPLETED] = completed
    row[PATH] = 0
    row[TOTAL] = 0
    for part in range(TOTAL):
        row[TOTAL] += row[part]


@kernel
def measure_paths(g, b, sheet):
    """Fill in the longest path of every player (U3)."""
    stack = sheet[MAX_PLAYERS:].reshape(-1)
    for player in range(g["players"]):
        sheet[player, PATH] = longest_path(g, b, player, stack)


@kernel
def add_bonus(g, sheet, measure, part, bonus):
    """Whoever has most of a measure gets the bonus, also if it is shared or nothing (S9, U3)."""
    most = 0
    for player in range(g["players"]):
        most = max(most, sheet[player, measure])
    for player in range(g["players"]):
        if sheet[player, measure] == most:
            sheet[player, part] = bonus
            sheet[player, TOTAL] += bonus


@kernel
def is_ahead(row, other):
    """B11: whether one row of the sheet beats another."""
    if row[TOTAL] != other[TOTAL]:
        return row[TOTAL] > other[TOTAL]
    if row[COMPLETED] != other[COMPLETED]:
        return row[COMPLETED] > other[COMPLETED]
    return row[PATH] > other[PATH]


@kernel
def score_totals(g, b, sheet):
    """Fill in the totals and what they are made of; the longest paths only where they earn something."""
    for player in range(g["players"]):
        score_seat(g, b, player, sheet[player])
    if b["path_bonus"] > 0:
        measure_paths(g, b, sheet)
        add_bonus(g, sheet, PATH, LONGEST_PATH, b["path_bonus"])
    if b["most_tickets"] > 0:
        add_bonus(g, sheet, COMPLETED, MOST_TICKETS, b["most_tickets"])


@kernel
def score(g, b, sheet):
    """Score the position as if the game ended here."""
    score_totals(g, b, sheet)
    if b["measures_path"] and b["path_bonus"] == 0:  # it breaks ties alone (B11)
        measure_paths(g, b, sheet)
    for player in range(g["players"]):
        sheet[player, RANK] = 1
        for other in range(g["players"]):
            if is_ahead(sheet[other], sheet[player]):
                sheet[player, RANK] += 1
