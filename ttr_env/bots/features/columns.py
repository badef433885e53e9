"""The columns of action features: their names, ranges and meanings, and the records that kernels write them into.

A kernel writes `action["length"]`; a network reads the same memory as an array of numbers. All entries are float32 and
lie between -1 and 1, those of which nothing else is said between 0 and 1. Fractions are of what the board has: trains
of the trains at the start, tolls of the tokens at the start.

A track is said to lack cards as `spending.missing_cards` counts them, and what the plan costs is told in `routes`: 4
for a train, 5 for a token, 2 for a locomotive symbol, 3 for a tunnel; what costs 255 or more cannot be reached.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

VERSION = 1  # to be raised when a column changes its meaning, comes or goes


class Column(NamedTuple):
    """An entry of the state or of an action."""

    group: str  # what can be left out together, to see what it is worth
    name: str
    meaning: str
    signed: bool = False  # from -1 on


STATE = (
    Column("phase", "keeping", "1 while tickets are chosen"),
    Column("phase", "turn", "1 at the start of a turn"),
    Column("phase", "second_card", "1 when a second card is drawn"),
    Column("phase", "neutral", "1 when the neutral player's track is chosen"),
    Column("phase", "tunnel", "1 when a tunnel asks for more cards"),
    Column("phase", "set", "1 when cards of a set are chosen"),
    Column("phase", "setup", "1 until everybody has made the first choice of tickets"),
    Column("phase", "asked", "cards that a waiting claim still asks for, of 6"),
    Column("table", "two_players", "1 at a table of two"),
    Column("table", "three_players", "1 at a table of three"),
    Column("table", "four_players", "1 at a table of four"),
    Column("table", "five_players", "1 at a table of five"),
    Column("table", "with_tolls", "1 where tolls are paid"),
    Column("table", "neutral_active", "1 while the neutral player may still claim"),
    Column("table", "locomotive_ends_draw", "1 where a face-up locomotive is the whole draw"),
    Column("table", "plain_locomotives", "1 where locomotives pay for any track"),
    Column("table", "path_bonus", "the bonus for the longest path, of 20 points"),
    Column("table", "tickets_bonus", "the bonus for most completed tickets, of 20 points"),
    Column("time", "last_turns", "1 once the last turns have begun"),
    Column("time", "turns_left", "of the last turns, by 5"),
    Column("time", "round", "of 60"),
    Column("time", "turns_to_go", "about how many turns are left, of 40"),
    Column("time", "trains", "own trains left"),
    Column("time", "fewest_trains", "those of the other who has fewest"),
    Column("time", "mean_trains", "the mean of the others' trains"),
    Column("time", "trains_lead", "own trains, less the fewest of another", signed=True),
    Column("time", "reach", "trains that can still be placed, about"),
    Column("score", "points", "own points so far, of 200", signed=True),
    Column("score", "most_points", "those of the other who has most", signed=True),
    Column("score", "mean_points", "the mean of the others' points", signed=True),
    Column("score", "points_lead", "own points, less the most of another, by 100", signed=True),
    Column("cards", "hand", "own cards, of 30"),
    Column("cards", "locomotives", "own locomotives, of 8"),
    Column("cards", "most_held", "cards of the colour that the hand has most of, of 10"),
    Column("cards", "most_others_cards", "the largest hand of another, of 30"),
    Column("cards", "mean_others_cards", "the mean of the others' hands, of 30"),
    Column("cards", "deck", "cards in the deck, of all"),
    Column("cards", "discard", "cards in the discard pile, of all"),
    Column("tolls", "tolls", "own tokens"),
    Column("tolls", "most_tolls", "most tokens of another without a loan, by the tracks on the board", signed=True),
    Column("tolls", "tolls_lead", "own tokens, less those, by 15", signed=True),
    Column("tolls", "others_ahead", "share of the others who seem to have more tokens and no loan"),
    Column("tolls", "loans", "own loans, of 4"),
    Column("tolls", "others_loans", "share of the others who have a loan"),
    Column("tickets", "open_tickets", "own tickets not completed, of 6"),
    Column("tickets", "completed", "own tickets completed, of 12"),
    Column("tickets", "completed_points", "their points, of 150"),
    Column("tickets", "most_tickets", "tickets of the other who has most, of 12"),
    Column("tickets", "mean_tickets", "the mean of the others' tickets, of 12"),
    Column("tickets", "pile", "tickets that can be drawn, of all"),
    Column("plan", "planned", "1 if there is a plan: tracks that complete open tickets"),
    Column("plan", "plan_trains", "trains that the plan needs"),
    Column("plan", "plan_tolls", "tokens that it costs"),
    Column("plan", "plan_points", "points of its tracks, of 60"),
    Column("plan", "served", "tickets that it completes, of 6"),
    Column("plan", "served_points", "their points, of 80"),
    Column("plan", "unserved_points", "points of open tickets that it does not complete, of 80"),
    Column("plan", "lacking", "cards that the nearest planned track lacks, of 6; 1 without a plan"),
    Column("plan", "wanted", "cards that the plan wants, in each of the colours that would do, of 30"),
    Column("plan", "spare_trains", "trains that can be placed, less those of the plan", signed=True),
    Column("plan", "outlook", "points, completed tickets and the plan together, of 300", signed=True),
    Column("path", "path", "own longest path, of 45, where it earns a bonus"),
    Column("path", "path_lead", "own path, less the longest of another, by 20, where it earns a bonus", signed=True),
)  # fmt: skip

ACTION = (
    Column("kind", "draw_deck", "1 for a card from the deck"),
    Column("kind", "draw_colour", "1 for a face-up card of a colour"),
    Column("kind", "draw_locomotive", "1 for a face-up locomotive"),
    Column("kind", "draw_tickets", "1 for tickets"),
    Column("kind", "pass", "1 for passing"),
    Column("kind", "keep", "1 for keeping some of the offered tickets"),
    Column("kind", "claim", "1 for claiming a track"),
    Column("kind", "neutral_claim", "1 for a track of the neutral player; `planned_lack` is what it lacks itself"),
    Column("kind", "tunnel_pay", "1 for paying what a tunnel asks for"),
    Column("kind", "tunnel_decline", "1 for declining to"),
    Column("kind", "set_card", "1 for a card of a set"),
    Column("kind", "advised", "1 for what an adviser would do, where there is one"),
    Column("claim", "length", "of the track, of 9"),
    Column("claim", "points", "for it, of 20"),
    Column("claim", "last_of_route", "1 if no other track of the route is open to the player"),
    Column("claim", "beside_other", "1 if somebody has the other track of the route"),
    Column("claim", "trains_after", "own trains left after it"),
    Column("claim", "ends_game", "1 if the last turns begin with it"),
    Column("claim", "tunnel", "1 for a tunnel"),
    Column("claim", "ferry", "locomotive symbols, of 4"),
    Column("claim", "own_ends", "share of its ends at which the player has a track"),
    Column("payment", "locomotives_paid", "locomotives that it pays, of 6"),
    Column("payment", "cards_paid", "cards of a colour that it pays, of 9"),
    Column("payment", "sets_paid", "sets that it pays, of 4"),
    Column("payment", "conflict", "cards of its colour that the plan wants, one fewer if it is in the plan, of 6"),
    Column("payment", "cards_left", "of the colour it pays, of 6"),
    Column("payment", "hand_after", "cards left in the hand, of 30"),
    Column("payment", "reserve", "cards left, with locomotives, that could pay more at a tunnel, of 6"),
    Column("toll", "toll", "of the track, of 4"),
    Column("toll", "loan", "1 if the toll cannot be paid"),
    Column("toll", "toll_a_train", "the toll for each train, by 2"),
    Column("toll", "tolls_lead_after", "own tokens, less the toll and the most of another, by 15", signed=True),
    Column("toll", "paid_to_player", "1 if the toll goes to another player"),
    Column("ticket", "completes", "points of the own tickets that it completes, of 30"),
    Column("ticket", "nearer", "what it saves the own open tickets together, by the costs of the plan, of 40"),
    Column("ticket", "nearer_points", "points of these tickets, each times the share of its costs saved, of 30"),
    Column("ticket", "helps", "open tickets that it brings nearer, of 4"),
    Column("ticket", "in_plan", "1 if it is in the plan, or beside a track that is"),
    Column("rival", "joins_others", "share of the others of whose networks it would join two parts"),
    Column("rival", "touches_others", "share of the others whose network it touches, and who have not joined its ends"),
    Column("path", "path_gain", "trains that it adds to the own longest path, of 9, where that earns a bonus"),
    Column("card", "want", "cards of this kind that the plan wants, of 6"),
    Column("card", "held", "cards of this kind in the hand, also those laid down for a claim that waits, of 10"),
    Column("card", "face_up", "cards of this kind in the row, of 5"),
    Column("card", "pays_planned", "1 if one such card would pay for a planned track"),
    Column("card", "planned_lack", "cards that the nearest planned track lacks which one such card helps, of 7"),
    Column("card", "best_rate", "most points a turn that tracks promise which one such card helps, of 10"),
    Column("card", "longest_payable", "the longest track that one such card would pay for, of 9"),
    Column("card", "wanted_chance", "share of unseen cards that are locomotives or wanted by the plan, for the deck"),
    Column("keep", "worth", "what all tickets would be worth together, planned anew, of 150", signed=True),
    Column("keep", "regret", "how much less that is than with the best choice, of 50"),
    Column("keep", "kept", "tickets kept, of 5"),
    Column("keep", "kept_points", "their points, of 80"),
    Column("keep", "plan_trains", "trains that the new plan needs"),
    Column("keep", "plan_tolls", "tokens that it costs"),
    Column("keep", "plan_served", "points of tickets that it completes, with those completed before, of 150"),
    Column("keep", "plan_unserved", "points of tickets that it does not complete, of 60"),
    Column("keep", "room", "trains that can be placed, less those of the plan; also for drawing tickets", signed=True),
)  # fmt: skip

# What a critic may be told in training and no player ever is.
HIDDEN = (
    Column("hidden", "own_standing", "own points and completed tickets, of 300", signed=True),
    Column("hidden", "best_standing", "those of the other who has most", signed=True),
    Column("hidden", "standing_lead", "the difference, by 100", signed=True),
    Column("hidden", "best_open", "points of that other's open tickets, of 80"),
    Column("hidden", "true_tolls", "tokens of the other without a loan who has most", signed=True),
    Column("hidden", "true_tolls_lead", "own tokens, less those, by 15", signed=True),
)


GROUPS = tuple(dict.fromkeys(column.group for column in (*STATE, *ACTION)))


def names(columns: tuple[Column, ...]) -> list[str]:
    """The names of columns, in their order."""
    return [column.name for column in columns]


def record(columns: tuple[Column, ...]) -> np.dtype:
    """A record with a float32 for each column."""
    return np.dtype([(column.name, "f4") for column in columns])
