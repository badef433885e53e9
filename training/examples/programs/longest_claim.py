"""A player that needs nothing of ttr-env: `ttr watch "exec:python longest_claim.py" random` in this folder.

It claims the longest track it can, and otherwise takes the first legal action; a pattern for other languages.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def choose(question: dict[str, Any], tracks: list[dict[str, Any]]) -> int:
    """The action to take: one of those under "legal"."""
    claims = [option for option in question["legal"] if option["kind"] == "claim"]
    if claims:
        return int(max(claims, key=lambda claim: tracks[claim["track"]]["length"])["action"])
    return int(question["legal"][0]["action"])


def main() -> None:
    """Answer line by line, until there are no more."""
    tracks: list[dict[str, Any]] = []
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps({"protocol": 1}), flush=True)
        elif message["type"] == "map":
            tracks = message["map"]["tracks"]
        elif message["type"] == "act":
            print(json.dumps({"id": message["id"], "action": choose(message, tracks)}), flush=True)


if __name__ == "__main__":
    main()
