"""Ops of lowered blocks on complex numbers and their parts, and on the bits of numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np


def real_part(z: Any) -> Any:
    """The real part of a complex number."""
    return z.real


def imaginary_part(z: Any) -> Any:
    """The imaginary part of a complex number."""
    return z.imag


def complex_number(real: Any, imaginary: Any) -> Any:
    """The number of two parts of one dtype."""
    made = np.zeros((), np.result_type(np.asarray(real), np.complex64))
    made.real, made.imag = real, imaginary
    return made[()]


def complex_product(a: Any, b: Any) -> Any:
    """The product of two elements of arrays of complex numbers."""
    return np.multiply([a], [b], dtype=np.asarray(a).dtype)[0]


def complex_quotient(a: Any, b: Any) -> Any:
    """The quotient of two complex numbers of NumPy's."""
    return np.divide([a], [b], dtype=np.asarray(a).dtype)[0]


def python_quotient(a: Any, b: Any) -> Any:
    """The quotient of two complex numbers of Python's; the divisor is not zero."""
    return complex(a) / complex(b)


def bits_of(number: Any) -> int:
    """The bits of a float as an integer; of a complex number those that are set in either part."""
    if isinstance(number, complex | np.complexfloating):
        return bits_of(number.real) | bits_of(number.imag)
    held = np.asarray(number)
    return int(held.view(f"i{held.itemsize}"))


PARTS: Final[Mapping[str, Callable[..., Any]]] = {
    function.__name__: function
    for function in (
        *(real_part, imaginary_part, complex_number, complex_product, complex_quotient, python_quotient),
        bits_of,
    )
}
"""The ops that are written as calls of a function of their name, and what they do."""
