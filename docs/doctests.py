"""For the reference: examples in docstrings are shown as code."""

from __future__ import annotations

import re
from typing import Any

import griffe

# From a line with a prompt to the next empty one.
_EXAMPLE = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.DOTALL | re.MULTILINE)


class Doctests(griffe.Extension):
    """Puts fences around the examples of every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change a docstring before it is read."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    r"""A docstring whose examples stand between fences.

    >>> fenced("One.\n\n>>> 1 + 1\n2")
    'One.\n\n```pycon\n>>> 1 + 1\n2\n```'
    """
    return _EXAMPLE.sub(lambda example: f"```pycon\n{example[0]}\n```", text)
