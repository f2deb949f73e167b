"""Cases of what a capture must not keep: functions of ``tests/programs/outside`` with what changes between two calls.

Each file there holds several, marked by `case`; `tests/test_outside.py` runs them.
"""

from __future__ import annotations

import importlib.util
import itertools
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import harness
import numpy as np

FOLDER = harness.PROGRAMS / "outside"
TWICE = ((np.array([1.0, 2.0, 3.0]),), (np.array([1.0, 2.0, 3.0]),))

_numbers = itertools.count()


@dataclass(frozen=True)
class Case:
    """Two calls of a function, and what happens in between.

    Args:
        calls: the arguments of each call.
        change: statements that are run in the module before the second call.
        after: an expression that is compared at the end.
        varies: the calls give different results, none of which is known beforehand.
        plain: the reason code with which part of the function runs as plain Python.
    """

    calls: tuple[tuple[Any, ...], ...] = TWICE
    change: str = ""
    after: str = "None"
    varies: bool = False
    plain: str | None = None


def case(*calls: tuple[Any, ...], **options: Any) -> Callable[[Any], Any]:
    """Mark a function as a case, with the arguments of its calls if they are not one array, twice."""

    def mark(function: Any) -> Any:
        cases = sys.modules[function.__module__].__dict__.setdefault("CASES", {})
        cases[function.__name__] = Case(calls or TWICE, **options)
        return function

    return mark


def load(file: str) -> types.ModuleType:
    """A fresh copy of a file of cases."""
    name = f"program_outside_{file}_{next(_numbers)}"
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{file}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def names() -> list[tuple[str, str]]:
    """All cases: file and function."""
    files = sorted(path.stem for path in FOLDER.glob("*.py"))
    return [(file, name) for file in files for name in load(file).CASES]
