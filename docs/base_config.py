"""Writes `configs/base.yaml` from the settings: every field once, with its default and its meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from pydantic.fields import FieldInfo

from ttr_env.learning.rllib.settings import RLlibSettings
from ttr_env.learning.settings import Settings

FILE = Path(__file__).parents[1] / "configs" / "base.yaml"
_HEAD = """\
# Every field, with its default and its meaning: what `champion:version=1` was trained with for two players.
# Another file says `extends: base`, and what differs. This one is written by `python -m docs.generate` from
# ttr_env/learning/settings.py and ttr_env/learning/rllib/settings.py: change it there.
"""
_COMMENTS = 30  # the column in which they begin, where there is room


def text() -> str:
    """The whole file."""
    sections: dict[str, Any] = {**Settings.model_fields, "workers": RLlibSettings.model_fields["workers"]}
    return "\n".join([_HEAD, *(_section(name, field.annotation) for name, field in sections.items())])


def _section(name: str, kind: Any) -> str:
    lines = [f"# {kind.__doc__.splitlines()[0]}", f"{name}:"]
    for field, info in kind.model_fields.items():
        lines.append(f"{f'  {field}: {_value(info)}':<{_COMMENTS}}  # {info.description}")
    return "\n".join(lines) + "\n"


def _value(info: FieldInfo) -> str:
    """A field's default as YAML, or an example of what must be said."""
    value = (info.examples or [None])[0] if info.is_required() else info.default
    shown = list(value) if isinstance(value, tuple) else value
    return yaml.safe_dump(shown, default_flow_style=True, sort_keys=False).removesuffix("...\n").strip()
