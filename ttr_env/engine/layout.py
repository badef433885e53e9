"""What a game and a board look like in memory, and the numbers that name things in both.

Sizes are fixed maxima, so that one compiled engine serves every board. Sets of tickets are one `uint64`, sets
of tracks two. Seats, cities, tracks and tickets are counted from 0; -1 means none.
"""

from __future__ import annotations

import numpy as np

from ttr_env.maps.limits import (
    MAX_CARDS,
    MAX_CITIES,
    MAX_CLAIMS,
    MAX_KINDS,
    MAX_LENGTH,
    MAX_OFFER,
    MAX_PLAYERS,
    MAX_TICKETS,
    MAX_TRACKS,
)

# Cards: eight colours, then the locomotive. As a track's colour, GREY takes the locomotive's place.
LOCOMOTIVE = 8
GREY = 8
COLOURS = 8
CARD_KINDS = 9

# Phases, in the order of `PHASES`.
PHASES = ("keep_tickets", "turn", "second_card", "neutral", "tunnel", "set", "over")
KEEP_TICKETS, TURN, SECOND_CARD, NEUTRAL, TUNNEL, SET, OVER = range(7)

# Kinds of rewards, in the order of `rewards.WIN` and so on.
REWARDS = ("win", "margin", "score", "dense")

# Owners of a track: a seat, or one of these.
FREE = -1
NEUTRAL_OWNER = MAX_PLAYERS

# What becomes of tickets that are not kept, in the order of `maps.model.DISCARDS`.
PUBLIC, UNDER, OUT = range(3)

# The actions that every board has, and where the claims begin. `numbering` says what follows.
DRAW_DECK = 0
DRAW_FACE_UP = DRAW_DECK + 1  # + card
DRAW_TICKETS = DRAW_FACE_UP + CARD_KINDS
PASS = DRAW_TICKETS + 1
KEEP = PASS + 1  # + set of offered slots, as bits, - 1
CLAIM = KEEP + (1 << MAX_OFFER) - 1

# What a claim pays, the columns of `claim_paid`: the colour paid with (the locomotive if no card of a colour is
# paid), the cards of that colour, locomotives, and sets.
PAID_CARD, PAID_CARDS, PAID_LOCOMOTIVES, PAID_SETS = range(4)

WORDS = MAX_TRACKS // 64  # of a set of tracks
LENGTHS = MAX_LENGTH + 1  # indices of an array by length

GAME = np.dtype(
    [
        ("rng", "u8", 1),  # state of the random numbers
        ("ticket_pile", "u8"),  # set of tickets
        ("ticket_discard", "u8"),  # set of tickets
        ("tickets", "u8", MAX_PLAYERS),  # by seat, set of tickets kept
        ("offered", "u8", MAX_PLAYERS),  # by seat, set of tickets to choose from
        ("refused", "u8", MAX_PLAYERS),  # by seat, those of the discard pile that it put there
        ("claimed", "u8", WORDS),  # set of tracks
        ("open", "u8", (MAX_PLAYERS, WORDS)),  # by seat, set of tracks that it may still claim
        ("round", "i4"),  # from 1
        ("tolls", "i2", MAX_PLAYERS),  # by seat, tokens left
        ("points", "i2", MAX_PLAYERS),  # by seat, start points and routes
        ("deck_size", "i2"),  # sum of deck
        ("deck", "i1", CARD_KINDS),
        ("discard", "i1", CARD_KINDS),
        ("face_up", "i1", CARD_KINDS),
        ("hand", "i1", (MAX_PLAYERS, CARD_KINDS)),
        ("known", "i1", (MAX_PLAYERS, CARD_KINDS)),  # of each hand, what everybody knows
        ("trains", "i1", MAX_PLAYERS),
        ("loans", "i1", MAX_PLAYERS),
        ("players", "i1"),
        ("player", "i1"),  # whose decision it is, -1 when over
        ("phase", "i1"),
        ("setup", "i1"),  # 1 until every seat has made its first keep
        ("turns_left", "i1"),  # -1 until B9 fires
        ("passes", "i1"),  # in a row
        ("with_tolls", "i1"),
        ("with_neutral", "i1"),
        ("neutral_active", "i1"),  # 0 once it is out for good
        ("neutral_trains", "i1"),
        ("neutral_marker", "i1"),  # the seat that holds it
        ("neutral_ticket", "i1"),  # turned up and waiting for a choice
        ("owner", "i1", MAX_TRACKS),
        ("open_count", "u1", (MAX_PLAYERS, LENGTHS, COLOURS + 1)),  # open tracks by seat, length and colour
        ("component", "i1", (MAX_PLAYERS, MAX_CITIES)),  # equal labels: connected by the seat's tracks
        ("discards", "i1"),  # what becomes of tickets that are not kept
        # A claim that waits for a decision of the player to move (phases tunnel and set).
        ("pending_claim", "i2"),  # its action
        ("pending_paid", "i1", CARD_KINDS),  # cards of the hand laid down for it, those of sets included
        ("pending_turned", "i1", CARD_KINDS),  # cards turned up at a tunnel
        ("pending_left", "i1"),  # extra cards asked for at a tunnel, or cards of sets still to be chosen
    ],
    align=True,
)

