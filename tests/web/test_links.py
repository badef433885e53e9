"""Games in links."""

from __future__ import annotations

import base64
import zlib

import pytest

from ttr_env import Game, RecordError, agents
from ttr_env.web import links


@pytest.mark.parametrize(("map", "players"), [("nederland", 4), ("nordic", 3), ("usa", 5)])
def test_a_whole_game_is_a_short_link(map: str, players: int) -> None:
    record = agents.play(Game(map, players=players, seed=7), ["planner"] * players).record()
    code = links.pack(record)
    assert len(record["actions"]) > 250
    assert len(code) < 600
    assert code.replace("-", "").replace("_", "").isalnum()
    assert links.unpack(code) == record


@pytest.mark.parametrize(("cut", "before"), [(20, ""), (0, "x"), (10_000, ""), (0, "ö")])
def test_a_damaged_link_is_refused(cut: int, before: str) -> None:
    code = links.pack(Game(seed=7).record())
    with pytest.raises(RecordError, match="copy the whole of it"):
        links.unpack(before + code[: max(0, len(code) - cut)])


def test_a_link_that_would_unpack_to_gigabytes_is_refused() -> None:
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    squeezed = squeezer.compress(b" " * 20_000_000) + squeezer.flush()
    with pytest.raises(RecordError, match="more than a game"):
        links.unpack(base64.urlsafe_b64encode(squeezed).decode())
