"""The cost of a call through XLA beside JAX's own dispatch of the same program on the same arguments.

Columns: the generated program, called by hand as ``jax.jit`` gives it, with its results made arrays of NumPy; the
compiled function; and what astrace adds, which is measured by itself, since XLA's threads make the others unsteady:
both are timed over a program that gives its results at once.
"""

from __future__ import annotations

import timeit
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import astrace
from benchmarks.tables import Cell, Table


def scaled(x, s):
    """Nothing can go wrong."""
    return x * s + 1.0


def changed(x, s):
    """An argument is changed."""
    x[1:] += s
    return x


def picked(x, i):
    """An index may be out of bounds, so that a flag comes out as well."""
    return x[i] * 2.0


def several(x, y, z):
    """Three arrays go in, three come out."""
    return x + y, y * z, z - x


SMALL, LARGE = np.linspace(0.0, 1.0, 100), np.linspace(0.0, 1.0, 1_000_000)
CALLS: Sequence[tuple[Callable[..., Any], tuple[Any, ...]]] = (
    (scaled, (SMALL, 2.0)),
    (changed, (SMALL, 2.0)),
    (picked, (SMALL, 3)),
    (several, (SMALL, SMALL + 1.0, SMALL + 2.0)),
    (scaled, (LARGE, 2.0)),
)


def best(call: Callable[[], Any], number: int) -> float:
    """The shortest time of a call, in microseconds."""
    return min(timeit.repeat(call, number=number, repeat=25)) / number * 1e6


def by_hand(program: Any, args: tuple[Any, ...]) -> Callable[[], Any]:
    """A program called as somebody who uses JAX would, its results as arrays of NumPy."""

    def call() -> Any:
        return [np.array(one) for one in program(*args)]

    return call


def measured(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[float, float, float]:
    """The times of JAX alone, of the compiled function, and of what astrace adds."""
    import jax

    compiled = astrace.compile(function, backend="jax")
    compiled(*args)
    scope = compiled._entries[0].stages.executable.function.__globals__
    program, number = scope["program"], 300 if args[0].size < 1000 else 10
    with jax.enable_x64(True):
        found = tuple(np.asarray(one) for one in program(*args))
        alone = best(by_hand(program, args), number)
    whole = best(lambda: compiled(*args), number)
    scope["program"] = at_once = lambda *_: found
    return alone, whole, best(lambda: compiled(*args), number) - best(by_hand(at_once, args), number)


def measure(smoke: bool) -> Table:
    """The times of calls, in microseconds."""
    rows: list[list[Cell]] = []
    for function, args in CALLS[:1] if smoke else CALLS:
        rows.append([f"`{function.__name__}`, {args[0].size:,} items", *measured(function, args)])
    return Table(["Call", "`jax.jit`, µs", "astrace, µs", "added, µs"], rows)