BOARD = np.dtype(
    [
        ("cities", "i2"),
        ("tracks", "i2"),
        ("tickets", "i2"),
        ("seats", "i2"),  # most players
        ("all_tickets", "u8"),
        ("all_tracks", "u8", WORDS),
        ("claims", "i4"),
        ("actions", "i4"),
        ("neutral_action", "i4"),  # the first of the neutral player's two actions, -1: none on this board
        ("tunnel_action", "i4"),  # the first of those at a tunnel, -1: none
        ("decline_action", "i4"),  # the last of them, -1: none
        ("set_action", "i4"),  # the first of those of a set, -1: none
        # The rules' numbers.
        ("trains", "i2"),
        ("start_points", "i2", MAX_PLAYERS),
        ("doubles_open_from", "i2", 2),  # without tolls, with tolls: players
        ("row", "i2"),
        ("row_reset", "i2"),
        ("locomotive_ends_draw", "i2"),
        ("hand", "i2"),
        ("cards", "i2"),  # in all
        ("card_count", "i1", CARD_KINDS),
        ("deal", "i2"),
        ("keep", "i2"),
        ("draw", "i2"),
        ("draw_keep", "i2"),
        ("tokens", "i2"),
        ("loan_penalty", "i2"),
        ("toll_bonus", "i2", (MAX_PLAYERS + 1, MAX_PLAYERS)),  # by number of players and rank
        ("neutral_trains", "i2"),
        ("neutral_first_round", "i2"),
        ("discards", "i2"),  # what becomes of tickets that are not kept
        ("plain_locomotives", "i2"),  # S4: 1 if locomotives pay for tracks that are neither tunnel nor ferry
        ("turned_up", "i2"),  # S6: cards at a tunnel
        ("measures_path", "i2"),  # B11
        ("path_bonus", "i2"),  # U3
        ("most_tickets", "i2"),  # S9
        ("longest", "i2"),  # length of a track
        # Tracks that are not paid for like a plain one of this board: special ones. All others are in classes.
        ("claims_wait", "i2"),  # 1 if some claims wait for a set or at a tunnel (S5 to S7)
        ("special", "i2"),  # how many
        ("special_tracks", "u8", WORDS),
        ("special_coloured", "u8", WORDS),
        ("special_grey", "u8", WORDS),
        # By kind and number of cards in the hand: how many cards a payment needs at least that are not in sets.
        ("kind_singles", "u1", (MAX_KINDS, MAX_CARDS + 1)),
        # By kind, that number, locomotives and cards of the colour in the hand: the ways to pay in this colour, and
        # those without cards of a colour. Beyond the longest track, more cards make no difference.
        ("kind_ways", "u1", (MAX_KINDS, LENGTHS + 1, LENGTHS, LENGTHS)),
        ("class_tracks", "u8", (COLOURS + 1, LENGTHS, WORDS)),  # by colour and length, set of tracks
        ("class_size", "u1", (LENGTHS, COLOURS + 1)),  # by length and colour, how many
        # Tracks.
        ("track_a", "i1", MAX_TRACKS),
        ("track_b", "i1", MAX_TRACKS),
        ("track_length", "i1", MAX_TRACKS),
        ("track_colour", "i1", MAX_TRACKS),
        ("track_toll", "i1", MAX_TRACKS),
        ("track_points", "i2", MAX_TRACKS),
        ("track_partner", "i2", MAX_TRACKS),  # the other track of a double
        ("track_tunnel", "i1", MAX_TRACKS),  # 1 for a tunnel
        ("track_ferry", "i1", MAX_TRACKS),  # locomotive symbols
        ("track_set", "i1", MAX_TRACKS),  # cards of a set, 0: no sets
        ("track_kind", "i1", MAX_TRACKS),  # kind of special track: those of one kind have the same payments
        ("track_plain", "i1", MAX_TRACKS),  # 1 if it is in a class, 0 if it is special
        ("track_claim", "i2", MAX_TRACKS),  # its first action
        ("track_ways", "i2", MAX_TRACKS),  # how many actions claim it
        ("city_tracks", "u8", (MAX_CITIES, WORDS)),  # by city, set of tracks
        # Claims, by action - CLAIM. What they pay adds up to the track's length, a set counting as one card.
        ("claim_track", "u1", MAX_CLAIMS),
        ("claim_paid", "u1", (MAX_CLAIMS, 4)),  # `PAID_CARD` to `PAID_SETS`
        # Tickets.
        ("ticket_a", "i1", MAX_TICKETS),
        ("ticket_b", "i1", MAX_TICKETS),
        ("ticket_points", "i2", MAX_TICKETS),
        ("ticket_neutral", "i2", MAX_TICKETS),  # the lower track of the neutral player's route
        # Observations: where each slice begins (`slices.ALL`), and the factors that bring entries to 0..1.
        ("slices", "i4", 48),
        ("base_size", "i4"),
        ("planning_size", "i4"),  # base features included
        ("scale_card", "f4", CARD_KINDS),
        ("scale_cards", "f4"),
        ("scale_row", "f4"),
        ("scale_trains", "f4"),
        ("scale_points", "f4"),
        ("scale_loans", "f4"),
        ("scale_tolls", "f4"),
        ("scale_tickets", "f4"),
        ("scale_ticket_points", "f4"),
        ("scale_offer", "f4"),
        ("scale_sets", "f4"),
    ],
    align=True,
)


def offset(field: str) -> int:
    """Where a field of a game's record begins, in bytes."""
    return {name: place[1] for name, place in (GAME.fields or {}).items()}[field]
