"""The longest path in a tangled part of a network, piece by piece.

A track that alone joins two pieces is a *bridge*: a path that crosses it does not come back. So what lies beyond a
bridge is as good as one long track with nothing behind it, as long as the longest path that begins with the bridge.
Pieces are measured one by one (`sweep`), those that lie further out first.
"""

from __future__ import annotations

import numpy as np

from ttr_env.engine.bits import NO_BITS, bit, has, lowest, without_lowest
from ttr_env.engine.jit import kernel
from ttr_env.engine.layout import WORDS
from ttr_env.engine.sweep import TOO_WIDE, Network, longest_in_network
from ttr_env.maps.limits import MAX_CITIES, MAX_NUMBER, MAX_TRACKS


@kernel
def other_end(b, track, city):
    """The city at the other end of a track."""
    return int(b["track_a"][track]) + int(b["track_b"][track]) - city


@kernel
def part_around(b, city, low, high):
    """The cities that can be reached from a city over these tracks."""
    cities, todo = bit(city), bit(city)
    while todo != NO_BITS:
        here = lowest(todo)
        todo = without_lowest(todo)
        for word in range(WORDS):
            left = b["city_tracks"][here, word] & (low if word == 0 else high)
            while left != NO_BITS:
                there = bit(other_end(b, 64 * word + lowest(left), here))
                left = without_lowest(left)
                todo |= there & ~cities
                cities |= there
    return cities


@kernel
def find_bridges(b, low, high):
    """Those of these tracks whose cities would not be connected without them."""
    bridges_low, bridges_high = NO_BITS, NO_BITS
    for word in range(WORDS):
        left = low if word == 0 else high
        while left != NO_BITS:
            track = lowest(left)
            left = without_lowest(left)
            without_low = low & ~bit(track) if word == 0 else low
            without_high = high & ~bit(track) if word == 1 else high
            one, other = int(b["track_a"][64 * word + track]), int(b["track_b"][64 * word + track])
            if not has(part_around(b, one, without_low, without_high), other):
                if word == 0:
                    bridges_low |= bit(track)
                else:
                    bridges_high |= bit(track)
    return bridges_low, bridges_high


@kernel
def add(network, count, one, other, length):
    """Put one more track into a network that has so many; returns how many it has then."""
    network.one[count], network.other[count], network.length[count] = one, other, length
    return count + 1


@kernel
def first(network, count):
    """The first tracks of a network."""
    return Network(network.one[:count], network.other[:count], network.length[:count])


@kernel
def find_pieces(b, inner, bridges, entries, ways_in):
    """Write for each piece, from the first entry on, the city and the bridge through which it is entered.

    `inner` and `bridges` are sets of tracks, two words each. Returns how many pieces there are.
    """
    pieces, piece = 1, 0
    while piece < pieces:
        inside = part_around(b, int(entries[piece]), inner[0], inner[1])
        while inside != NO_BITS:
            city = lowest(inside)
            inside = without_lowest(inside)
            for word in range(WORDS):
                left = b["city_tracks"][city, word] & bridges[word]
                while left != NO_BITS:
                    track = 64 * word + lowest(left)
                    left = without_lowest(left)
                    if track != ways_in[piece]:
                        entries[pieces], ways_in[pieces] = other_end(b, track, city), track
                        pieces += 1
        piece += 1
    return pieces


@kernel
def gather(b, inside, way_in, tracks, beyond, network):
    """Write the tracks at the cities of a piece, all but the way in, into a network; returns how many they are."""
    count = 0
    for word in range(WORDS):
        left = tracks[word]
        while left != NO_BITS:
            track = 64 * word + lowest(left)
            left = without_lowest(left)
            one, other = int(b["track_a"][track]), int(b["track_b"][track])
            if track != way_in and (has(inside, one) or has(inside, other)):
                length = beyond[track] if beyond[track] > 0 else int(b["track_length"][track])
                count = add(network, count, one, other, length)
    return count


@kernel
def longest_in_pieces(b, cities, low, high, best):
    """The longest path in a connected part, or `best` if that is longer; `TOO_WIDE` if it cannot be found out here."""
    bridges_low, bridges_high = find_bridges(b, low, high)
    inner_low, inner_high = low & ~bridges_low, high & ~bridges_high
    entries, ways_in = np.empty(MAX_CITIES, np.int64), np.empty(MAX_CITIES, np.int64)
    entries[0], ways_in[0] = lowest(cities), -1
    pieces = find_pieces(b, (inner_low, inner_high), (bridges_low, bridges_high), entries, ways_in)
    beyond = np.zeros(MAX_TRACKS, np.int64)  # by bridge, the longest path that begins with it, outwards
    room = MAX_TRACKS + 1
    network = Network(np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64))
    for piece in range(pieces - 1, -1, -1):
        entry, way_in = int(entries[piece]), ways_in[piece]
        inside = part_around(b, entry, inner_low, inner_high)
        count = gather(b, inside, way_in, (low, high), beyond, network)
        best = longest_in_network(first(network, count), best)
        if best == TOO_WIDE:
            return TOO_WIDE
        if way_in >= 0:  # to make a path begin at the entry, a track ends there that none would leave out
            count = add(network, count, entry, other_end(b, way_in, entry), MAX_NUMBER)
            longest = longest_in_network(first(network, count), MAX_NUMBER)
            if longest == TOO_WIDE:
                return TOO_WIDE
            beyond[way_in] = longest - MAX_NUMBER + int(b["track_length"][way_in])
    return best
