"""Every variant of Nederland, and every table of the other maps, as options of a game."""

from itertools import product
from typing import Any


def variant_name(options: dict[str, Any]) -> str:
    """A short name, such as `4-tolls` or `nordic-3`."""
    if "map" in options:
        return f"{options['map']}-{options['players']}"
    extra = "neutral" if options["neutral_player"] else "tolls" if options["tolls"] else "plain"
    return f"{options['players']}-{extra}"


VARIANTS: list[dict[str, Any]] = [
    {"players": players, "tolls": tolls, "neutral_player": False} for players in (2, 3, 4, 5) for tolls in (True, False)
] + [{"players": 2, "tolls": True, "neutral_player": True}]

# The other maps, which have no variants but the number of players.
OTHER_MAPS: list[dict[str, Any]] = [
    {"map": map, "players": players, "tolls": False, "neutral_player": False}
    for map, most in (("nordic", 3), ("usa", 5))
    for players in range(2, most + 1)
]
EVERYWHERE = VARIANTS + OTHER_MAPS

# Where the fast tests look: every number of players, every variant and every map.
_SOME = ("2-neutral", "3-tolls", "4-plain", "5-tolls", "nordic-3", "usa-2")
SOME = [options for options in EVERYWHERE if variant_name(options) in _SOME]


# Every variant with every other option that changes what an environment returns.
COMBINATIONS: list[dict[str, Any]] = [
    {**variant, "features": features, "reward": reward, "tolls_visible": tolls_visible}
    for variant, features, reward, tolls_visible in product(
        VARIANTS, ("base", "planning", "actions"), ("win", "margin", "score", "dense"), (False, True)
    )
    if not (features == "actions" and tolls_visible)  # which is refused
]
