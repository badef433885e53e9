"""Every variant of Nederland, as options of a game."""

from itertools import product
from typing import Any

VARIANTS: list[dict[str, Any]] = [
    {"players": players, "tolls": tolls, "neutral_player": False} for players in (2, 3, 4, 5) for tolls in (True, False)
] + [{"players": 2, "tolls": True, "neutral_player": True}]


# Every variant with every other option that changes what an environment returns.
COMBINATIONS: list[dict[str, Any]] = [
    {**variant, "features": features, "reward": reward, "tolls_visible": tolls_visible}
    for variant, features, reward, tolls_visible in product(
        VARIANTS, ("base", "planning"), ("win", "margin", "score", "dense"), (False, True)
    )
]


def variant_name(options: dict[str, Any]) -> str:
    """A short name, such as `4-tolls`."""
    extra = "neutral" if options["neutral_player"] else "tolls" if options["tolls"] else "plain"
    return f"{options['players']}-{extra}"
