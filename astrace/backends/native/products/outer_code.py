"""Products of long vectors, and of few rows and many columns, as machine code of its own, which kernels call by a name.

It is compiled once in each process that asks, for the orders in which that has found the library to add up (`long_orders`, `wide_orders`):
as a part of kernels it would be compiled with each of them.  It needs llvmlite alone.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Sequence
from typing import Any, Final

from llvmlite import binding, ir

from astrace.backends.native.products.outer_loops import BYTES, WORD
from astrace.backends.native.products.outer_products import WideRows
from astrace.backends.native.products.outer_sums import LongSum
from astrace.backends.native.products.outer_vectors import GROUP, WRITTEN, VectorProduct
from astrace.ops.lowered_products import (
    BEHIND_GROUPS,
    COLUMNS,
    GROUPED,
    MOST,
    MOST_OF_OUTER,
    ROWS,
    TALL,
    UNKNOWN,
    WIDE,
    place_of,
)

# pyright: basic, reportCallIssue=false
LONG_PRODUCT: Final = "astrace_long_product"
"""The name of a function: of the addresses of the product and of two vectors, their number of items, and their steps in bytes."""
WIDE_PRODUCT: Final = "astrace_wide_product"
"""The name of a function: of the addresses of the product in C order and of two matrices, rows, products in an element, columns, and the
steps of the factors, each down and across."""
VECTOR_PRODUCT: Final = "astrace_vector_product"
"""The name of a function: of the addresses of the product, of a matrix and a vector, rows, columns, and the steps of the matrix, down and
across, and of the vector.

All return 0 where they have computed nothing that is certain.
"""
ARGUMENTS: Final = {LONG_PRODUCT: 6, WIDE_PRODUCT: 10, VECTOR_PRODUCT: 8}
"""By name, the number of arguments, which are words."""


def kind_of(name: str) -> Any:
    """Return LLVM's type of a function.

    Args:
        name: of it.
    """
    return ir.FunctionType(WORD, [WORD] * ARGUMENTS[name])


def address_of(name: str, orders: bytes) -> int:
    """Compile a function; return where it is.

    Args:
        name: of the function.
        orders: by place, what has been found out.
    """
    return _engine(name, orders).get_function_address(name)


@functools.cache
def _engine(name: str, orders: bytes) -> Any:
    """The machine code, which lasts as long as the process."""
    with contextlib.suppress(RuntimeError, AttributeError):  # newer versions do it by themselves
        binding.initialize()
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    features = binding.get_host_cpu_features().flatten()
    target = binding.Target.from_triple(binding.get_process_triple())
    machine = target.create_target_machine(
        cpu=binding.get_host_cpu_name(), features=features, opt=3, codemodel="jitdefault", jit=True
    )
    module = binding.parse_assembly(str(_module(name, orders)))
    if hasattr(binding, "create_pass_builder"):  # since llvmlite 0.44; the code is right without it
        passes = binding.create_pass_builder(machine, binding.PipelineTuningOptions(speed_level=2))
        passes.getModulePassManager().run(module, passes)
    engine = binding.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine


def _module(name: str, orders: bytes) -> Any:
    """The function, which returns 0 at its end; it is not to be spread over loops that are written several times."""
    module = ir.Module(name)
    module.triple = binding.get_process_triple()
    function = ir.Function(module, kind_of(name), name)
    function.attributes.add("optsize")
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    WRITERS[name](builder, orders, function.args)
    builder.ret(WORD(0))
    return module


def _write_long_product(builder: Any, orders: bytes, args: Sequence[Any]) -> None:
    """Write a product of two vectors."""
    out, *given = args
    LongSum(builder, orders, out).write(*given)


def _write_wide_product(builder: Any, orders: bytes, args: Sequence[Any]) -> None:
    """Write a product of two matrices, if their order is known."""
    places, sizes, steps = args[:3], args[3:6], args[6:]
    known = builder.and_(_is_known(builder, orders, *sizes), _is_taken(builder, places, sizes, steps))
    with builder.if_then(known):
        builder.ret(builder.zext(WideRows(builder, sizes, steps).write(*places), WORD))


def _write_vector_product(builder: Any, orders: bytes, args: Sequence[Any]) -> None:
    """Write a product of a matrix and a vector: rows that come in fours, and those behind them if their order is known."""
    *places, rows, inner, down, across, step = args
    whole = builder.and_(rows, WORD(-GROUP))
    ways = {
        ROWS: _is_in_rows(builder, down, across, inner),
        COLUMNS: _is_in_rows(builder, across, down, rows),
    }
    follow = builder.icmp_signed("==", step, WORD(BYTES))
    for kind, is_one in ways.items():
        grouped, behind = orders[GROUPED[kind]], orders[BEHIND_GROUPS[kind]]
        if grouped not in WRITTEN:
            continue
        fits = builder.and_(follow, is_one)
        if behind not in WRITTEN:
            fits = builder.and_(fits, builder.icmp_signed("==", whole, rows))
        with builder.if_then(fits):
            product = VectorProduct(builder, *places, inner, (down, across))
            product.write(grouped, WORD(0), whole)
            if behind in WRITTEN:
                product.write(behind, whole, rows)
            builder.ret(builder.zext(product.is_certain(), WORD))


def _is_known(builder: Any, orders: bytes, rows: Any, inner: Any, columns: Any) -> Any:
    """Whether products of these sizes are fused: by the smaller number of rows and columns, and that of products in an element."""
    few = builder.select(builder.icmp_signed("<=", rows, columns), rows, columns)
    known = 0
    for one in range(2, MOST_OF_OUTER + 1):
        for other in range(2, MOST_OF_OUTER + 1):
            places = place_of(WIDE, one, 1, other), place_of(TALL, one, 1, other)
            if UNKNOWN not in (orders[place] for place in places):
                known |= 1 << (one * MOST + other)
    fits = builder.and_(
        builder.icmp_unsigned("<=", few, WORD(MOST_OF_OUTER)),
        builder.icmp_unsigned("<=", inner, WORD(MOST_OF_OUTER)),
    )
    bit = builder.add(builder.mul(few, WORD(MOST)), inner)
    mask = builder.shl(WORD(1), builder.and_(bit, WORD(63)))
    return builder.and_(fits, builder.icmp_unsigned("!=", builder.and_(mask, WORD(known)), WORD(0)))


def _is_taken(builder: Any, places: Sequence[Any], sizes: Sequence[Any], steps: Sequence[Any]) -> Any:
    """Whether the library takes two matrices, which are not one: items follow each other in the rows, or the columns, of each."""
    rows, inner, columns = sizes
    found = builder.icmp_unsigned("!=", *places[1:])
    for (height, width), (down, across) in (((rows, inner), steps[:2]), ((inner, columns), steps[2:])):
        in_rows = _is_in_rows(builder, down, across, width)
        in_columns = _is_in_rows(builder, across, down, height)
        found = builder.and_(found, builder.or_(in_rows, in_columns))
    return found


def _is_in_rows(builder: Any, down: Any, across: Any, columns: Any) -> Any:
    follow = builder.icmp_signed("==", across, WORD(BYTES))
    return builder.and_(follow, builder.icmp_signed(">=", down, builder.mul(columns, WORD(BYTES))))


WRITERS: Final = {
    LONG_PRODUCT: _write_long_product,
    WIDE_PRODUCT: _write_wide_product,
    VECTOR_PRODUCT: _write_vector_product,
}
"""By name, what writes a function."""
