"""Loops of NumPy's that leave the processor's status flags up: what compiled code takes for granted of them."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

import astrace
from astrace.backends.native.arithmetic.loop_flags import LOOP, keeps_flags
from astrace.backends.native.symbols import WATCHED, _libm

import harness  # isort: skip; found through tests/conftest.py


def kept(function: Any, kinds: str = "d->d") -> bool:
    """Ask about a loop that is written here."""
    loop = LOOP(function)
    address = ctypes.cast(loop, ctypes.c_void_p).value or 0
    return keeps_flags(address, None, kinds, _libm(), WATCHED)


def test_a_loop_that_clears_flags_for_some_element_is_found() -> None:
    def harmless(places: int, size: int, steps: int, data: int | None) -> None:
        pass

    def for_one(places: int, size: int, steps: int, data: int | None) -> None:
        given = ctypes.cast(places, ctypes.POINTER(ctypes.POINTER(ctypes.c_double)))[0][0]
        if given == 710.0:
            _libm().feclearexcept(WATCHED)

    assert kept(harmless)
    assert not kept(for_one)
    assert not kept(harmless, "D->D")
    assert not keeps_flags(0, None, "d->d", _libm(), 0)


def program(name: str) -> Any:
    """A loop that divides by what may be zero, and then calls a function of other numbers."""
    ufunc: Any = getattr(np, name)

    def divides_first(a: Any, x: Any) -> Any:
        out = np.zeros(len(x))
        for i in range(len(x)):
            out[i] = 1.0 / a[i]
            out[i] += ufunc(x[i])
        return out

    return divides_first


@pytest.mark.parametrize("name", ["exp", "sin", "log", "tanh", "floor", "arctan", "cbrt", "log1p"])
def test_a_warning_in_front_of_a_call_is_told(name: str) -> None:
    function = program(name)
    native = astrace.compile(function, backend="native")
    x = np.array([0.5, 2.0, 0.25])
    for a in (np.ones(3), np.array([1.0, 0.0, 2.0]), np.full(3, 0.25)):
        expected, found = harness.observe(function, (a, x)), harness.observe(native, (a, x))
        assert harness.differences(expected, found) == []
        assert found.warned == expected.warned
    (kernel,) = native.captures[-1].kernels[:1]
    assert kernel.runs == 2
