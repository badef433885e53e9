"""What the modules `nederland_v0`, `nordic_v0`, `usa_v0` and `mini_v0` are made of: environments whose map is fixed."""

from __future__ import annotations

from typing import Any, ClassVar, Unpack

from ttr_env.envs import aec
from ttr_env.options import EnvOptions


class OneMap(aec.raw_env):
    """A `raw_env` of one map; the other options are as they are there.

    >>> class raw_env(OneMap, map="usa"):
    ...     pass
    >>> raw_env(players=3).metadata["name"]
    'usa_v0'
    >>> raw_env(map="nordic")
    Traceback (most recent call last):
    TypeError: map: it is fixed here, to usa; ttr_env.env(map=...) and ttr_env.raw_env(map=...) take any
    """

    _map: ClassVar[str]

    def __init_subclass__(cls, map: str | None = None, **others: Any) -> None:
        """Fix the map; a further subclass inherits it."""
        super().__init_subclass__(**others)
        if map is not None:
            cls._map = map
            cls.metadata = cls.metadata | {"name": f"{map}_v0"}

    def __init__(self, **options: Unpack[EnvOptions]) -> None:
        """Make a table; `reset` deals. The options are those of `ttr_env.raw_env`, without the map."""
        if "map" in options:
            raise TypeError(
                f"map: it is fixed here, to {self._map}; ttr_env.env(map=...) and ttr_env.raw_env(map=...) take any"
            )
        super().__init__(map=self._map, **options)
