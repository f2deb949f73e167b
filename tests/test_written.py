"""Functions of NumPy that are written in others: machine code has NumPy's bits, or leaves the call to NumPy."""

from __future__ import annotations

import functools
import linecache
import re
from typing import Any

import harness
import numpy as np
import pytest
import written_cases

import astrace
from astrace.backends.native import backend
from astrace.backends.native.kernel import Kernel
from astrace.backends.native.partition import Partition
from astrace.passes.lowering.written.table import FUNCTIONS

pytest.importorskip("numba")

CALLS = written_cases.calls()
SEEDS = 10
RARE = ("np.digitize(x, k, right=True)", "np.squeeze(x[None, :]) * 2")
"""Expressions whose arguments most often have no machine code."""


def function_of(expressions: list[str]) -> tuple[Any, list[str]]:
    """Return a function that makes results in a loop, and the names of its arguments."""
    lines = [f"r{place} = {one}" for place, one in enumerate(expressions)]
    return program_of(lines, [f"r{place}" for place in range(len(expressions))])


def program_of(lines: list[str], results: list[str]) -> tuple[Any, list[str]]:
    """Return a function of a loop whose body is some lines, and the names of its arguments."""
    told = " ".join(lines)
    names = [name for name in written_cases.NAMES if re.search(rf"(?<![\w.'\"]){name}(?![\w'\"(=])", told)]
    begin = "".join(f"    {one} = None\n" for one in results)
    body = "".join(f"        {line}\n" for line in lines)
    source = f"def f({', '.join(names)}):\n{begin}    for turn in range(1):\n{body}    return {', '.join(results)}\n"
    file = f"<written {told}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    space: dict[str, Any] = {"np": written_cases.np}
    exec(compile(source, file, "exec"), space)
    return space["f"], names


def kernels_of(native: Any) -> list[Kernel]:
    return [kernel for stages in native.captures for kernel in stages.kernels]


def check(function: Any, native: Any, names: list[str], seed: int) -> None:
    """Compare a call with the plain function: results, changed arguments, warnings, exceptions."""
    one, other = written_cases.arguments(seed), written_cases.arguments(seed)
    expected = harness.observe(function, tuple(one[name] for name in names))
    found = harness.observe(native, tuple(other[name] for name in names))
    assert harness.differences(expected, found) == []
    assert found.warned == expected.warned


