"""The errors a user can meet: in one place, with what a program needs to know of them."""

import ast
import copy
import importlib
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttr_env
from ttr_env import Batch, Game, errors
from ttr_env.errors import IllegalAction, IllegalActionType

PACKAGE = Path(ttr_env.__file__).parent
NOT_FOR_USERS = {"UserError", "Undo", "Quit"}  # the tool catches them itself, and says a line or leaves


def exceptions_of(file: Path) -> set[str]:
    """The exceptions that a module defines, as far as the names of their bases tell."""
    classes = [node for node in ast.walk(ast.parse(file.read_bytes())) if isinstance(node, ast.ClassDef)]
    known = (*vars(errors), "Exception", "Error", "Exit")
    return {each.name for each in classes if any(ast.unparse(base).endswith(known) for base in each.bases)}


def test_every_error_is_in_one_place() -> None:
    elsewhere = [exceptions_of(file) for file in PACKAGE.rglob("*.py") if file.name != "errors.py"]
    assert set().union(*elsewhere) - NOT_FOR_USERS == set()
    for name in exceptions_of(PACKAGE / "errors.py"):
        assert issubclass(getattr(errors, name), ValueError)


@pytest.mark.parametrize(
    ("module", "name", "needs"),
    [
        ("agents.policy_file", "PolicyFileError", "numpy"),
        ("arena.tables", "BadAgent", "numpy"),
        ("learning.settings", "SettingsError", "pydantic"),
        ("learning.sb3.checkpoints", "CheckpointError", "sb3_contrib"),
        ("learning.rllib.cluster", "ClusterError", "ray"),
    ],
)
def test_an_error_is_found_where_it_used_to_be(module: str, name: str, needs: str) -> None:
    pytest.importorskip(needs)
    assert getattr(importlib.import_module(f"ttr_env.{module}"), name) is getattr(errors, name)


def test_an_illegal_action_says_which_and_why() -> None:
    with pytest.raises(IllegalAction) as refused:
        Game(seed=7).step(3)
    error = refused.value
    assert (error.row, error.action, error.reason) == (None, 3, "the phase is keep_tickets")
    assert str(error).endswith(f"is illegal for player 0: {error.reason}")


def test_a_batch_names_the_row() -> None:
    batch = Batch(games=3, seed=1)
    actions = batch.sample().copy()
    actions[2] = 0
    with pytest.raises(IllegalAction) as refused:
        batch.step(actions)
    error = refused.value
    assert (error.row, error.action, error.reason) == (2, 0, "the phase is keep_tickets")
    assert str(error).startswith("row 2: action 0 ")


@pytest.mark.parametrize(
    ("give", "action", "reason"),
    [
        (lambda game: game.step(10**6), 10**6, "there is no such action"),
        (lambda game: game.describe(-1), -1, "there is no such action"),
        (lambda game: game.step(0.5), 0.5, None),
        (lambda game: game.index({"kind": "fly"}), {"kind": "fly"}, None),
        (lambda game: game.index(ttr_env.actions.Claim(999, "red", 0)), ttr_env.actions.Claim(999, "red", 0), None),
    ],
)
def test_what_is_no_action_at_all(give: Any, action: Any, reason: str | None) -> None:
    with pytest.raises(IllegalAction) as refused:
        give(Game(seed=7))
    assert (refused.value.action, refused.value.reason) == (action, reason)


@pytest.mark.parametrize("kind", [IllegalAction, IllegalActionType])
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_copies_say_the_same(kind: Any, duplicate: Any) -> None:
    error = duplicate(kind("no", row=np.int64(3), action=4, reason="why"))
    assert (type(error), str(error), error.row, error.action, error.reason) == (kind, "no", 3, 4, "why")


def test_a_text_is_enough() -> None:
    error = IllegalAction("no")
    assert (str(error), error.args, error.row, error.action, error.reason) == ("no", ("no",), None, None, None)
