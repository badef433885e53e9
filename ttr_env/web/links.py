"""A whole game in a link: its record, squeezed and written in letters that every address may hold.

>>> from ttr_env import Game
>>> game = Game("nederland", players=2, seed=7)
>>> code = pack(game.record())
>>> Game.replay(unpack(code)) == game
True
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from typing import Any

from ttr_env.errors import RecordError
from ttr_env.web.reading import read_json

_RAW = -15  # deflate without a header
_MOST = 1_000_000  # bytes of a record that is unpacked


def pack(record: Mapping[str, Any]) -> str:
    """A record as a few hundred letters, digits, hyphens and underscores."""
    text = json.dumps(record, separators=(",", ":"), ensure_ascii=False)
    squeezer = zlib.compressobj(9, zlib.DEFLATED, _RAW)
    squeezed = squeezer.compress(text.encode()) + squeezer.flush()
    return base64.urlsafe_b64encode(squeezed).rstrip(b"=").decode()


def unpack(code: str) -> Any:
    """What was packed; nothing is checked but that it is JSON. `RecordError` if it is not, or cut short."""
    try:
        squeezed = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
        opener = zlib.decompressobj(_RAW)
        text = opener.decompress(squeezed, _MOST)
        if not opener.eof:
            raise RecordError("the link is cut short, or holds more than a game; copy the whole of it")
        return read_json(text)
    except (binascii.Error, zlib.error, ValueError, RecursionError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError("the link is damaged: it holds no game; copy the whole of it") from error
