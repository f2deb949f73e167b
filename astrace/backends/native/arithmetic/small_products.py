"""Products of small matrices and vectors, element by element, where `product_orders` finds out how NumPy's are added up.

The library that NumPy calls takes most of its time to begin: for two rows and columns half of sixty nanoseconds.  What is not a number is
left to it, since which of two operands that are none it takes is nowhere said, and so is a zero with a sign.

The functions take addresses, sizes and steps in bytes, so that Numba compiles each once and not for all kinds of arrays, and kernels
call them: inlined, they would be most of what is compiled.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import llvmlite.binding
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from astrace.backends.native.arithmetic.complex_numbers import multiplied_and_added
from astrace.backends.native.arithmetic.product_orders import adder, is_certain
from astrace.backends.native.arithmetic.unrolled_products import (
    times_2_2,
    times_2_3,
    times_2_4,
    times_3_2,
    times_3_3,
    times_3_4,
    times_4_2,
    times_4_3,
    times_4_4,
)
from astrace.backends.native.callees import callee
from astrace.backends.native.symbols import PRODUCT_ORDERS, product_orders
from astrace.ops.lowered_products import (
    COLUMNS,
    DENSE_COLUMNS,
    DENSE_ROWS,
    FUSED,
    KINDS,
    LOOPS,
    MATRICES,
    MOST,
    ROWS,
    UNKNOWN,
    VECTOR_LOOPS,
    VECTORS,
    place_of,
)

# pyright: basic, reportCallIssue=false
WORD = ir.IntType(64)
ITEM: Final = 8
"""The bytes of a ``float64``."""


@intrinsic
def stays_apart(typing_context):
    """Keep LLVM from writing the function that calls this into those that call it."""

    def generate(context, builder, signature, args):
        builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def known_order(typing_context, place):
    """What the process that runs the machine code has found out, at a place."""

    def generate(context, builder, signature, args):
        llvmlite.binding.add_symbol(PRODUCT_ORDERS, ctypes.addressof(product_orders()))
        kind = ir.ArrayType(ir.IntType(8), KINDS * MOST**3)
        known = builder.module.globals.get(PRODUCT_ORDERS)
        table = known or ir.GlobalVariable(builder.module, kind, PRODUCT_ORDERS)
        return builder.zext(builder.load(builder.gep(table, [WORD(0), args[0]])), WORD)

    return types.int64(types.int64), generate


@intrinsic
def float_at(typing_context, address, distance):
    """The float at a distance from an address."""

    def generate(context, builder, signature, args):
        return builder.load(builder.inttoptr(builder.add(*args), ir.DoubleType().as_pointer()))

    return types.float64(types.int64, types.int64), generate


@intrinsic
def put_float(typing_context, address, value):
    """Store a float at an address."""

    def generate(context, builder, signature, args):
        builder.store(args[1], builder.inttoptr(args[0], args[1].type.as_pointer()))
        return context.get_dummy_value()

    return types.void(types.int64, types.float64), generate


_multiply_and_add: Any = multiplied_and_added
_item: Any = float_at
sum_of_products = adder(_multiply_and_add, _item, callee)
place = callee(place_of)
has_one_form = callee(is_certain)


@callee
def is_in_rows(down, across, columns):
    """Whether the items of each row follow each other, as the library asks for; NumPy multiplies others by loops of its own."""
    return across == ITEM and down >= ITEM * columns


@callee
def small_dot(out, left, right, inner, steps):
    """Compute a product of two vectors, if that is known to give NumPy's bits, and return whether it is done.

    Args:
        out: the address of the product.
        left: that of a vector.
        right: that of the other one.
        inner: the number of their items.
        steps: along them.
    """
    stays_apart()
    step, other_step = steps
    if step == other_step == ITEM:
        order = known_order(place(VECTORS, 1, 1, inner))
    elif min(step, other_step) < ITEM:
        order = known_order(place(VECTOR_LOOPS, 1, 1, inner))
    else:
        return False
    total = sum_of_products(order, left, step, right, other_step, inner)
    put_float(out, total)
    return order != UNKNOWN and has_one_form(total)


@callee
def kind_with_vector(rows, inner, down, across, step):
    """The kind of a product of a matrix and a vector; one that is not tried where the vector's items lie apart."""
    if step != ITEM:
        return LOOPS if step < ITEM else MATRICES
    if is_in_rows(down, across, inner):
        return DENSE_ROWS if down == ITEM * inner else ROWS
    if is_in_rows(across, down, rows):
        return DENSE_COLUMNS if across == ITEM * rows else COLUMNS
    return LOOPS


