"""Random programs of complex numbers, of Python and of NumPy, alone and in arrays, through kernels, to the bit.

    python -m fuzz.run --kind complex_native --programs 100 --seed 0

Numbers grow beyond all bounds, are divided by zero, and have parts that are zeros of either sign, infinite or NaN.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from unittest import mock

import harness
import numpy as np
import variants

from fuzz import kernels
from fuzz.draft import FormDraft
from fuzz.nests import Arguments

HEADER = '"""A random program of complex numbers."""\n\nimport numpy as np\n\n\n'
SCALARS: Final = (
    *("a[{index}]", "b[{index}]", "m[{index}, {index}]", "z", "w", "x[{index}]", "s", "1j", "0.5", "2", "(1.5 - 2j)"),
    *("({scalar} + {scalar})", "({scalar} - {scalar})", "({scalar} * {scalar})", "({scalar} / {scalar})"),
    *("({scalar} * {scalar})", "abs({scalar})", "-{scalar}", "z.real", "w.imag", "a[{index}].conjugate()"),
    *("complex(s, x[{index}])", "z**2", "a[{index}] ** 2", "np.abs(b[{index}])", "np.exp(1j * x[{index}])"),
    *("a[{index}].real", "b[{index}].imag", "np.conj(a[{index}])", "np.sqrt(b[{index}])", "complex(x[{index}])"),
    *("np.real(a[{index}])", "np.angle(b[{index}])", "a[:{index}].sum()", "(a[:{index}] @ b[:{index}])"),
    *("np.multiply(a[{index}], {scalar})", "np.complex64({scalar})", "np.complex128({scalar})", "x[:{index}].sum()"),
)  # fmt: skip
VECTORS: Final = (
    *("a", "b", "x", "m[{index}]", "m[:, {index}]", "a[::-1]", "a.copy()", "a.real", "b.imag", "m.T[{index}]"),
    *("({vector} + {vector})", "({vector} * {vector})", "({vector} - {scalar})", "({scalar} * {vector})"),
    *("({vector} / {vector})", "np.conj({vector} * 1j)", "np.abs({vector})", "np.exp(1j * x)", "(a * np.conj(a)).real"),
    *("np.where(x > 0, {vector}, {vector})", "np.where({vector} == {vector}, a, {scalar})", "a**2", "np.sqrt(a)"),
    *("(-{vector})", "np.roll(a, 1)", "np.angle(b)", "(x + 1j * x)", "m.sum(axis=0)", "(a * 1j).imag", "a.astype(np.complex64)"),
)  # fmt: skip
TESTS: Final = (
    *("{scalar} == {scalar}", "{scalar} != 0", "abs({scalar}) > 2.0", "x[{index}] < s", "a[{index}].real > b[{index}].imag"),
    *("not {scalar}", "np.isfinite({scalar})", "{test} and {test}", "z == w", "abs(z) < abs(w)"),
)  # fmt: skip
CHANGES: Final = (
    *("a[{index}] = {scalar}", "b[{index}] *= {scalar}", "m[{index}, {index}] += {scalar}", "z = {scalar}", "w = {scalar}"),
    *("z = z * z + a[{index}]", "w += {scalar}", "x[{index}] = abs({scalar})", "s = x[{index}] * 0.5", "z = complex(z)"),
    *("a[:] = {vector}", "b[{index}:] = a[{index}:] * {scalar}", "m[{index}] = {vector}", "m[:, {index}] += {vector}"),
    *("a.real[{index}] = x[{index}]", "b.imag[:] = {index}", "a *= {scalar}", "b -= {vector}", "a /= {scalar}"),
    *("a[x > s] = {scalar}", "b = {vector} * (1 + 0j)", "a[1:] = a[:-1] * b[1:]", "m *= 0.5j", "x += a.real", "v = {vector}; v[:1] = 0.5"),
)  # fmt: skip
RESULTS: Final = (
    "z, w",
    "a, z",
    "b.real, w",
    "m, a * b",
    "abs(z), a.sum()",
    "x, a.imag, b",
    "z == w, a",
    "np.abs(a), s",
)
PARTS: Final = (0.0, -0.0, 1.0, -1.0, 0.5, np.inf, np.nan, 1e-200, -1e200)


@dataclass
class Complex(FormDraft):
    """A program in the making."""

    FILLER = "w = w * 0.5"
    TEST_DEPTH = 1
    ELSE = 0.5

    budget: int = 8

    def part(self, kind: str, depth: int) -> str:
        """An expression of a kind."""
        if kind == "index":
            known = [*self.indices, *self.indices, *(f"{one} - 1" for one in self.indices)]
            return self.rng.choice([*known, "0", "-1", "n // 2"])
        forms, leaves = {"scalar": (SCALARS, 11), "vector": (VECTORS, 10), "test": (TESTS, 5)}[kind]
        return self.fill(self.rng.choice(forms if depth else forms[:leaves]), max(0, depth - 1))

    def statement(self) -> None:
        """Write a statement."""
        self.budget -= 1
        kind = self.rng.random()
        if kind < 0.25 and self.loops < 2 and self.depth < 4:
            self.loop()
        elif kind < 0.4 and self.depth < 4:
            self.branch()
        elif kind < 0.45 and self.loops:
            self.line(f"if {self.part('test', 1)}: break")
        else:
            self.line(self.fill(self.rng.choice(CHANGES)))

    def loop(self) -> None:
        """Write a loop."""
        name = self.fresh("i")
        self.line(f"for {name} in range({self.rng.choice(['n', 'n', '1, n', 'n - 1, -1, -1', '3'])}):")
        self.indices.append(name)
        self.loops += 1
        self.block(self.rng.randint(1, 3))
        self.loops -= 1
        self.indices.remove(name)


def compare(
    source: str, seed: int, way: variants.Variant | None, through_numba: bool
) -> tuple[list[str], str]:
    """What differs for one program."""
    return compared(source, seed, way, arguments, through_numba)


def compared(
    source: str, seed: int, way: variants.Variant | None, given: Arguments, through_numba: bool
) -> tuple[list[str], str]:
    """What differs for one program; of two NaNs that meet, either may come out.

    Args:
        source: the program.
        seed: of its arguments.
        way: in which the function is run.
        given: makes the arguments.
        through_numba: kernels are compiled.
    """
    with mock.patch.object(harness, "bits", functools.partial(bits_but_of_nans, harness.bits)):
        return kernels.compare(source, seed, way, given, through_numba)


def bits_but_of_nans(bits: Callable[[np.ndarray], bytes], array: np.ndarray) -> bytes:
    """The bits of an array in which all NaNs are one."""
    if array.dtype.kind not in "fc" or array.dtype.char in "gG":
        return bits(array)
    parts = np.array(array, order="C").ravel().view(np.zeros((), array.dtype).real.dtype)
    parts[np.isnan(parts)] = np.nan
    return bits(parts)


def program(seed: int) -> str:
    """The source of a random program of complex numbers."""
    made = Complex(random.Random(seed))
    made.line("n, z, w = len(a), 0j, a.dtype.type(1 - 1j)")
    made.loop()
    while made.budget > 0:
        made.statement()
    made.line(f"return {made.rng.choice(RESULTS)}")
    return f"{HEADER}def f(a, b, m, x, s):\n" + "\n".join(made.lines) + "\n"


def arguments(seed: int) -> list[tuple[object, ...]]:
    """Arguments for five calls: some items, special ones, single precision, one item, none."""
    rng = np.random.default_rng(seed)

    def numbers(*shape: int) -> np.ndarray:
        return rng.normal(size=shape) + 1j * rng.normal(size=shape)

    def special(*shape: int) -> np.ndarray:
        return rng.choice(PARTS, shape) + 1j * rng.choice(PARTS, shape)

    found: list[tuple[object, ...]] = []
    for n, make in ((4, numbers), (4, special), (1, numbers), (0, numbers)):
        with np.errstate(invalid="ignore"):
            arrays = make(n), make(n), make(n, n)
        found.append((*arrays, rng.normal(size=n), float(rng.normal())))
    single = (numbers(4), numbers(4), numbers(4, 4))
    found.append((*(one.astype(np.complex64) for one in single), rng.normal(size=4), 0.5))
    return found
