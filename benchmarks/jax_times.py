"""Functions of ``jax.numpy`` with Python's control flow beside the same written by hand with ``lax``, and kernels."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

import astrace
from benchmarks.tables import Cell, Table
from benchmarks.timing import by_column

SIZE = 64
SECONDS = 0.2
"""The total time of the timed calls of one form."""


def measure(smoke: bool) -> Table:
    """Measure the times of JAX for compiling and running both forms, as parts of a program, and their gradients."""
    import jax

    from benchmarks.jax_pairs import PAIRS

    x = jax.numpy.asarray(np.random.default_rng(0).normal(size=SIZE), np.float32)
    rows: list[list[Cell]] = []
    for pair in PAIRS[:: 10 if smoke else 1]:
        forms = pair.by_hand, astrace.compile(pair.plain, fullgraph=True)
        forms[1](x)
        compiling = _compile_times(forms, x, 1 if smoke else 5)
        forward = _run_times([jax.jit(form) for form in forms], x, smoke)
        row: list[Cell] = [f"`{pair.name}`", forward[0] * 1e6, forward[1] / forward[0]]
        if pair.reverse:
            gradient = _run_times([jax.jit(jax.grad(form)) for form in forms], x, smoke)
            row += [gradient[1] / gradient[0]]
        else:
            row += ["none"]
        rows.append([*row, compiling[0] * 1e3, compiling[1] / compiling[0]])
    if not smoke:
        rows.append(["**median**", *(_middle(rows, column) for column in range(1, 6))])
    head = ["Function", "by hand, µs", "forward, ratio", "gradient, ratio", "by hand, ms to compile"]
    return Table([*head, "compiling, ratio"], rows)


def _middle(rows: Sequence[Sequence[Cell]], column: int) -> float:
    return statistics.median(float(row[column]) for row in rows if not isinstance(row[column], str))


def _compile_times(forms: Sequence[Callable[[Any], Any]], x: Any, samples: int) -> list[float]:
    """Seconds of tracing, lowering and compiling, in turn."""
    import jax

    def once(form: Callable[[Any], Any]) -> float:
        jax.clear_caches()
        start = time.process_time()
        jax.jit(form).lower(x).compile()
        return time.process_time() - start

    return by_column([once(form) for form in forms] for _ in range(samples))


def _run_times(forms: Sequence[Callable[[Any], Any]], x: Any, smoke: bool) -> list[float]:
    """Seconds of a call that waits for its result, in turn."""
    for form in forms:
        form(x).block_until_ready()
    start = time.perf_counter()
    forms[0](x).block_until_ready()
    samples = 2 if smoke else min(max(int(SECONDS / (time.perf_counter() - start)), 51), 1001)
    return by_column([_once(form, x) for form in forms] for _ in range(samples))


def _once(form: Callable[[Any], Any], x: Any) -> float:
    start = time.perf_counter()
    form(x).block_until_ready()
    return time.perf_counter() - start


# -- kernels ---------------------------------------------------------------------------------------------


def measure_kernels(smoke: bool) -> Table:
    """Kernels of NumPy through ``backend="jax"``, with NumPy's arrays in and out, beside those written by hand."""
    import jax

    from benchmarks.jax_kernels import BY_HAND
    from benchmarks.kernels import KERNELS

    rows: list[list[Cell]] = []
    for kernel in [one for one in KERNELS if one.name in BY_HAND][:: 5 if smoke else 1]:
        size = kernel.small if smoke else kernel.large
        compiled = astrace.compile(kernel.function, backend="jax")
        by_hand = partial(_by_hand, BY_HAND[kernel.name])
        with jax.enable_x64(True):
            samples = 2 if smoke else 21
            hand, ours, plain = medians_of((by_hand, compiled, kernel.function), kernel.make, size, samples)
        rows.append([f"`{kernel.name}`", plain * 1e3, hand * 1e3, ours * 1e3, ours / hand])
    head = ["Kernel", "NumPy, ms", "by hand, ms", "astrace, ms", "astrace to by hand"]
    return Table(head, rows)


def _by_hand(function: Callable[..., Any], *given: Any) -> Any:
    """A call with NumPy's arrays in and out."""
    import jax

    return jax.tree.map(np.array, function(*given))


def medians_of(
    forms: Sequence[Callable[..., Any]], make: Callable[[int], Sequence[Any]], size: int, samples: int
) -> list[float]:
    """The median time of a call of each form, on fresh arguments."""
    for form in forms:
        form(*make(size))
    return by_column([_timed(form, make(size)) for form in forms] for _ in range(samples))


def _timed(form: Callable[..., Any], given: Sequence[Any]) -> float:
    start = time.perf_counter()
    form(*given)
    return time.perf_counter() - start
