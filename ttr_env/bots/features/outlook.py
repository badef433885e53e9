"""What a player expects: how long the game goes on, what the others have, what the plan wants.

The numbers are estimates of how fast games go. They are a part of the features' version: the planner's own may change.
"""

from __future__ import annotations

from ttr_env.bots.planner import route_tracks
from ttr_env.bots.search import is_planned
from ttr_env.bots.spending import missing_cards, wanted_in_colour
from ttr_env.engine.bits import NO_BITS, bit, lowest, without_lowest
from ttr_env.engine.cards import total
from ttr_env.engine.claims import cards_of_colour
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import CARD_KINDS, COLOURS, GREY, LOCOMOTIVE, NEUTRAL_OWNER, WORDS

TURNS_A_TRAIN = 1.27  # that placing a train takes a player with a plan
OTHERS_TURNS_A_TRAIN = 0.68  # that placing a train takes the others, drawing cards included
OTHERS_TURNS_A_CARD = 0.39  # that a card in the hand saves them
TRAINS_A_TURN = 4.0  # that nobody places more of
TOLL_COST = 5  # of a token, where the plan looks for routes
TOLL_WORTH = 0.6  # of a token, in points, where tracks are compared

NO_LACK = 7  # more cards than matter
ANY_CARD = CARD_KINDS  # after the kinds of cards: whichever helps


@kernel
def turns_to_go(g, player):
    """About how many turns are left for a player: until somebody else has run out of trains."""
    if g["turns_left"] >= 0:
        return 1.0
    fewest = 1000.0
    for seat in range(g["players"]):
        if seat != player:
            cards, trains = total(g["hand"][seat]), int(g["trains"][seat])
            turns = trains * OTHERS_TURNS_A_TRAIN - cards * OTHERS_TURNS_A_CARD
            fewest = min(fewest, max(trains / TRAINS_A_TURN, turns))
    return fewest + 1.0


@kernel
def reachable_trains(g, player):
    """How many trains a player can hope to place before the game ends."""
    cards = total(g["hand"][player])
    return min(int(g["trains"][player]), int((turns_to_go(g, player) + cards / 2.0) / TURNS_A_TRAIN))


@kernel
def read_board(g, b, player, view):
    """By the tracks that all can see: the tokens of every seat, and the cities that each has reached.

    Whether the other track of a route was claimed before or after cannot be seen, so its toll counts half.
    """
    tolls, touched = view["tolls"], view["touched"]
    for seat in range(g["players"]):
        tolls[seat] = float(b["tokens"])
        touched[seat] = NO_BITS
    for word in range(WORDS):
        left = g["claimed"][word]
        while left != NO_BITS:
            track = 64 * word + lowest(left)
            left = without_lowest(left)
            owner = int(g["owner"][track])
            if owner == NEUTRAL_OWNER:
                continue
            touched[owner] |= bit(b["track_a"][track]) | bit(b["track_b"][track])
            toll, partner = float(b["track_toll"][track]), int(b["track_partner"][track])
            tolls[owner] -= toll
            if partner >= 0 and 0 <= g["owner"][partner] < NEUTRAL_OWNER:
                tolls[owner] += 0.5 * toll
    tolls[player] = float(g["tolls"][player])


@kernel
def want(b, hand, track, wanted):
    """Want the cards of a planned track; of a grey one, in every colour that the hand has most of."""
    colour = int(b["track_colour"][track])
    most = cards_of_colour(hand, colour)
    for card in range(COLOURS):
        if card == colour or (colour == GREY and hand[card] == most):
            wanted[card] += wanted_in_colour(b, hand, track, card)


@kernel
def read_plan(g, b, player, net, view):
    """Count the cards that the plan wants; returns how many its nearest track lacks.

    Of a route with two open tracks, the one that lacks fewer counts; both where they lack as many.
    """
    hand = g["hand"][player]
    view["wanted"][:] = 0
    fewest = NO_LACK
    for word in range(WORDS):
        left = net["planned"][word]
        while left != NO_BITS:
            track, partner = route_tracks(g, b, player, 64 * word + lowest(left))
            left = without_lowest(left)
            lacks = missing_cards(b, hand, track)
            beside = NO_LACK if partner < 0 else missing_cards(b, hand, partner)
            fewest = min(fewest, lacks, beside)
            if lacks <= beside or partner < 0:
                want(b, hand, track, view["wanted"])
            if partner >= 0 and beside <= lacks:
                want(b, hand, partner, view["wanted"])
    return fewest


@kernel
def helps(b, hand, track, most, card):
    """Whether a card of a kind brings a track nearer, of whose colour, or best colours, the hand has `most`."""
    colour = int(b["track_colour"][track])
    if card == ANY_CARD:
        return True
    if card != LOCOMOTIVE:
        return card == colour or (colour == GREY and hand[card] == most)
    if b["track_plain"][track]:
        return b["plain_locomotives"] > 0  # S4
    return b["track_tunnel"][track] > 0 or b["track_ferry"][track] > 0  # S7: not where sets alone are special


@kernel
def note_track(b, hand, track, planned, with_tolls, view):
    """What one card more would bring for a track, by its kind."""
    lacks = missing_cards(b, hand, track)
    if lacks == 0:
        return
    length, most = int(b["track_length"][track]), cards_of_colour(hand, int(b["track_colour"][track]))
    worth = float(b["track_points"][track]) - (TOLL_WORTH * int(b["track_toll"][track]) if with_tolls else 0.0)
    rate = worth / (1.0 + (lacks + 1) // 2)
    for card in range(ANY_CARD + 1):
        if not helps(b, hand, track, most, card):
            continue
        view["rate"][card] = max(view["rate"][card], rate)
        if lacks == 1:
            view["longest"][card] = max(view["longest"][card], length)
        if planned:
            view["lack"][card] = min(view["lack"][card], lacks)


@kernel
def read_colours(g, b, player, net, view):
    """By card: the best points a turn, the longest track within one card, what the nearest planned track lacks."""
    view["rate"][:] = 0.0
    view["longest"][:] = 0
    view["lack"][:] = NO_LACK
    hand = g["hand"][player]
    for word in range(WORDS):
        left = g["open"][player, word]
        while left != NO_BITS:
            track = 64 * word + lowest(left)
            left = without_lowest(left)
            if b["track_length"][track] <= g["trains"][player]:
                note_track(b, hand, track, is_planned(b, net, track), g["with_tolls"], view)
