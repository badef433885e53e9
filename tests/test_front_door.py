"""The names that `import ttr_env` offers, in the base installation."""

import pytest

import ttr_env
from tests.helpers.without import run_without

EXTRAS = ("choix", "matplotlib", "pygame", "ray", "sb3_contrib", "stable_baselines3", "torch", "yaml")


def found(code: str) -> str:
    """What code prints in a process that has only what the base installation brings."""
    done = run_without(EXTRAS, f"import ttr_env\n{code}")
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_every_public_name_needs_one_import() -> None:
    assert found("print(*(name for name in ttr_env.__all__ if getattr(ttr_env, name, None) is None))") == ""


def test_what_is_public_is_listed() -> None:
    assert dir(ttr_env) == sorted(ttr_env.__all__)
    with pytest.raises(AttributeError, match="module 'ttr_env' has no attribute 'gmae'"):
        _ = ttr_env.gmae  # type: ignore[attr-defined]


def test_the_modules_that_users_import_from_stay() -> None:
    assert found("from ttr_env.actions import Action, Claim, ClaimWithSets, KeepTickets, from_dict, table") == ""
    assert found("from ttr_env.observation import FEATURES, layout, size") == ""
    assert found("from ttr_env.errors import IllegalAction, MapError, RecordError, SnapshotError") == ""
