"""Cases of what a capture must not keep: functions of ``tests/programs/outside`` with what changes between two calls.

Each file there holds several, marked by `case`; `tests/test_outside.py` captures and calls them, and
`tests/test_check_stale.py` checks frozen graphs of them.  A line that ends in ``# frozen: name`` is the one on which
the frozen graph of a case goes wrong; most others have none, since real control flow is in the graph.
"""

from __future__ import annotations

import ast
import importlib.util
import itertools
import sys
import textwrap
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import harness
import numpy as np

FOLDER = harness.OUTSIDE
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


def add_change(module: types.ModuleType, name: str) -> None:
    """Let the module itself have the code that changes the world, as a program has: a function ``later``."""
    change = module.CASES[name].change
    if not change:
        return
    targets = [one for one in ast.walk(ast.parse(change)) if isinstance(one, ast.Name)]
    written = sorted({one.id for one in targets if isinstance(one.ctx, ast.Store)} - {"file"})
    declared = [f"global {', '.join(written)}"] if written else []
    body = textwrap.indent("\n".join([*declared, change]), "    ")
    harness.run_with_source(f"def later():\n{body}\n", module.__dict__)


def frozen_line(module: types.ModuleType, name: str) -> int:
    """The line on which the frozen graph of a case goes wrong; 0 where it does not."""
    assert module.__file__ is not None
    lines = Path(module.__file__).read_text().splitlines()
    return next((at for at, line in enumerate(lines, 1) if line.endswith(f"# frozen: {name}")), 0)


def names() -> list[tuple[str, str]]:
    """All cases: file and function."""
    files = sorted(path.stem for path in FOLDER.glob("*.py"))
    return [(file, name) for file in files for name in load(file).CASES]
