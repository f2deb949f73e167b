"""One random function over a world that changes between its calls: plain and captured do and see the same."""

from __future__ import annotations

import builtins
import contextlib
import io
import math
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import harness
import numpy as np

import astrace
from fuzz import observed, worlds
from fuzz.compare import load, outcome_of, unload

MOST_SPECIALISATIONS = 30
"""More than there are calls: nothing is to run as plain Python for that reason alone."""


@dataclass(frozen=True)
class Seen:
    """All that can be seen of one call."""

    result: Any
    error: tuple[str, str] | None
    printed: str
    warned: list[str]
    arguments: Any


def look(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Seen:
    """Call a function and look."""
    printed, result, error = io.StringIO(), None, None
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(*arguments)
        except Exception as raised:
            told = "" if isinstance(raised, RecursionError) else str(raised)  # it tells how it was found
            error = (type(raised).__qualname__, told)
    warned = [str(one.message) for one in caught if one.category is UserWarning]
    given = [one for one in arguments if not isinstance(one, types.FunctionType)]
    return Seen(
        observed.described(result, {}), error, printed.getvalue(), warned, observed.described(given, {})
    )


@contextlib.contextmanager
def patches_undone() -> Iterator[None]:
    """Whatever is put in the place of builtins and functions of libraries, they are back afterwards."""
    before = builtins.max, math.sin, np.tanh
    try:
        yield
    finally:
        builtins.max, math.sin, np.tanh = before


def change(text: str, *modules: types.ModuleType) -> None:
    """Change each world; a change that is not possible in one is not in the other."""
    for module in modules:
        with contextlib.suppress(Exception):
            harness.run_with_source(text, vars(module))


def arguments(module: types.ModuleType, rng: np.random.Generator) -> tuple[Any, ...]:
    """Arguments for one call: numbers, a hook, a dict and a list, which the world may hold, too."""
    world = vars(module)
    x, s = np.round(rng.normal(size=3) * 3, 2), float(np.round(rng.normal() * 3, 1))
    n = int(rng.integers(0, 5))
    hook = [world["note"], world["plain_note"], world["put"]][rng.integers(0, 3)]
    given = [{"k": 1.0, "seen": []}, world["CFG"], {"k": 2, "seen": world["ITEMS"]}][rng.integers(0, 3)]
    boxes = [[world["a"]], [world["b"], 1], [world["Box"](1.0)]][rng.integers(0, 3)]
    if rng.random() < 0.15:
        return x.astype(np.float32), s, np.int64(n), hook, given, boxes
    return x, np.float64(s), n, hook, given, boxes


def of_calls(expected: Seen, found: Seen) -> list[str]:
    """Return the differences of two calls."""
    return [
        f"{name} {getattr(found, name)} instead of {getattr(expected, name)}"
        for name in ("error", "result", "printed", "warned", "arguments")
        if getattr(found, name) != getattr(expected, name)
    ]


def of_worlds(plain: types.ModuleType, captured: types.ModuleType) -> list[str]:
    """Return the differences of two worlds."""
    left, right = observed.world(plain), observed.world(captured)
    return [
        f"{name} is {right.get(name)} instead of {left[name]}"
        for name in left
        if left[name] != right.get(name)
    ]


def compare(source: str, seed: int, _way: object = None, calls: int = 8) -> tuple[list[str], str]:
    """Return the differences of one program, and how it was captured: whole, partly, plain."""
    plain, captured = load(source, f"{seed}_plain"), load(source, f"{seed}_captured")
    function = astrace.compile(captured.f, recompile_limit=MOST_SPECIALISATIONS)
    rngs = np.random.default_rng(seed), np.random.default_rng(seed)
    found: list[str] = []
    with patches_undone():
        for number, text in enumerate(["", *worlds.changes(seed, calls - 1)]):
            change(text, plain, captured)
            expected = look(plain.f, arguments(plain, rngs[0]))
            outcome = look(function, arguments(captured, rngs[1]))
            told = of_calls(expected, outcome) or of_worlds(plain, captured)
            found += [f"call {number}, after {text!r}: {one}" for one in told]
            if found:
                break
    for suffix in ("plain", "captured"):
        unload(f"{seed}_{suffix}")
    return found, outcome_of(function)