@callee
def small_vector_product(out, matrix, vector, rows, inner, steps):
    """The same for a matrix and a vector.

    Args:
        out: the address of the product.
        matrix: that of the matrix.
        vector: that of the vector.
        rows: of the matrix.
        inner: its columns.
        steps: down the matrix, across it, along the vector.
    """
    stays_apart()
    down, across, step = steps
    if rows == 1 < inner:  # NumPy takes two vectors
        return small_dot(out, matrix, vector, inner, (across, step))
    kind = kind_with_vector(rows, inner, down, across, step) if inner > 1 else MATRICES
    order = known_order(place(kind, rows, 1, inner))
    if order == UNKNOWN:
        return False
    done = True
    for row in range(rows):
        total = sum_of_products(order, matrix + row * down, across, vector, step, inner)
        put_float(out + row * ITEM, total)
        done &= has_one_form(total)
    return done


@callee
def multiplied_by_rows(out, left, right, rows, inner, columns, steps):
    """Compute a product of matrices of two to four columns, each of whose elements has as many products, and return whether it is done."""
    if inner == 2:
        if columns == 2:
            return times_2_2(out, left, right, rows, steps)
        if columns == 3:
            return times_2_3(out, left, right, rows, steps)
        return times_2_4(out, left, right, rows, steps)
    if inner == 3:
        if columns == 2:
            return times_3_2(out, left, right, rows, steps)
        if columns == 3:
            return times_3_3(out, left, right, rows, steps)
        return times_3_4(out, left, right, rows, steps)
    if columns == 2:
        return times_4_2(out, left, right, rows, steps)
    if columns == 3:
        return times_4_3(out, left, right, rows, steps)
    return times_4_4(out, left, right, rows, steps)


@callee
def small_matrix_product(out, left, right, rows, inner, columns, steps):
    """The same for two matrices.

    Args:
        out: the address of the product, in C order.
        left: that of the left factor.
        right: that of the right one.
        rows: of the product.
        inner: the number of products in an element.
        columns: of the product.
        steps: of the factors, each down and across.
    """
    stays_apart()
    left_down, left_across, right_down, right_across = steps
    if columns == 1 < inner:  # NumPy takes a matrix and a vector
        return small_vector_product(out, left, right, rows, inner, (left_down, left_across, right_down))
    if rows == 1 < inner:
        return small_vector_product(out, right, left, columns, inner, (right_across, right_down, left_across))
    order = known_order(place(MATRICES, rows, columns, inner))
    if order == UNKNOWN or left == right:  # of a matrix and its own transpose, a half is computed
        return False
    of_rows = is_in_rows(left_down, left_across, inner), is_in_rows(right_down, right_across, columns)
    of_columns = is_in_rows(left_across, left_down, rows), is_in_rows(right_across, right_down, inner)
    if not ((of_rows[0] or of_columns[0]) and (of_rows[1] or of_columns[1])):
        return False
    if order == FUSED:
        return multiplied_by_rows(out, left, right, rows, inner, columns, steps)
    done = True
    for row in range(rows):
        for column in range(columns):
            first, second = left + row * left_down, right + column * right_across
            total = 0.0
            for _ in range(inner):  # of matrices no other orders are looked for
                a, b = float_at(first, 0), float_at(second, 0)
                total += a * b
                first, second = first + left_across, second + right_down
            put_float(out + (row * columns + column) * ITEM, total)
            done &= has_one_form(total)
    return done


# -- calls -----------------------------------------------------------------------------------------------


@contextmanager
def unless_small(
    context: Any,
    builder: Any,
    function: Any,
    places: Sequence[Any],
    sizes: Sequence[Any],
    steps: Sequence[Any],
) -> Iterator[None]:
    """Write a call of one of the functions above; what is written inside of the context runs where that does nothing.

    Args:
        context: Numba's.
        builder: writes LLVM instructions.
        function: which one.
        places: pointers to the result and the factors.
        sizes: what it takes; none is more than `MOST` where it is called.
        steps: of the factors; they are whole items where it is called.
    """
    outside = WORD(0)
    for size in sizes:
        outside = builder.or_(outside, builder.and_(builder.sub(size, WORD(1)), WORD(-MOST)))
    for step in steps:
        outside = builder.or_(outside, builder.and_(step, WORD(ITEM - 1)))
    done = cgutils.alloca_once_value(builder, cgutils.false_bit)
    with builder.if_then(builder.icmp_signed("==", outside, WORD(0))):
        numbers = [*(builder.ptrtoint(one, WORD) for one in places), *sizes]
        kinds = [*[types.int64] * len(numbers), types.UniTuple(types.int64, len(steps))]
        found = context.typing_context.resolve_value_type(function)
        call = context.get_function(found, found.get_call_type(context.typing_context, kinds, {}))
        context.add_linking_libs(getattr(call, "libs", ()))
        builder.store(call(builder, [*numbers, context.make_tuple(builder, kinds[-1], steps)]), done)
    with builder.if_then(builder.not_(builder.load(done))):
        yield
