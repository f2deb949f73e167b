"""Products of small matrices, element by element: the bits are NumPy's where `fused_products` finds that out when machine code is loaded.

The library that NumPy calls takes most of its time to begin: for two rows and columns half of sixty nanoseconds.
"""

from __future__ import annotations

import ctypes
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from astrace.backends.native.arithmetic.complex_numbers import multiplied_and_added
from astrace.backends.native.arithmetic.fused_products import LEAST, MOST
from astrace.backends.native.callees import OPTIONS, callee
from astrace.backends.native.symbols import FUSED_PRODUCTS, fused_products

# pyright: basic, reportCallIssue=false


@intrinsic
def are_fused(typing_context):
    """Whether the process that runs the machine code has found out that products are computed so."""

    def generate(context, builder, signature, args):
        llvmlite.binding.add_symbol(FUSED_PRODUCTS, ctypes.addressof(fused_products()))
        number = ir.IntType(32)
        known = builder.module.globals.get(FUSED_PRODUCTS)
        place = known or ir.GlobalVariable(builder.module, number, FUSED_PRODUCTS)
        return builder.icmp_signed("!=", builder.load(place), number(0))

    return types.boolean(), generate


@callee
def has_rows(matrix):
    """Whether the items of each row follow each other, as the library asks for; NumPy multiplies others by loops of its own."""
    step, item = matrix.strides
    return item == matrix.itemsize and step >= item * matrix.shape[1] and step % item == 0


@callee
def is_taken(matrix):
    """Whether the library takes a matrix, as it is or transposed."""
    return has_rows(matrix) or has_rows(matrix.T)


@callee
def multiply_in_turn(out, left, right):
    """Add up the products of each element one after the other."""
    for row in range(left.shape[0]):
        for column in range(right.shape[1]):
            found = 0.0
            for item in range(left.shape[1]):
                found = multiplied_and_added(left[row, item], right[item, column], found)
            out[row, column] = found


def with_small_products(by_library: Any) -> Any:
    """A product of matrices of ``float64`` that leaves small ones out.

    Args:
        by_library: the product into an array, by the loop of NumPy's.
    """
    options: Any = OPTIONS

    def product(out, left, right):
        """Only compiled code calls this: Numba finds what it does in `choose`."""

    @overload(product, jit_options=options)
    def choose(out, left, right):
        if left.ndim == right.ndim == 2:
            return of_matrices
        return lambda out, left, right: by_library(out, left, right)  # noqa: PLW0108  Numba asks for a function of Python's

    def of_matrices(out, left, right):
        rows, inner = left.shape
        columns = right.shape[1]
        small = max(rows, inner, columns) <= MOST and min(rows, inner, columns) >= LEAST
        apart = left.ctypes.data != right.ctypes.data  # of a matrix and its own transpose, a half is computed
        if small and apart and has_rows(out) and is_taken(left) and is_taken(right) and are_fused():
            multiply_in_turn(out, left, right)
        else:
            by_library(out, left, right)

    return product
