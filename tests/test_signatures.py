"""No function takes more than a reader can keep in mind: what travels together is a value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

MOST = 9  # `self` included, options that are declared elsewhere (`**options: Unpack[...]`) not
ROOT = Path(__file__).parents[1]
FOLDERS = ("ttr_env", "training", "benchmarks", "tests", "docs")
FILES = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")]

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def functions(source: str) -> Iterator[Function]:
    return (node for node in ast.walk(ast.parse(source)) if isinstance(node, Function))


def parameters(function: Function) -> list[str]:
    told = function.args
    named = [*told.posonlyargs, *told.args, *told.kwonlyargs, *([told.vararg] if told.vararg else [])]
    if told.kwarg and not (told.kwarg.annotation and ast.unparse(told.kwarg.annotation).startswith("Unpack[")):
        named.append(told.kwarg)
    return [parameter.arg for parameter in named]


def test_no_function_has_many_parameters() -> None:
    counted = [
        (len(parameters(function)), f"{file.relative_to(ROOT)}:{function.lineno}")
        for file in FILES
        for function in functions(file.read_text(encoding="utf-8"))
    ]
    assert len(counted) > 2000  # it reads what it should
    assert [place for count, place in counted if count > MOST] == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(self, a, /, b=1, *rest, c, **other): ...", "self a b c rest other"),
        ("def f(map, **options: Unpack[GameOptions]): ...", "map"),
        ("lambda a, b: a", "a b"),
    ],
)
def test_what_is_counted(source: str, expected: str) -> None:
    (function,) = functions(source)
    assert parameters(function) == expected.split()
