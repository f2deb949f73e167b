"""The names in the text of kernels, as Numba compiles them, and the compilation of kernels through Numba."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu_options import FastMathOptions
from numba.core.datamodel.registry import default_manager
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from astrace.backends.base import EXACT
from astrace.backends.native import number_lists
from astrace.backends.native.arithmetic import complex_numbers, python_math, rounded_powers, searches, sorting
from astrace.backends.native.arithmetic.c_functions import c_function_of
from astrace.backends.native.arithmetic.extremes import extreme
from astrace.backends.native.arithmetic.flags import (
    bits_of,
    clear_flags,
    flags_raised,
    needed,
    opaque,
    overflow_is_told,
    settled,
    turned,
    warnings_due,
)
from astrace.backends.native.callees import OPTIONS, callee
from astrace.backends.native.entry.entrance import KernelEntrance, numba_type
from astrace.backends.native.entry.kept_parts import PutBack
from astrace.backends.native.modes import threads, vector_math
from astrace.backends.native.numpy_arrays import array_of_numpy, reshape_of
from astrace.backends.native.numpy_loops import LOOPS
from astrace.backends.native.polling import polling
from astrace.backends.native.signature import NAME
from astrace.backends.native.symbols import FLAGS, POWER, SINGLE_POWER, NoLoop, register
from astrace.ops.lowered import FUNCTIONS
from astrace.ops.lowered_rounding import WHOLE
from astrace.ops.lowered_searches import SEARCHES

# pyright: basic
REFUSALS: Final = (NumbaError, NotImplementedError, NoLoop)
"""The exceptions of compiling a kernel."""
__all__ = ["COMPILED", "FLAGS", "LOOPS", "OPTIONS", "REFUSALS", "PutBack", "names", "object_file", "part"]


register()
_power = c_function_of(POWER, 2, is_rare=True)
_single_power = c_function_of(SINGLE_POWER, 2, types.float32)


@intrinsic
def unsigned(typing_context, index):
    """An index that is not negative."""
    signature = types.uint64(types.int64)

    def generate(context, builder, signature, args):
        return args[0]

    return signature, generate


def _overflow(name, kind: Any = types.int64):
    """An intrinsic that tells whether an operation on integers has 64 bits."""

    @intrinsic
    def fits(typing_context, a, b):
        signature = types.boolean(kind, kind)

        def generate(context, builder, signature, args):
            pair = getattr(builder, name)(*args)
            return builder.not_(builder.extract_value(pair, 1))

        return signature, generate

    return fits


SUM_FITS: Final = _overflow("sadd_with_overflow")
DIFFERENCE_FITS: Final = _overflow("ssub_with_overflow")
PRODUCT_FITS: Final = _overflow("smul_with_overflow")
UNSIGNED_PRODUCT_FITS: Final = _overflow("umul_with_overflow", types.uint64)


@callee
def square_root(x):
    return math.sqrt(x)


@intrinsic
def signed_one(typing_context, x):
    """One with the sign of a float; no flag is raised, whatever that is."""

    def generate(context, builder, signature, args):
        kind = args[0].type
        function = builder.module.declare_intrinsic(
            "llvm.copysign", [kind], ir.FunctionType(kind, [kind, kind])
        )
        return builder.call(function, [kind(1.0), args[0]])

    return x(x), generate


def _rounding(name):
    """What LLVM knows as an operation on floats that gives whole ones."""

    @intrinsic
    def rounded(typing_context, x):
        def generate(context, builder, signature, args):
            return builder.call(builder.module.declare_intrinsic(f"llvm.{name}", [args[0].type]), args)

        return x(x), generate

    return rounded


power = rounded_powers.power(_power)


@callee
def single_power(base, exponent):
    return _single_power(base, exponent)


@callee
def is_finite(x):
    return math.isfinite(x)


@callee
def power_fits(base, exponent):
    if -1 <= base <= 1:
        return exponent >= 0
    found = 1
    for _ in range(exponent):
        if not PRODUCT_FITS(found, base):  # pyright: ignore[reportCallIssue]
            return False
        found *= base
    return exponent >= 0


@callee
def integer_power(base, exponent):
    found = 1
    if base == 1 or (base == 0 and exponent > 0):
        return base
    for _ in range(exponent & 1 if base == -1 else exponent):
        found *= base
    return found


@callee
def _positions(mask):
    count = 0
    for index in range(len(mask)):
        count += mask[index]
    found = np.empty(count, np.int64)
    count = 0
    for index in range(len(mask)):
        if mask[index]:
            found[count] = index
            count += 1
    return found


@callee
def _positions_in_rows(mask, axis):
    rows, columns = mask.shape
    count = 0
    for row in range(rows):
        for column in range(columns):
            count += mask[row, column]
    found = np.empty(count, np.int64)
    count = 0
    for row in range(rows):
        for column in range(columns):
            if mask[row, column]:
                found[count] = column if axis else row
                count += 1
    return found


@callee
def true_positions(mask, axis):
    if mask.ndim == 1:
        return _positions(mask)
    if mask.ndim == 2:
        return _positions_in_rows(mask, axis)
    return np.nonzero(mask)[axis]


def _position_of_max(array):
    best, top = 0, array[0]
    if top != top:
        return 0
    for index in range(1, len(array)):
        item = array[index]
        if not item <= top:
            if item != item:
                return index
            best, top = index, item
    return best


def _position_of_min(array):
    best, top = 0, array[0]
    if top != top:
        return 0
    for index in range(1, len(array)):
        item = array[index]
        if not item >= top:
            if item != item:
                return index
            best, top = index, item
    return best


class _ObjectLibrary(JITCodeLibrary):
    """What is compiled for one function, as an object file; Numba does not load it.

    Args:
        codegen: Numba's.
        name: of the library.
        apart: the names of the function's arguments that hold the addresses of arrays, in whose memory no other array lies.
    """

    def __init__(self, codegen, name, apart):
        super().__init__(codegen, name)
        self._apart = apart

    def add_ir_module(self, ir_module):
        """Take a module, in which LLVM is told which arrays are apart."""
        for function in ir_module.functions:
            for argument in function.args:
                if argument.name in self._apart:
                    argument.add_attribute("noalias")
        super().add_ir_module(ir_module)

    def _optimize_final_module(self):
        for function in self._final_module.functions:
            if not function.is_declaration and not function.name.startswith(NAME):
                function.linkage = "internal"
        super()._optimize_final_module()

    def _finalize_final_module(self):
        """Complete the module, and do not load it, as a library of Numba does here."""
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def object_file(self):
        """The module as the bytes of an object file."""
        return self.codegen._tm.emit_object(self._final_module)


def names(exact):
    """The names in the text as Numba compiles them, and what makes the functions for loops, by op.

    Args:
        exact: results are to be NumPy's to the bit.
    """
    if exact:
        return COMPILED, LOOPS
    return {**COMPILED, **vector_math.FUNCTIONS}, vector_math.CALLS


def part(function, exact):
    """A part of a kernel that several threads run, as Numba compiles it."""
    return threads.part(function, {**OPTIONS, "fastmath": False if exact else set(FREEDOMS)})


def object_file(function, arguments, put_back, checks, name, mode=EXACT):
    """Compile a kernel to an object file with a function that Python calls.

    Args:
        function: the kernel.
        arguments: what it is called with.
        put_back: what is put back where it gives up.
        checks: what it tests of them.
        name: of the function in the object file; it starts with `NAME`.
        mode: what the kernel may do to be faster.

    Raises:
        REFUSALS: it can't be compiled.
    """
    typing_context: Any = cpu_target.typing_context
    context: Any = cpu_target.target_context
    with global_compiler_lock:
        typing_context.refresh()
        context.refresh()
        library = _ObjectLibrary(context.codegen(), name, _addresses(function, checks))
        types_ = tuple(numba_type(argument) for argument in arguments)
        if put_back.kept:
            types_ = (*types_, types.int64)
        made = compile_extra(typing_context, context, function, types_, None, _flags(mode.exact), {}, library)
        counting = context.subtarget(enable_nrt=True)
        entrance = KernelEntrance(counting, made.fndesc, arguments, put_back, checks)
        library.add_ir_module(entrance.write(name, mode.parallel))
        library.finalize()
        return library.object_file()


def _addresses(function, checks):
    """The arguments of a kernel, as Numba names them in LLVM's language, that hold the addresses of arrays which are apart from all others."""
    data = types.Array(types.float64, 1, "C")
    place = default_manager.lookup(data).get_field_position("data")
    return {
        f"arg.{function.__code__.co_varnames[index]}.{place}" for index in checks.alone if checks.by_lines
    }


