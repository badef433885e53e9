"""For the reference: examples in docstrings are shown as code, and comments beside fields say what they are."""

from __future__ import annotations

import re
from typing import Any

import griffe

# From a line with a prompt to the next empty one.
_EXAMPLE = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"\S  # (?!noqa|type:)(.+)$")


class Doctests(griffe.Extension):
    """Puts fences around the examples of every docstring, and tells of fields what the comment beside them says."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change a docstring before it is read."""
        told = comment(obj.source) if obj.is_attribute and not obj.docstring else None
        if told:
            obj.docstring = griffe.Docstring(told, parent=obj)
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)


def comment(source: str) -> str | None:
    """What the comment at the end of a statement says.

    >>> comment("deals: int  # each is played from every seat")
    'each is played from every seat'
    """
    found = _COMMENT.search(source)
    return found[1] if found else None


def fenced(text: str) -> str:
    r"""A docstring whose examples stand between fences.

    >>> fenced("One.\n\n>>> 1 + 1\n2")
    'One.\n\n```pycon\n>>> 1 + 1\n2\n```'
    """
    return _EXAMPLE.sub(lambda example: f"```pycon\n{example[0]}\n```", text)
