"""The planner: a player with a plan.

It keeps the tickets whose joint network is worth most, collects what the next tracks of the plan need, claims them,
contested ones first, plans anew when the board changes, takes more tickets while it has room, and turns what trains are
left into long tracks. It weighs tolls against the bonus for those who have most left, keeps a card in reserve for
tunnels, collects locomotives where ferries need them, and lengthens its path where the longest one earns a bonus.
"""

from __future__ import annotations

import numpy as np

from ttr_env.bots.longest_path import added_path, hoped_path
from ttr_env.bots.routes import plan_tickets, survey_if_changed
from ttr_env.bots.spending import (
    anything,
    cheapest_claim,
    choose_extra,
    choose_set_card,
    draw_wanted,
    missing_cards,
    most_held,
    wanted_in_colour,
)
from ttr_env.engine.bits import NO_BITS, bit, has, lowest, popcount, without_lowest
from ttr_env.engine.cards import total
from ttr_env.engine.claims import is_open
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import (
    CLAIM,
    DRAW_TICKETS,
    GREY,
    KEEP,
    KEEP_TICKETS,
    LOCOMOTIVE,
    NEUTRAL,
    PAID_LOCOMOTIVES,
    SECOND_CARD,
    SET,
    TUNNEL,
    WORDS,
)
from ttr_env.engine.legal import LEGAL, keep_verdict
from ttr_env.engine.tickets import can_draw_tickets, is_completed


@kernel
def open_tickets(g, b, player, tickets):
    """Those of a set of tickets that are not completed."""
    found = NO_BITS
    left = tickets
    while left != NO_BITS:
        ticket = lowest(left)
        left = without_lowest(left)
        if not is_completed(g, b, player, ticket):
            found |= bit(ticket)
    return found


@kernel
def total_points(b, tickets):
    """The points of a set of tickets."""
    points = 0
    while tickets != NO_BITS:
        points += int(b["ticket_points"][lowest(tickets)])
        tickets = without_lowest(tickets)
    return points


@kernel
def tokens_of_others(g, b, player, beliefs):
    """The most tokens that another without a loan may have left at the end, by the tracks that all can see."""
    most = 0.0
    for seat in range(g["players"]):
        if seat != player and g["loans"][seat] == 0:
            left = float(b["tokens"]) - beliefs["tokens_a_train"] * int(g["trains"][seat])
            for track in range(b["tracks"]):
                if g["owner"][track] == seat:
                    left -= int(b["track_toll"][track])
            most = max(most, left)
    return most


