"""The longest continuous path of a player, exactly (U3, B11): no track twice, cities as often as one likes.

A longest path begins and ends at cities where an odd number of the player's tracks meet: elsewhere it could go on. Only
where a connected part has no such city can it be a round trip, and then it uses every track of the part; so it does
where there are two. For other parts all paths from their odd cities are tried, but for those that cannot become longer
than the longest one found so far. Where that takes too long, the part is taken to pieces (`bridges`, `sweep`).
"""

from __future__ import annotations

from ttr_env.engine.bits import NO_BITS, ONE, bit, has, lowest, popcount, without_lowest
from ttr_env.engine.bridges import longest_in_pieces, other_end, part_around
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import WORDS
from ttr_env.engine.sweep import TOO_WIDE

assert WORDS == 2  # sets of tracks are passed as two words here, which costs less than an array of them

PATIENCE = 100_000  # steps along paths, after which another way of searching is quicker


@kernel
def owned_by(g, player, word):
    """A word of the set of tracks that a player owns."""
    mine = NO_BITS
    left = g["claimed"][word]
    while left != NO_BITS:
        track = lowest(left)
        left = without_lowest(left)
        if g["owner"][64 * word + track] == player:
            mine |= bit(track)
    return mine


@kernel
def tracks_at(b, city, low, high):
    """How many of these tracks meet at a city, how long they are together, and how long the shortest is."""
    count, length, shortest = 0, 0, 127
    for word in range(WORDS):
        left = b["city_tracks"][city, word] & (low if word == 0 else high)
        while left != NO_BITS:
            one = int(b["track_length"][64 * word + lowest(left)])
            left = without_lowest(left)
            count += 1
            length += one
            shortest = min(shortest, one)
    return count, length, shortest


@kernel
def measure_part(b, cities, start, low, high):
    """Of a connected part: its odd cities, its length, its tracks, and how long a path from `start` can be at most.

    What a path leaves out has an odd number of tracks at every odd city but those where it begins and ends, and each of
    these tracks ends at two cities; so it is at least half as long as the shortest tracks of these cities together. A
    `start` of -1 is any city.
    """
    odd, ends, doubled = NO_BITS, 0, 0
    left_out, longest, second = 0, 0, 0
    while cities != NO_BITS:
        city = lowest(cities)
        cities = without_lowest(cities)
        count, length, shortest = tracks_at(b, city, low, high)
        ends += count
        doubled += length
        if count % 2 == 1:
            odd |= bit(city)
            if city != start:
                left_out += shortest
                second = max(second, min(longest, shortest))
                longest = max(longest, shortest)
    left_out -= longest if start >= 0 else longest + second
    whole = doubled // 2
    return odd, whole, ends // 2, whole - (left_out + 1) // 2


@kernel
def bound_from(b, city, low, high):
    """How long a path from a city over these tracks can be at most."""
    _, _, _, most = measure_part(b, part_around(b, city, low, high), city, low, high)
    return most


@kernel
def next_track(b, city, low, high, tried):
    """The first of these tracks at a city after the one that was tried, -1 if there is none."""
    for word in range(WORDS):
        left = b["city_tracks"][city, word] & (low if word == 0 else high)
        if tried >= 64 * word + 63:
            continue
        if tried >= 64 * word:
            left &= ~((bit(tried & 63) << ONE) - ONE)
        if left != NO_BITS:
            return 64 * word + lowest(left)
    return -1


@kernel
def longest_from(b, start, low, high, best, most, tangled, stack, patience):
    """The longest path from a city over these tracks, or `best` if that is longer; none is longer than `most`.

    Returns how many steps are left of the `patience` too; after the last of them there may be longer paths. `stack`
    [tracks] is scratch space for the tracks of the path. It is not a recursive function, because compiled ones cannot
    be cached.
    """
    city, depth, length, tried = start, 0, 0, -1
    while best < most and patience != 0:
        patience -= 1
        track = -1
        if tried >= 0 or not tangled or length + bound_from(b, city, low, high) > best:
            track = next_track(b, city, low, high, tried)
        if track >= 0:
            stack[depth] = track
            depth += 1
            city = other_end(b, track, city)
            length += int(b["track_length"][track])
            best = max(best, length)
            tried = -1
        elif depth == 0:
            return best, patience
        else:
            depth -= 1
            track = int(stack[depth])
            city = other_end(b, track, city)
            length -= int(b["track_length"][track])
            tried = track
        if track < 64:
            low ^= bit(track)
        else:
            high ^= bit(track - 64)
    return best, patience


@kernel
def longest_in_part(b, cities, low, high, best, stack):
    """The longest path in a connected part, or `best` if that is longer."""
    odd, whole, tracks, most = measure_part(b, cities, -1, low, high)
    if popcount(odd) <= 2:
        return max(best, whole)
    tangled = tracks > popcount(cities)  # more than one round trip: worth looking ahead
    patience = PATIENCE
    while odd != NO_BITS and best < most:
        best, patience = longest_from(b, lowest(odd), low, high, best, most, tangled, stack, patience)
        if patience == 0:
            longest = longest_in_pieces(b, cities, low, high, best)
            if longest != TOO_WIDE:
                return longest
            patience = -1  # no end of it
        else:
            odd = without_lowest(odd)
    return best


@kernel
def longest_path(g, b, player, stack):
    """The length of a player's longest continuous path, in trains; `stack` [tracks] is scratch space."""
    low, high = owned_by(g, player, 0), owned_by(g, player, 1)
    best = 0
    seen = NO_BITS
    for word in range(WORDS):
        left = low if word == 0 else high
        while left != NO_BITS:
            city = int(b["track_a"][64 * word + lowest(left)])
            left = without_lowest(left)
            if not has(seen, city):
                cities = part_around(b, city, low, high)
                seen |= cities
                best = longest_in_part(b, cities, low, high, best, stack)
    return best
