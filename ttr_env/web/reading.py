"""JSON from outside, as the standard has it. Python would take numbers that are none, and could not send them back."""

from __future__ import annotations

import json
import math
from typing import Any


def read_json(text: str | bytes) -> Any:
    """What a message holds, or a `ValueError`.

    >>> read_json('{"decision": 7}')
    {'decision': 7}
    >>> read_json('{"decision": NaN}')
    Traceback (most recent call last):
    ValueError: NaN is no number
    """
    return json.loads(text, parse_constant=_refuse, parse_float=_finite)


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _refuse(digits)


def _refuse(word: str) -> Any:
    raise ValueError(f"{word[:20]} is no number")