@kernel
def toll_worth(g, b, player, tolls, beliefs):
    """What paying so many tokens costs in points."""
    if not g["with_tolls"]:
        return 0.0
    after = int(g["tolls"][player]) - tolls
    in_reach = after + beliefs["reach"] >= tokens_of_others(g, b, player, beliefs)
    token = beliefs["token"] if in_reach else beliefs["lost_token"]
    return token * tolls + beliefs["loan"] * ((max(0, -after) + 2) // 3)


@kernel
def turns_a_train(g, b, seat, beliefs):
    """Turns that another needs to place a train, by how fast others are and how fast this one has been."""
    placed = int(b["trains"]) - int(g["trains"][seat])
    return (beliefs["others_turns_a_train"] + beliefs["pace"] * int(g["round"])) / (1.0 + beliefs["pace"] * placed)


@kernel
def turns_to_go(g, b, player, beliefs):
    """About how many turns are left for a player: until somebody has run out of trains."""
    if g["turns_left"] >= 0:
        return 1.0
    fewest = 1000.0
    for seat in range(g["players"]):
        if seat != player:
            cards = total(g["hand"][seat])
            trains = int(g["trains"][seat])
            turns = trains * turns_a_train(g, b, seat, beliefs) - cards * beliefs["others_turns_a_card"]
            fewest = min(fewest, max(trains / 4.0, turns))
    return fewest + 1.0


@kernel
def reachable_trains(g, b, player, beliefs):
    """How many trains the player can hope to place before the game ends."""
    cards = total(g["hand"][player])
    turns = turns_to_go(g, b, player, beliefs) + cards / 2.0
    return min(int(g["trains"][player]), int(turns / beliefs["turns_a_train"]))


@kernel
def plan_worth(g, b, player, net, tickets, trains):
    """Plan a network for a set of tickets, and say what all of them will be worth."""
    unfinished = open_tickets(g, b, player, tickets)
    plan_tickets(g, b, player, net, unfinished, trains)
    beliefs = net["beliefs"]
    done = (tickets & ~unfinished) | net["served"]
    worth = float(total_points(b, done) - total_points(b, tickets & ~done))
    worth -= 2.0 * (1.0 - beliefs["confidence"]) * total_points(b, net["served"])
    worth += net["points"] + beliefs["spare_train"] * (trains - net["trains"])
    return worth - toll_worth(g, b, player, int(net["tolls"]), beliefs)


@kernel
def choose_keep(g, b, player, net):
    """Keep the tickets that are worth most together with those already held."""
    survey_if_changed(g, b, player, net)
    trains = reachable_trains(g, b, player, net["beliefs"])
    offered = g["offered"][player]
    best, best_worth = -1, -1e9
    for slots in range(1, 1 << popcount(offered)):
        if keep_verdict(g, b, slots) != LEGAL:
            continue
        kept = NO_BITS
        left = offered
        slot = 0
        while left != NO_BITS:
            if has(np.uint64(slots), slot):
                kept |= bit(lowest(left))
            left = without_lowest(left)
            slot += 1
        worth = plan_worth(g, b, player, net, g["tickets"][player] | kept, trains)
        if worth > best_worth:
            best, best_worth = slots, worth
    return KEEP + best - 1


@kernel
def route_tracks(g, b, player, track):
    """A planned track and the one beside it, where that is open to the player; else -1."""
    partner = int(b["track_partner"][track])
    return track, partner if partner >= 0 and is_open(g, player, partner) else -1


@kernel
def note_wanted(g, b, player, net):
    """Count the cards that the plan lacks, by colour: for each route, of the track that lacks fewest."""
    hand = g["hand"][player]
    net["wanted"][:] = 0
    net["jokers"] = 0
    fewest = 100
    for word in range(WORDS):
        left = net["planned"][word]
        while left != NO_BITS:
            track, partner = route_tracks(g, b, player, 64 * word + lowest(left))
            left = without_lowest(left)
            lacks = missing_cards(b, hand, track)
            if partner >= 0:
                others = missing_cards(b, hand, partner)
                if others < lacks:
                    track, lacks = partner, others
            fewest = min(fewest, lacks)
            colour = int(b["track_colour"][track])
            if colour == GREY:
                colour = most_held(hand)
            net["wanted"][colour] += wanted_in_colour(b, hand, track, colour)
            net["jokers"] += int(b["track_ferry"][track]) + int(b["track_tunnel"][track])
    return fewest


@kernel
def is_worth_a_try(g, b, player, track):
    """Whether to claim a track that can be paid for: a tunnel only with a reserve, or when there is no time for one."""
    if not b["track_tunnel"][track] or g["turns_left"] >= 0:
        return True
    return missing_cards(b, g["hand"][player], track) == 0


@kernel
def claim_planned(g, b, player, net):
    """Claim a planned track that can be paid for: contested ones first, then long ones; -1 if none can."""
    best, best_score = -1, -1.0
    for word in range(WORDS):
        left = net["planned"][word]
        while left != NO_BITS:
            planned = 64 * word + lowest(left)
            left = without_lowest(left)
            track, partner = route_tracks(g, b, player, planned)
            for choice in (track, partner):
                if choice < 0 or b["track_length"][choice] > g["trains"][player]:
                    continue  # the planned track is short enough, but the one beside it may be longer
                if not is_worth_a_try(g, b, player, choice):
                    continue
                claim = cheapest_claim(g, b, player, choice, net["wanted"])
                if claim < 0:
                    continue
                score = float(b["track_length"][choice])
                if partner < 0:
                    score += net["beliefs"]["contested"]
                if b["track_colour"][choice] != GREY:
                    score -= 0.5 * int(b["claim_paid"][claim - CLAIM, PAID_LOCOMOTIVES])
                if score > best_score:
                    best, best_score = claim, score
    return best


@kernel
def completes(g, b, player, track):
    """The points of the tickets that a track would complete."""
    component = g["component"][player]
    one, other = component[b["track_a"][track]], component[b["track_b"][track]]
    points = 0
    left = g["tickets"][player]
    while left != NO_BITS:
        ticket = lowest(left)
        left = without_lowest(left)
        start, end = component[b["ticket_a"][ticket]], component[b["ticket_b"][ticket]]
        if start != end and ((start == one and end == other) or (start == other and end == one)):
            points += int(b["ticket_points"][ticket])
    return points


@kernel
def claim_for_points(g, b, player, net, patience):
    """The claim, or the draw, with the best points a turn; `patience` is how many turns it may take."""
    hand, beliefs = g["hand"][player], net["beliefs"]
    best, best_rate, target = -1, 0.0, -1
    hoped = hoped_path(g, b, player, net["stack"])
    for track in range(b["tracks"]):
        length = int(b["track_length"][track])
        if length > g["trains"][player] or not is_open(g, player, track):
            continue
        lacks = missing_cards(b, hand, track)
        turns = 1.0 + (lacks + 1) // 2
        if turns > patience:
            continue
        worth = int(b["track_points"][track]) + 2.0 * completes(g, b, player, track)
        worth -= toll_worth(g, b, player, int(b["track_toll"][track]), beliefs)
        if hoped >= 0:
            worth += beliefs["path_train"] * added_path(g, b, player, track, hoped, net["stack"])
        rate = worth / turns
        if rate > best_rate:
            best_rate, target = rate, track
            best = cheapest_claim(g, b, player, track, net["wanted"]) if lacks == 0 else -1
    if best < 0 and target >= 0:
        net["wanted"][:] = 0
        colour = int(b["track_colour"][target])
        net["wanted"][most_held(hand) if colour == GREY else colour] = 9
    return best


@kernel
def draw_or_anything(g, b, player, net, lacking):
    """Draw what is wanted most; a face-up locomotive if one card is lacking, or if it is needed and a card like any."""
    cheap = not b["locomotive_ends_draw"] and g["hand"][player, LOCOMOTIVE] < net["jokers"]
    draw = draw_wanted(g, b, net["wanted"], lacking == 1 or cheap)
    return draw if draw >= 0 else anything(g, b, player, net["wanted"])


@kernel
def choose_on_turn(g, b, player, net):
    """What to do with a turn, or with its second card."""
    survey_if_changed(g, b, player, net)
    trains = reachable_trains(g, b, player, net["beliefs"])
    unfinished = open_tickets(g, b, player, g["tickets"][player])
    plan_tickets(g, b, player, net, unfinished, trains)
    lacking = note_wanted(g, b, player, net)
    has_plan = net["trains"] > 0
    if g["phase"] == SECOND_CARD:
        if not has_plan:
            claim_for_points(g, b, player, net, turns_to_go(g, b, player, net["beliefs"]))
        return draw_or_anything(g, b, player, net, 0)
    if wants_tickets(g, net, trains):
        return DRAW_TICKETS
    if has_plan:
        claim = claim_planned(g, b, player, net)
        return claim if claim >= 0 else draw_or_anything(g, b, player, net, lacking)
    claim = claim_for_points(g, b, player, net, turns_to_go(g, b, player, net["beliefs"]))
    return claim if claim >= 0 else draw_or_anything(g, b, player, net, 0)


@kernel
def wants_tickets(g, net, trains):
    """Whether so many trains that can still be placed leave room for more tickets."""
    if not can_draw_tickets(g) or g["turns_left"] >= 0:
        return False
    room = net["beliefs"]["room_beside_plan"] if net["trains"] > 0 else net["beliefs"]["room_for_tickets"]
    return trains - net["trains"] >= room


@kernel
def choose_neutral(g, b, player):
    """Put the neutral player where it is least in the way: on the track that fits the own hand worse."""
    lower = int(b["ticket_neutral"][g["neutral_ticket"]])
    higher = int(b["track_partner"][lower])
    hand = g["hand"][player]
    lacks = missing_cards(b, hand, lower)
    return int(b["neutral_action"]) + int(missing_cards(b, hand, higher) > lacks)


@kernel
def choose_for_set(g, b, player, net):
    """Put into a set what the plan wants least."""
    survey_if_changed(g, b, player, net)
    trains = reachable_trains(g, b, player, net["beliefs"])
    plan_tickets(g, b, player, net, open_tickets(g, b, player, g["tickets"][player]), trains)
    note_wanted(g, b, player, net)
    return choose_set_card(g, b, player, net["wanted"])


@kernel
def planner_action(g, b, net):
    """The planner's action for the player to move, by what it believes (`net["beliefs"]`)."""
    player = int(g["player"])
    net["toll_cost"] = int(net["beliefs"]["toll_cost"])
    if g["phase"] == KEEP_TICKETS:
        return choose_keep(g, b, player, net)
    if g["phase"] == NEUTRAL:
        return choose_neutral(g, b, player)
    if g["phase"] == TUNNEL:
        return choose_extra(g, b)
    if g["phase"] == SET:
        return choose_for_set(g, b, player, net)
    return choose_on_turn(g, b, player, net)
