"""Our signs on terminals that lack them: ASCII of the same width, instead of question marks."""

from __future__ import annotations

import codecs
import unicodedata

_SIGNS = dict(zip("×·●▸✓✗←→…\u2212─━±øØæÆ", "x.o>+x<>.---~oOaA", strict=True))


def letter(sign: str) -> str:
    """What stands for one character.

    >>> "".join(map(letter, "▸ Tromsø ×3 ☃ Århus"))
    '> Tromso x3 ? Arhus'
    """
    base = _SIGNS.get(sign) or unicodedata.normalize("NFKD", sign)[0]
    return base if base.isascii() else "?"


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(letter, error.object[error.start : error.end])), error.end


codecs.register_error("plain", _replace)
