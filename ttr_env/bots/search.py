"""Tree search over what a player can know: whole games are played out in many worlds that agree with it.

A world is the position with everything hidden dealt anew. The searching player's decisions form a tree, which all
worlds share; the other seats play like the planner, and so does the searcher below the tree. A node tries the planner's
choice first, and other candidates as it is visited more often. It is version 1: see `rollouts` for what came after it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ttr_env.bots.beliefs import STYLES, believe
from ttr_env.bots.planner import planner_action
from ttr_env.bots.routes import FORGOTTEN
from ttr_env.bots.spending import cheapest_claim
from ttr_env.engine.bits import has
from ttr_env.engine.cards import can_draw_blind
from ttr_env.engine.claims import is_open
from ttr_env.engine.hidden import redeal
from ttr_env.engine.jit import entry, kernel
from ttr_env.engine.layout import (
    CARD_KINDS,
    CLAIM,
    DRAW_DECK,
    DRAW_FACE_UP,
    DRAW_TICKETS,
    OVER,
    SECOND_CARD,
    TURN,
)
from ttr_env.engine.legal import LEGAL, face_up_verdict, verdict
from ttr_env.engine.play import apply
from ttr_env.engine.scoring import TOTAL, score
from ttr_env.engine.tickets import can_draw_tickets

MAX_CANDIDATES = 160  # tracks and draws, or the ways to keep five tickets
OTHER_CLAIMS = 6  # that are tried without being planned
MAX_DEPTH = 64  # of the searcher's decisions in the tree
MAX_PLAYED = 1000  # decisions after which a game counts as it stands: some maps let players drag it out
EXPLORATION = 0.3  # of the values between 0 and 1 that nodes average
PATIENCE = 8.0  # visits that a node takes before it tries its second candidate
PLANNER = STYLES.index("planner:version=1")  # in all seats
HALF_SURE = 20.0  # points of margin with which a game counts as three quarters won

# A node stands for an action in the tree, after those above it.
NODE = np.dtype(
    [
        ("action", "i8"),
        ("child", "i8"),  # the first one, 0: none
        ("sibling", "i8"),  # the next one, 0: none
        ("visits", "f8"),
        ("available", "f8"),  # times that it could have been visited
        ("value", "f8"),  # sum over the visits
    ]
)

# What one searching thread needs beside its nodes.
SEARCHER = np.dtype(
    [
        ("candidates", "i8", MAX_CANDIDATES),
        ("path", "i8", MAX_DEPTH),
        ("used", "i8"),  # nodes, the root among them
    ],
    align=True,
)


class Trees(NamedTuple):
    """What the searching threads work on, one entry for each of them."""

    worlds: np.ndarray  # of `layout.GAME`
    nodes: np.ndarray  # [threads, nodes] of `NODE`
    searchers: np.ndarray  # of `SEARCHER`
    nets: np.ndarray  # [threads, players] of `routes.NETWORK`
    sheets: np.ndarray  # to score with
    values: np.ndarray  # [threads, candidates]: what these were worth in the last world


@kernel
def list_candidates(g, b, first, net, candidates):
    """Write the actions worth a try, `first` in front; returns how many.

    Of the ways to pay for a track, only the one that spends the fewest locomotives is listed.
    """
    candidates[0] = first
    if g["phase"] == TURN or g["phase"] == SECOND_CARD:
        return list_on_turn(g, b, first, net, candidates)
    count = 1
    for action in range(b["actions"]):
        if action != first and verdict(g, b, action) == LEGAL:
            candidates[count] = action
            count += 1
    return count


@kernel
def list_on_turn(g, b, first, net, candidates):
    """The candidates in the phases of a turn."""
    count = 1
    if first != DRAW_DECK and can_draw_blind(g):
        candidates[count] = DRAW_DECK
        count += 1
    for card in range(CARD_KINDS):
        if first != DRAW_FACE_UP + card and face_up_verdict(g, b, card) == LEGAL:
            candidates[count] = DRAW_FACE_UP + card
            count += 1
    if g["phase"] == SECOND_CARD:
        return count
    if first != DRAW_TICKETS and can_draw_tickets(g):
        candidates[count] = DRAW_TICKETS
        count += 1
    return list_claims(g, b, first, net, candidates, count)


@kernel
def list_claims(g, b, first, net, candidates, count):
    """Add claims: those of planned tracks and of tracks beside them, and a few of those with the most points."""
    player = int(g["player"])
    for planned in (True, False):
        begin = count
        for track in range(b["tracks"]):
            if b["track_length"][track] > g["trains"][player] or not is_open(g, player, track):
                continue
            claim = cheapest_claim(g, b, player, track, net["wanted"])
            if claim >= 0 and claim != first and is_planned(b, net, track) == planned:
                count = insert_claim(b, candidates, begin, count, claim)
        if not planned:
            count = min(count, begin + OTHER_CLAIMS)
    return count


@kernel
def insert_claim(b, candidates, begin, count, claim):
    """Put a claim among those from `begin` on, the longest tracks first; returns how many candidates there are."""
    length = int(b["track_length"][b["claim_track"][claim - CLAIM]])
    place = count
    while place > begin and b["track_length"][b["claim_track"][candidates[place - 1] - CLAIM]] < length:
        candidates[place] = candidates[place - 1]
        place -= 1
    candidates[place] = claim
    return count + 1


@kernel
def is_planned(b, net, track):
    """Whether a track is in the plan of the player to move, or beside one that is."""
    partner = int(b["track_partner"][track])
    planned = has(net["planned"][track >> 6], track & 63)
    return planned or (partner >= 0 and has(net["planned"][partner >> 6], partner & 63))


@kernel
def win_value(g, b, player, sheet):
    """What the end of a game is worth to a player: 0 for a clear loss, a half for a draw, 1 for a clear win."""
    score(g, b, sheet)
    best_other = -100000
    for seat in range(g["players"]):
        if seat != player:
            best_other = max(best_other, int(sheet[seat, TOTAL]))
    margin = float(int(sheet[player, TOTAL]) - best_other)
    return 0.5 + 0.5 * margin / (HALF_SURE + abs(margin))


@kernel
def add_node(nodes, searcher, parent, action):
    """Hang a new node under another."""
    index = searcher["used"]
    searcher["used"] += 1
    node = nodes[index]
    node["action"] = action
    node["child"] = 0
    node["sibling"] = nodes[parent]["child"]
    node["visits"] = 0.0
    node["available"] = 0.0
    node["value"] = 0.0
    nodes[parent]["child"] = index
    return index


@kernel
def find_child(nodes, parent, action):
    """The node of an action under another; 0 if it has none yet."""
    child = nodes[parent]["child"]
    while child != 0 and nodes[child]["action"] != action:
        child = nodes[child]["sibling"]
    return child


@kernel
def choose_child(nodes, searcher, parent, count):
    """The node to visit under another: the next untried candidate, or the one with the highest upper bound."""
    allowed = 1.0 + nodes[parent]["visits"] / PATIENCE
    candidates = searcher["candidates"]
    best, best_bound = 0, -1.0
    for place in range(count):
        child = find_child(nodes, parent, candidates[place])
        if child == 0:
            if place < allowed and searcher["used"] < nodes.shape[0]:
                return add_node(nodes, searcher, parent, candidates[place])
            continue
        node = nodes[child]
        node["available"] += 1.0
        bound = node["value"] / node["visits"] + EXPLORATION * np.sqrt(np.log(node["available"]) / node["visits"])
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@kernel
def visit(g, b, nodes, searcher, nets, sheet, root, player):
    """Play a world to its end from a node of the tree on; the nodes on the way learn what it was worth."""
    for seat in range(g["players"]):
        nets[seat]["surveyed"] = FORGOTTEN
        believe(g, b, PLANNER, nets[seat])
    path = searcher["path"]
    path[0] = root
    depth, played, in_tree = 1, 0, True
    while g["phase"] != OVER and played < MAX_PLAYED:
        net = nets[g["player"]]
        action = planner_action(g, b, net)
        if in_tree and g["player"] == player:
            count = list_candidates(g, b, action, net, searcher["candidates"])
            node = choose_child(nodes, searcher, path[depth - 1], count)
            in_tree = node != 0 and depth < MAX_DEPTH - 1 and nodes[node]["visits"] > 0
            if node != 0:
                path[depth] = node
                depth += 1
                action = nodes[node]["action"]
        apply(g, b, action)
        played += 1
    value = win_value(g, b, player, sheet)
    for place in range(depth):
        nodes[path[place]]["visits"] += 1.0
        nodes[path[place]]["value"] += value
    return value


@entry
def list_root(games, index, boards, trees):
    """Write the candidates of a position into the first searcher, the planner's choice in front."""
    g = games[index]
    net = trees.nets[0, 0]
    net["surveyed"] = FORGOTTEN
    believe(g, boards[0], PLANNER, net)
    first = planner_action(g, boards[0], net)
    return list_candidates(g, boards[0], first, net, trees.searchers[0]["candidates"])


@entry
def plant(trees, actions):
    """Begin the searchers' trees: node `i + 1` stands for action `i`."""
    nodes, searchers = trees.nodes, trees.searchers
    for worker in range(nodes.shape[0]):
        searchers[worker]["used"] = 1
        nodes[worker, 0]["child"] = 0
        for place in range(actions.shape[0]):
            add_node(nodes[worker], searchers[worker], 0, actions[place])


@entry
def sweep(games, index, boards, seed, places, trees, worker):
    """Try some of the candidates in one world, each from the same seed on; writes what they were worth."""
    b = boards[0]
    g = trees.worlds[worker]
    nodes, searcher = trees.nodes[worker], trees.searchers[worker]
    nets, sheet = trees.nets[worker], trees.sheets[worker]
    player = int(games[index]["player"])
    for place in places:
        trees.worlds[worker] = games[index]
        redeal(g, player, seed)
        apply(g, b, nodes[place + 1]["action"])
        trees.values[worker, place] = visit(g, b, nodes, searcher, nets, sheet, place + 1, player)