FREEDOMS: Final = frozenset({"reassoc", "contract", "arcp", "afn"})
"""What LLVM may do where a kernel need not be exact: NaN, infinity and the sign of zero keep their meaning."""


def _flags(exact):
    """Numba's options for a kernel; its own function that Python calls is not made."""
    flags: Any = Flags()
    if not exact:
        flags.fastmath = FastMathOptions(set(FREEDOMS))
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.no_rewrites = True  # kernels have no expressions of arrays, and no branches of which one is dead
    flags.nrt = True
    flags.error_model = OPTIONS["error_model"]
    flags.boundscheck = OPTIONS["boundscheck"]
    return flags


COMPILED: Final[Mapping[str, Any]] = {
    **{name: callee(function) for name, function in FUNCTIONS.items()},
    "minimum": extreme("minimum"),
    "maximum": extreme("maximum"),
    "position_of_max": callee(_position_of_max),
    "position_of_min": callee(_position_of_min),
    "sort_items": callee(sorting.sort_items),
    "order_items": callee(sorting.order_items),
    "order_items_stably": callee(sorting.order_items_stably),
    **{name: callee(getattr(searches, name)) for name in SEARCHES},
    "clear_flags": clear_flags,
    "flags_raised": flags_raised,
    "warnings_due": warnings_due,
    "overflow_is_told": overflow_is_told,
    "settled": settled,
    "needed": needed,
    "opaque": opaque,
    "turned": turned,
    "bits_of": bits_of,
    "poll": polling(yields=False),
    "poll_and_yield": polling(yields=True),
    "unsigned": unsigned,
    "array_of_numpy": array_of_numpy,
    "reshape_of": reshape_of,
    **number_lists.FUNCTIONS,
    "sum_fits": SUM_FITS,
    "difference_fits": DIFFERENCE_FITS,
    "product_fits": PRODUCT_FITS,
    "unsigned_product_fits": UNSIGNED_PRODUCT_FITS,
    "square_root": square_root,
    **{name: _rounding(name) for name in WHOLE},
    "is_finite": is_finite,
    "multiply_and_add": complex_numbers.multiplied_and_added,
    "power_fits": power_fits,
    "integer_power": integer_power,
    **python_math.compiled(),
    "signed_one": signed_one,
    "true_positions": true_positions,
    "power": power,
    "single_power": single_power,
    **threads.FUNCTIONS,
    **complex_numbers.COMPILED,
}
"""The names in the text, as Numba compiles them."""
