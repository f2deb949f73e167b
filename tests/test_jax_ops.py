"""Every function of NumPy that has a rule for JAX against NumPy: values, dtypes, shapes, types, exceptions.

pytest tests/test_jax_ops.py            # one dtype and rank for each sample, in turn
pytest tests/test_jax_ops.py --whole    # all of them
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final

import conformance
import numpy as np
import pytest
import samples
from closeness import differences
from conformance import Case
from left_to_numpy import Exact

import astrace
from astrace.backends.jax.lower.leaf_nodes import RULES

DTYPES: Final = ("float64", "int64", "float32", "bool", "int32", "complex128", "uint8", "complex64", "int8")
RANKS: Final = (1, 2, 3, 0)
CASES: Final = tuple(
    Case(dtype, rank, "contiguous", dtype) for rank, dtype in itertools.product(RANKS, DTYPES)
)
LAYOUTS: Final = tuple(
    Case("float64", rank, name, "float64") for name in ("empty", "single", "reversed") for rank in (1, 2)
)
OPS: Final = [
    name
    for name, texts in samples.samples().items()
    if name in RULES and name.startswith(("np.", "ndarray.")) and any(map(samples.names_in, texts))
]


@pytest.mark.parametrize("name", OPS)
def test_as_numpy(name: str, request: pytest.FixtureRequest) -> None:
    """No difference beside the last bits of floats."""
    whole = request.config.getoption("--whole")
    found = [(*pair, seen) for pair in pairs_of(name, whole) if (seen := different(*pair))]
    assert found == []


READS_BEYOND: Final = ("np.fft.irfft", "np.fft.hfft", "np.fft.irfft2", "np.fft.irfftn")
"""Functions that read what was in memory before, where an array is empty."""


def pairs_of(name: str, whole: bool) -> Iterator[tuple[str, Case]]:
    """The samples of an op with their cases."""
    texts = [text for text in samples.samples()[name] if not text.startswith("op(")]
    cases = [one for one in CASES + LAYOUTS if one.layout != "empty" or name not in READS_BEYOND]
    for number, text in enumerate(texts):
        if whole:
            yield from ((text, case) for case in cases)
        else:
            yield text, cases[0]
            yield text, cases[(OPS.index(name) + number) % len(cases)]


def different(text: str, case: Case) -> list[str]:
    """Return the differences between the plain function and the one that runs through JAX."""
    function = samples.function_of(text)
    names = samples.names_in(text)
    compiled = astrace.compile(function, backend="jax")
    expected = conformance.observed(function, conformance.operands(names, case))
    return differences(expected, conformance.observed(compiled, conformance.operands(names, case)))


@pytest.mark.parametrize("of", [np.uint8(7), np.arange(3, dtype=np.uint8)], ids=["number", "array"])
def test_literals_that_a_dtype_does_not_hold(of: Any) -> None:
    """NumPy refuses a Python integer that does not fit; so does what runs through XLA."""

    def divided(x: Any) -> Any:
        return x // -3

    def added(x: Any) -> Any:
        return x + 256

    def masked(x: Any) -> Any:
        return x & -1

    for function in (divided, added, masked):
        compiled = astrace.compile(function, backend="jax")
        with pytest.raises(OverflowError, match="out of bounds for uint8"):
            compiled(of)
        assert compiled.captures[0].fallback is None


def test_checks_of_shapes_beside_checks_of_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison of sizes is in parentheses where it stands beside other conditions: the calls reach XLA."""

    def transformed(x: Any) -> Any:
        return np.fft.fft(x * 2.0)

    def averaged(x: Any) -> Any:
        return np.average(x * 2.0)

    exact = Exact(monkeypatch)
    for function in (transformed, averaged):
        compiled = astrace.compile(function, backend="jax")
        for size in (4, 6):
            given = np.linspace(1.0, 3.0, size)
            np.testing.assert_allclose(compiled(given), function(given))
            exact.note(compiled, (given,), raises=False)
    assert exact.whole == 4
    assert exact.row() is None


def test_ranges_of_numpys_integers() -> None:
    """An index that an operator keeps from being negative is compared with the size alone."""

    def item(x: Any, k: Any) -> Any:
        return x[k & 7]

    compiled = astrace.compile(item, backend="jax")
    given = np.arange(9.0), np.int64(-3)
    assert compiled(*given) == item(*given) == 5.0
    assert "is_inside" not in compiled.stages(*given).executable.source
