"""Positions and actions in words."""

from __future__ import annotations

from ttr_env.maps import Map


def route_name(map: Map, track: int) -> str:
    return f"{map.cities[map.tracks[track].a]} – {map.cities[map.tracks[track].b]}"
