"""The longest path in a tangled network, by sweeping over its cities.

The tracks of a path are connected, and an odd number of them meets at no more than two cities; tracks like that are a
path. So we ask which tracks to leave out, at the least loss, for the others to be so. Cities are left behind one after
another, once it is decided for all of their tracks whether they are kept. What was decided so far matters only for the
*frontier*, the cities that were reached and are not left yet: where an odd number of kept tracks meets, which of
these cities are connected, and how many odd cities were left behind.

As long as nothing needs to be connected, the least loss from every frontier on can be tabulated (`tabulate_losses`).
It is a close bound: a search that loses no more, and remembers what it tried in vain, mostly succeeds at its first
attempt, and else needs a few that may lose a little more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ttr_env.engine.bits import NO_BITS, ONE, bit, has, lowest, popcount, without_lowest, wrapping_multiply
from ttr_env.engine.jit import kernel
from ttr_env.maps.limits import MAX_CITIES

MAX_FRONTIER = 16  # cities
TOO_WIDE = -1  # in place of a length: the frontier would be larger
NARROW = 8  # cities of a frontier that is not worth looking for a narrower one

_NEVER = 255  # a loss that cannot be; all tracks together are shorter
_MEMORY = 1 << 15  # frontiers that are remembered
_ALL_PLACES = np.uint64((1 << MAX_FRONTIER) - 1)
_NIBBLE = np.uint64(15)

# What becomes of a frontier when a city leaves it.
_GOES_ON, _FALLS_APART, _IS_COMPLETE = range(3)


class Network(NamedTuple):
    """Tracks that are connected with each other."""

    one: np.ndarray  # int64 [tracks]: the city at one end,
    other: np.ndarray  # and at the other
    length: np.ndarray


class Steps(NamedTuple):
    """The sweep: in each step a track is kept or left out, or a city leaves the frontier, where it had a place."""

    leaves: np.ndarray  # bool [steps]
    one: np.ndarray  # int64 [steps]: the place of the city, or of the city at one end of the track,
    other: np.ndarray  # and at its other end
    length: np.ndarray  # of the track
    ahead: np.ndarray  # int64 [steps + 1]: the length of all tracks from this step on
    size: np.ndarray  # int64 [steps + 1]: of each of the two tables of losses before this step,
    begin: np.ndarray  # which begin here


class Trail(NamedTuple):
    """The frontiers before each step on the way to the one that is looked at, [steps + 1]."""

    connected: np.ndarray  # uint64: four bits a place, the same for cities that are connected, 0: no track there
    odd: np.ndarray  # int64: set of places where an odd number of tracks meets
    ends: np.ndarray  # int64: odd cities that were left behind
    lost: np.ndarray  # int64
    tried: np.ndarray  # int64: choices


@kernel
def order_from(start, cities, neighbours, order):
    """Write in which order to leave the cities, from `start` on: next is whoever leaves the smallest frontier.

    Returns how large the frontier becomes, and how much work that makes.
    """
    frontier, city, widest, work = NO_BITS, start, 0, 0
    for place in range(popcount(cities)):
        if place > 0:
            fewest, choices = MAX_CITIES, cities
            while choices != NO_BITS:
                choice = lowest(choices)
                choices = without_lowest(choices)
                size = popcount((frontier | (neighbours[choice] & cities)) & ~bit(choice))
                if size < fewest or (size == fewest and has(frontier, choice) and not has(frontier, city)):
                    fewest, city = size, choice
        frontier = (frontier | (neighbours[city] & cities)) & ~bit(city)
        cities &= ~bit(city)
        order[place] = city
        widest = max(widest, popcount(frontier) + 1)
        work += 1 << popcount(frontier)
    return widest, work


@kernel
def find_order(cities, neighbours, order):
    """Write an order with a small frontier, and return how large that becomes; every city is tried as the first."""
    trial = np.empty_like(order)
    widest, least = MAX_CITIES, np.int64(1) << np.int64(62)
    left = cities
    while left != NO_BITS and widest > NARROW:
        width, work = order_from(lowest(left), cities, neighbours, trial)
        left = without_lowest(left)
        if work < least:
            widest, least = width, work
            order[:] = trial
    return widest


@kernel
def lay_out(network, order, neighbours):
    """The steps of a sweep in this order."""
    count = len(network.one) + len(order)
    steps = Steps(
        np.zeros(count, np.bool_),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count + 1, np.int64),
        np.ones(count + 1, np.int64),
        np.zeros(count + 1, np.int64),
    )
    places, free = np.full(MAX_CITIES, -1), _ALL_PLACES
    decided = np.zeros(len(network.one), np.bool_)
    step = 0
    for index in range(len(order)):
        city = order[index]
        for later in range(len(order) - 1, index - 1, -1):  # who leaves last sits lowest: so tables become small soon
            entering = order[later]
            if places[entering] < 0 and (entering == city or has(neighbours[city], entering)):
                places[entering] = lowest(free)
                free = without_lowest(free)
        size = 1
        while free >> np.uint64(size) != _ALL_PLACES >> np.uint64(size):
            size += 1
        for track in range(len(decided)):
            if not decided[track] and (network.one[track] == city or network.other[track] == city):
                decided[track] = True
                steps.one[step], steps.other[step] = places[network.one[track]], places[network.other[track]]
                steps.length[step], steps.size[step] = network.length[track], 1 << size
                step += 1
        steps.leaves[step], steps.one[step], steps.size[step] = True, places[city], 1 << size
        free |= bit(places[city])
        step += 1
    for back in range(count - 1, -1, -1):
        steps.ahead[back] = steps.ahead[back + 1] + steps.length[back]
    for step in range(count):
        steps.begin[step + 1] = steps.begin[step] + 2 * steps.size[step]
    return steps


@kernel
def tabulate_losses(steps):
    """The least that has to be left out from each step on, by the set of odd places, connected or not.

    As every track has two ends, the number of odd cities, left behind or in the frontier, is even. So one table does
    for none and one left behind, and only two have a table of their own, the second of each step.
    """
    count = len(steps.leaves)
    losses = np.full(steps.begin[count] + 2, np.uint8(_NEVER))
    losses[steps.begin[count] :] = 0
    for step in range(count - 1, -1, -1):
        size, then_size = steps.size[step], steps.size[step + 1]
        here, then = steps.begin[step], steps.begin[step + 1]
        if not steps.leaves[step]:
            flipped = (1 << steps.one[step]) | (1 << steps.other[step])
            for odd in range(2 * size):  # both tables, as `flipped` stays within each
                kept, left_out = int(losses[then + (odd ^ flipped)]), int(losses[then + odd]) + steps.length[step]
                losses[here + odd] = min(kept, left_out, _NEVER)
            continue
        place = 1 << steps.one[step]
        for odd in range(size):
            if odd & ~place >= then_size:
                continue
            if not odd & place:
                losses[here + odd] = losses[then + odd]
                losses[here + size + odd] = losses[then + then_size + odd]
            elif popcount(np.uint64(odd)) % 2 == 0:  # the first odd city that is left behind
                losses[here + odd] = losses[then + (odd ^ place)]
            else:
                losses[here + odd] = losses[then + then_size + (odd ^ place)]
    return losses


@kernel
def mark(marks, place):
    """The four bits of a place."""
    return (marks >> np.uint64(4 * place)) & _NIBBLE


@kernel
def marked(marks, place, value):
    """The marks with this one at a place."""
    shift = np.uint64(4 * place)
    return (marks & ~(_NIBBLE << shift)) | (value << shift)


@kernel
def joined(connected, one, other):
    """What is connected once a track between two places is kept."""
    here, there = mark(connected, one), mark(connected, other)
    if here == NO_BITS and there == NO_BITS:
        taken = ONE
        for place in range(MAX_FRONTIER):
            taken |= ONE << mark(connected, place)
        fresh = np.uint64(lowest(~taken))
        return marked(marked(connected, one, fresh), other, fresh)
    if here == NO_BITS:
        return marked(connected, one, there)
    if there == NO_BITS:
        return marked(connected, other, here)
    for place in range(MAX_FRONTIER):
        if mark(connected, place) == there:
            connected = marked(connected, place, here)
    return connected


@kernel
def renumbered(connected):
    """The same connections, numbered in the order of places."""
    numbers, number, result = NO_BITS, ONE, NO_BITS
    for place in range(MAX_FRONTIER):
        old = mark(connected, place)
        if old != NO_BITS:
            if mark(numbers, old) == NO_BITS:
                numbers = marked(numbers, old, number)
                number += ONE
            result = marked(result, place, mark(numbers, old))
    return result


@kernel
def leave(trail, depth, place):
    """Let the city at a place leave the frontier; writes the frontier that follows, and says what became of it."""
    connected, own = trail.connected[depth], mark(trail.connected[depth], place)
    rest = marked(connected, place, NO_BITS)
    if own != NO_BITS:
        goes_on = False
        for other in range(MAX_FRONTIER):
            goes_on |= mark(rest, other) == own
        if not goes_on:
            return _IS_COMPLETE if rest == NO_BITS else _FALLS_APART
    trail.connected[depth + 1] = renumbered(rest)
    trail.odd[depth + 1] = trail.odd[depth] & ~(1 << place)
    trail.ends[depth + 1] = trail.ends[depth] + ((trail.odd[depth] >> place) & 1)
    trail.lost[depth + 1] = trail.lost[depth]
    trail.tried[depth + 1] = 0
    return _GOES_ON


@kernel
def decide(steps, trail, depth, keep):
    """Keep a track or leave it out; writes the frontier that follows."""
    one, other = steps.one[depth], steps.other[depth]
    trail.ends[depth + 1] = trail.ends[depth]
    trail.tried[depth + 1] = 0
    if keep:
        trail.connected[depth + 1] = joined(trail.connected[depth], one, other)
        trail.odd[depth + 1] = trail.odd[depth] ^ ((1 << one) | (1 << other))
        trail.lost[depth + 1] = trail.lost[depth]
    else:
        trail.connected[depth + 1] = trail.connected[depth]
        trail.odd[depth + 1] = trail.odd[depth]
        trail.lost[depth + 1] = trail.lost[depth] + steps.length[depth]


@kernel
def least_loss(steps, losses, depth, ends, odd):
    """The least that has to be left out from a frontier on."""
    table = steps.begin[depth] + (steps.size[depth] if ends == 2 else 0)
    return int(losses[table + odd])


@kernel
def tried_in_vain(memory, trail, depth, spare):
    """The most that is known not to be enough from a frontier on, -1 if nothing is; `spare` is noted in its place."""
    facts = np.uint64(trail.odd[depth] | (trail.ends[depth] << 16) | (depth << 18) | (1 << 27)) << np.uint64(8)
    connected = trail.connected[depth]
    mixed = wrapping_multiply(connected ^ (facts << np.uint64(20)), np.uint64(0x9E3779B97F4A7C15)) ^ facts
    mixed = wrapping_multiply(mixed ^ (mixed >> np.uint64(29)), np.uint64(0xBF58476D1CE4E5B9))
    place = np.int64(mixed >> np.uint64(49))  # 15 bits, `_MEMORY`
    known = memory[place]
    if known[0] == connected and known[1] >> np.uint64(8) == facts >> np.uint64(8):
        enough = np.int64(known[1] & np.uint64(255))
        if enough >= spare:
            return enough
    known[0], known[1] = connected, facts | np.uint64(spare)
    return -1


@kernel
def search(steps, losses, memory, trail, limit):
    """The loss of a connected choice of tracks within the limit; else one above it, which it takes at least."""
    depth, beyond = 0, _NEVER
    trail.connected[0] = NO_BITS
    trail.odd[0] = trail.ends[0] = trail.lost[0] = trail.tried[0] = 0
    while depth >= 0:
        lost, ends, odd = trail.lost[depth], trail.ends[depth], trail.odd[depth]
        if trail.tried[depth] == 0:
            least = lost + least_loss(steps, losses, depth, ends, odd)
            if least > limit:
                beyond = min(beyond, least)
                depth -= 1
                continue
        trail.tried[depth] += 1
        if not steps.leaves[depth]:
            if trail.tried[depth] > 2:
                depth -= 1
                continue
            flipped = (1 << steps.one[depth]) | (1 << steps.other[depth])
            kept = least_loss(steps, losses, depth + 1, ends, odd ^ flipped)
            prefers = kept <= least_loss(steps, losses, depth + 1, ends, odd) + steps.length[depth]
            decide(steps, trail, depth, prefers == (trail.tried[depth] == 1))
            depth += 1
            continue
        if trail.tried[depth] > 1:
            depth -= 1
            continue
        outcome = leave(trail, depth, steps.one[depth])
        if outcome == _GOES_ON:
            enough = tried_in_vain(memory, trail, depth + 1, limit - lost)
            if enough < 0:
                depth += 1
                continue
            beyond = min(beyond, lost + enough + 1)
        elif outcome == _IS_COMPLETE:
            if lost + steps.ahead[depth] <= limit:
                return lost + steps.ahead[depth]
            beyond = min(beyond, lost + steps.ahead[depth])
        depth -= 1
    return beyond


@kernel
def longest_in_network(network, best):
    """The longest path of a network, or `best` if that is longer; `TOO_WIDE` if that cannot be found out here."""
    neighbours, cities, odd = np.zeros(MAX_CITIES, np.uint64), NO_BITS, NO_BITS
    whole = 0
    for track in range(len(network.one)):
        one, other = network.one[track], network.other[track]
        neighbours[one] |= bit(other)
        neighbours[other] |= bit(one)
        cities |= bit(one) | bit(other)
        odd ^= bit(one) ^ bit(other)
        whole += network.length[track]
    if popcount(odd) <= 2 or whole <= best:
        return max(whole, best)
    order = np.empty(popcount(cities), np.int64)
    if find_order(cities, neighbours, order) > MAX_FRONTIER:
        return TOO_WIDE
    steps = lay_out(network, order, neighbours)
    losses = tabulate_losses(steps)
    count = len(steps.leaves) + 1
    trail = Trail(
        np.zeros(count, np.uint64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
    )
    memory = np.zeros((_MEMORY, 2), np.uint64)
    limit = int(losses[0])
    while whole - limit > best:
        loss = search(steps, losses, memory, trail, limit)
        if loss <= limit:
            return whole - loss
        limit = loss
    return best
