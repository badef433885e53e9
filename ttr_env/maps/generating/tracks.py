"""Tracks for a network: lengths after the distances, balanced colours, and what makes some of them special."""

from __future__ import annotations

from collections.abc import Sequence

from ttr_env.maps.model import COLOURS, GREY, Track

from .chance import Chance
from .geometry import Edge, Point, distance, squared
from .network import Network
from .wishes import Wishes

LONGEST = 6
_SPACES = 27  # train spaces in ten times the mean spacing of cities
_GREY = 30  # per cent of the tracks, on average
_HIGHEST_TOLL = 4


def length(network: Network, edge: Edge) -> int:
    """How many train spaces a route has."""
    a, b = edge
    spaces = distance(network.points[a], network.points[b]) * _SPACES // (10 * network.spacing)
    return min(max(spaces, 1), LONGEST)


def make_tracks(chance: Chance, network: Network, wishes: Wishes, doubles: int) -> list[Track]:
    """A track for every route, and a second one for so many of them, sorted by city.

    Tunnels lie close together, as in mountains, and so do ferries, as on a lake.
    """
    ferries = _region(chance, network, network.edges, wishes.ferries)
    tunnels = _region(chance, network, [edge for edge in network.edges if edge not in ferries], wishes.tunnels)
    double = set(chance.shuffled(network.edges)[:doubles])
    tracks = []
    for edge in network.edges:
        spaces = length(network, edge)
        toll = min(max(1, (spaces + 1) // 2 + chance.around(1)), _HIGHEST_TOLL) if wishes.tolls else 0
        symbols = (1 + (spaces > 3)) if edge in ferries else 0
        track = Track(*edge, spaces, GREY, toll, edge in tunnels, symbols)
        tracks += [track] * (1 + (edge in double))
    return _coloured(chance, tracks)


def _region(chance: Chance, network: Network, edges: Sequence[Edge], number: int) -> list[Edge]:
    """So many routes around one of them."""
    if number == 0:
        return []
    centre = _middle(network, chance.pick(edges))
    return sorted(edges, key=lambda edge: (squared(_middle(network, edge), centre), edge))[:number]


def _middle(network: Network, edge: Edge) -> Point:
    """Twice the middle of a route, which is whole."""
    p, q = network.points[edge[0]], network.points[edge[1]]
    return p[0] + q[0], p[1] + q[1]


def _coloured(chance: Chance, tracks: Sequence[Track]) -> list[Track]:
    """The tracks with colours: as many spaces of each, and as few neighbours alike as can be."""
    colours = [GREY] * len(tracks)
    spaces = dict.fromkeys(COLOURS, 0)
    for index in chance.shuffled(range(len(tracks))):
        track = tracks[index]
        if chance.below(100) < _GREY:
            continue
        ends = {track.a, track.b}
        beside = [colours[other] for other, it in enumerate(tracks) if ends & {it.a, it.b}]
        colour = min(chance.shuffled(COLOURS), key=lambda each: (beside.count(each), spaces[each]))
        colours[index] = colour
        spaces[colour] += track.length
    return [
        Track(it.a, it.b, it.length, colour, it.toll, it.tunnel, it.ferry)
        for it, colour in zip(tracks, colours, strict=True)
    ]