@pytest.mark.parametrize("expression", CALLS)
def test_gives_numpys_bits(expression: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it is given: numbers of other dtypes, axes in another order, nothing, NaN; by the text of the kernels."""
    monkeypatch.setattr(backend, "Partition", functools.partial(Partition, compiled=False))
    function, names = function_of([expression])
    native = astrace.compile(function, backend="native", recompile_limit=1000)
    for seed in range(SEEDS):
        check(function, native, names, seed)
    assert expression in RARE or sum(kernel.runs for kernel in kernels_of(native)) >= 2


WRITTEN_LATER = (
    *("c = np.flip(x); x[0] = 7.0; r = c * 1", "c = np.expand_dims(x, 0); c[0, 1] = 7.0; r = x * 1"),
    *("c = np.transpose(m); m[0, 1] = 7.0; r = c[1] * 1", "c = np.swapaxes(m, 0, 1); c[0] = 7.0; r = m * 1"),
    *("c = np.atleast_1d(x); x[1] = 7.0; r = c * 1", "c = np.atleast_2d(x); c[0, 0] = 7.0; r = x * 1"),
    *("c = np.fliplr(m); c[0, 0] = 7.0; r = m * 1", "c = np.moveaxis(m, 0, 1); m[1] = 7.0; r = c[0] * 1"),
    *("c = np.ediff1d(x); x[:] = 0.0; r = c * 1", "c = np.gradient(x); x[:] = 0.0; r = c * 1"),
    *(
        "c = np.clip(x, None, 0.5); x[:] = 0.0; r = c * 1",
        "c = np.polyval([1.0, 2.0], x); x[:] = 0.0; r = c * 1",
    ),
    *(
        "c = np.select([x > 0.0], [x], 0.5); x[:] = 0.0; r = c * 1",
        "c, d = np.meshgrid(x, y); x[:] = 0.0; r = c + d",
    ),
    *("c = np.tile(x, 2); x[:] = 0.0; r = c * 1", "c = np.unwrap(x); x[:] = 0.0; r = c * 1"),
    *("c = np.linalg.norm(m, axis=1); m[:] = 0.0; r = c * 1", "c = np.triu(m); m[:] = 0.0; r = c * 1"),
    *("c = np.round(x, 1); x[:] = 0.0; r = c * 1", "c = np.nan_to_num(x); x[:] = 0.0; r = c * 1"),
    *("c = np.where(x > 0.0); x[:] = 0.0; r = x[c] + 1", "c = np.fft.fftshift(x); x[:] = 0.0; r = c * 1"),
    *("c = np.trapezoid(m, axis=0); m[:] = 0.0; r = c * 1", "c = np.isclose(x, y); x[:] = 0.0; r = c * 1"),
)
"""Statements of which one stores into what another one has made something of: a view, or a copy."""


@pytest.mark.parametrize("statements", WRITTEN_LATER)
def test_what_is_stored_later(statements: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "Partition", functools.partial(Partition, compiled=False))
    function, names = program_of(statements.split("; "), ["r"])
    native = astrace.compile(function, backend="native")
    for seed in written_cases.ORDINARY:
        check(function, native, names, seed)
    assert sum(kernel.runs for kernel in kernels_of(native)) >= 1


def test_edges_of_bins_are_the_array_that_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(x: Any, edges: Any) -> Any:
        counts, same = np.histogram(x, edges)
        edges[0] = -9.0
        return counts * 2, same

    monkeypatch.setattr(backend, "Partition", functools.partial(Partition, compiled=False))
    native = astrace.compile(counted, backend="native")
    x = np.array([0.0, 1.0, -1.0, 2.0, 1.0, -0.0])
    for given in (
        [0.0, 1.0, 2.0],
        [0.0, 1.0, 1.0],
        [0.0, 1.0, 1.0, 2.0],
        [2.0, 1.0],
        [1.0],
        [0.0, np.nan],
        [-np.inf, 0.0],
    ):
        edges, others = np.array(given), np.array(given)
        expected, found = harness.observe(counted, (x, edges)), harness.observe(native, (x, others))
        assert harness.differences(expected, found) == []
    edges = np.array([0.0, 1.0])
    assert native(x, edges)[1] is edges
    assert sum(kernel.runs for kernel in kernels_of(native)) >= 3


COMPILED = (
    *("np.convolve(x, k, 'full')", "np.gradient(m, 0.5, axis=1)", "np.unwrap(x * 4.0)", "np.polyval(k, x)"),
    *("np.cov(x, y)", "np.nanvar(m, axis=0)", "np.nanmax(x)", "np.percentile(x, 30)", "np.argsort(x)"),
    *(
        "np.histogram(x)",
        "np.fft.irfft(np.fft.rfft(x), len(x))",
        "np.einsum('ij,j->i', m, m[0])",
        "np.kron(a, m)",
        "np.tile(m, (2, 3))",
        "np.cross(p, v)",
        "b @ b",
        "np.nonzero(x)",
    ),
    *("np.linspace(0.0, s, n)", "np.arange(0.0, 3.0 + s, 0.25)", "np.take_along_axis(m, j, axis=1)"),
)
"""Some with each kind of step that kernels have: what Numba makes of the same text is no matter of the function."""


@pytest.mark.parametrize("expression", COMPILED)
def test_runs_as_machine_code(expression: str) -> None:
    function, names = function_of([expression])
    native = astrace.compile(function, backend="native")
    for _ in range(2):
        check(function, native, names, 0)
    assert any(kernel.runs for kernel in kernels_of(native))
    assert not [kernel.refused for kernel in kernels_of(native) if kernel.refused]


def test_each_function_is_called() -> None:
    """All that are written out are among the calls; methods and operators by other names."""
    told = "\n".join(CALLS)
    called = {name for name in FUNCTIONS if f"{name}(" in told}
    assert FUNCTIONS.keys() - called <= {"np.linalg.cross", "matmul", "ndarray.clip"}
