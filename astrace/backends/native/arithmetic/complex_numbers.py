"""Complex numbers as Numba compiles them: of products and quotients, the way to compute that gives NumPy's bits here.

Whether NumPy's loops round a product twice or once depends on the processor.  What is compiled has no branches, so that
it raises no other status flags than NumPy does.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload
from numba.np.numpy_support import as_dtype

from astrace.backends.native.callees import OPTIONS, callee
from astrace.ops import lowered

# pyright: basic, reportCallIssue=false
PARTS: Final = (0.0, -0.0, 1.0, -1.0, 1.3, -2.6e-3, 7.1e4, np.inf, np.nan, 1e-200, 1e200)


def complex_of_object(context, builder, kind, given):
    """Write how a number is taken out of Python's object, part by part; Numba would call a function of its own.

    Args:
        context: Numba's, of what is compiled.
        builder: writes LLVM instructions, of a function that returns a null pointer where Python raises.
        kind: the type of the number as Numba names it.
        given: the address of the object.
    """
    pointer, double = ir.IntType(8).as_pointer(), ir.DoubleType()
    made = context.make_complex(builder, kind)
    for name in ("real", "imag"):
        text = builder.bitcast(context.insert_const_string(builder.module, name), pointer)
        found = _called(builder, "PyObject_GetAttrString", pointer, given, text)
        with builder.if_then(builder.icmp_unsigned("==", found, pointer(None)), likely=False):
            builder.ret(pointer(None))
        value = _called(builder, "PyFloat_AsDouble", double, found)
        _called(builder, "Py_DecRef", ir.VoidType(), found)
        narrow = kind.underlying_float == types.float32
        setattr(made, name, builder.fptrunc(value, ir.FloatType()) if narrow else value)
    return made._getvalue()


def _called(builder, name, result, *given):
    """Call a function of Python's."""
    kind = ir.FunctionType(result, [one.type for one in given])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), given)


@intrinsic
def multiplied_and_added(typing_context, a, b, c):
    """``a * b + c``, rounded once."""

    def generate(context, builder, signature, args):
        return builder.fma(*args)

    return a(a, b, c), generate


@intrinsic
def complex_number(typing_context, real, imaginary):
    """The number of two parts."""
    kind = types.complex64 if real == types.float32 else types.complex128

    def generate(context, builder, signature, args):
        made = context.make_complex(builder, kind)
        made.real, made.imag = args
        return made._getvalue()

    return kind(real, imaginary), generate


@callee
def real_part(z):
    return z.real


@callee
def imaginary_part(z):
    return z.imag


def _rounded_once(dtype):
    @numba.njit(**OPTIONS)
    def product(a, b):
        real = multiplied_and_added(a.real, b.real, -(a.imag * b.imag))
        return complex_number(real, multiplied_and_added(a.real, b.imag, a.imag * b.real))

    return product


def _rounded_twice(dtype):
    @numba.njit(**OPTIONS)
    def product(a, b):
        return a * b

    return product


def _by_ratio(dtype):
    """NumPy's way: a ratio of the parts of the divisor, the smaller one by the larger one, and a reciprocal."""
    unit = np.zeros((), dtype).real.dtype.type(1)

    @numba.njit(**OPTIONS)
    def quotient(a, b):
        real_is_larger = abs(b.real) >= abs(b.imag)
        large, small = (b.real, b.imag) if real_is_larger else (b.imag, b.real)
        first, second = (a.real, a.imag) if real_is_larger else (a.imag, a.real)
        ratio = small / large
        scale = unit / (large + small * ratio)
        product = first * ratio
        left, right = (second, product) if real_is_larger else (product, second)
        return complex_number((first + second * ratio) * scale, (left - right) * scale)

    return quotient


def _of_python(dtype):
    """Python's way: the same ratio, and two divisions."""

    @numba.njit(**OPTIONS)
    def quotient(a, b):
        real_is_larger = abs(b.real) >= abs(b.imag)
        large, small = (b.real, b.imag) if real_is_larger else (b.imag, b.real)
        first, second = (a.real, a.imag) if real_is_larger else (a.imag, a.real)
        ratio = small / large
        divisor = large + small * ratio
        product = first * ratio
        left, right = (second, product) if real_is_larger else (product, second)
        return complex_number((first + second * ratio) / divisor, (left - right) / divisor)

    return quotient


CANDIDATES: Final[Mapping[str, Sequence[Callable[[Any], Any]]]] = {
    "complex_product": (_rounded_once, _rounded_twice),
    "complex_quotient": (_by_ratio,),
    "python_quotient": (_of_python,),
}
"""By op, the ways to compute it: Python calls them to see which has NumPy's bits."""


def _chosen_when_compiled(name: str) -> Callable[[Any, Any], Any]:
    """A function that compiled code may call; only then the ways to compute it are tried."""

    def function(a, b):
        """Only compiled code calls this: Numba finds what it does in `choose`."""

    @overload(function, inline="never")
    def choose(a, b):
        way = _tried(name, as_dtype(a))
        return lambda a, b: way(a, b)  # noqa: PLW0108  Numba asks for a function of Python's

    return function


@functools.cache
def _tried(name: str, dtype: Any) -> Any:
    """The first way to compute an op that gives its bits for numbers of all sizes.

    Raises:
        TypingError: none does.
    """
    reference = lowered.FUNCTIONS[name]
    with np.errstate(all="ignore"):
        numbers = [dtype.type(complex(*pair)) for pair in itertools.product(PARTS, PARTS)][::3]
        divisors = [number for number in numbers if number and not np.isnan(number)]
        pairs = list(itertools.product(numbers, divisors))
        expected = np.array([reference(a, b) for a, b in pairs], dtype)
        for candidate in CANDIDATES[name]:
            way = candidate(dtype)
            if _agree(expected, np.array([way(a, b) for a, b in pairs], dtype)):
                return way
    raise TypingError(f"`{name}` gives other bits than are known")


def _agree(expected, found):
    """Tell whether numbers have the same bits, but for those of NaNs."""
    return all(
        np.array_equal(one, other, equal_nan=True)
        and np.array_equal(np.signbit(one[one == one]), np.signbit(other[one == one]))
        for one, other in ((expected.real, found.real), (expected.imag, found.imag))
    )


COMPILED: Final[Mapping[str, Any]] = {
    "real_part": real_part,
    "imaginary_part": imaginary_part,
    "complex_number": complex_number,
    **{name: _chosen_when_compiled(name) for name in CANDIDATES},
}
"""The names in the text, as Numba compiles them."""
