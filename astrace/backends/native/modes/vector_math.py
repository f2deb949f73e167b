"""Functions of the C library that LLVM may call for several elements at once, for kernels that need not be exact.

glibc has a second library, libmvec, of functions of vectors (x86-64: the vector function ABI), whose results differ from
the exact ones by up to four roundings.  A call names them beside the function of one number; LLVM chooses where it makes
a loop one of vectors.  Where there is no such library, the functions of one number are called.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from llvmlite import binding, ir
from numba.core import types
from numba.extending import intrinsic

from astrace.backends.native.callees import callee
from astrace.backends.native.host import LoopCall
from astrace.backends.native.numpy_loops import LOOPS, TYPES
from astrace.backends.native.symbols import NoLoop, c_function, vector_function

# pyright: basic
NAMES: Final = {
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "arctan2": "atan2",
    "power": "pow",
    **{name: name for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "exp2", "expm1")},
    **{name: name for name in ("log", "log2", "log10", "log1p", "cbrt", "hypot")},
}
"""By ufunc, the function of the C library."""
BUILT_IN: Final = {
    "fabs": "fabs",
    "copysign": "copysign",
    "fmax": "maxnum",
    "fmin": "minnum",
}
"""By ufunc, what processors have instructions for."""
LETTERS: Final = {"b": ("sse2", 2), "d": ("avx2", 4), "e": ("avx512f", 8)}
"""By the letter for a set of instructions, its name and the number of elements.  LLVM would call functions of eight elements
for two halves, on processors without the instructions in them, too."""
DOUBLE: Final = ir.DoubleType()
BYTES: Final = ir.IntType(8).as_pointer()
USED: Final = "llvm.compiler.used"
"""The list of what LLVM is to keep, though nothing calls it yet."""


def _declared(module: Any, name: str, arity: int) -> Any:
    """The function of the C library, with those of vectors."""
    own = c_function(name).function
    found = module.globals.get(own)
    if found is not None:
        return found
    made = ir.Function(module, ir.FunctionType(DOUBLE, [DOUBLE] * arity), own)
    made.attributes.add("nounwind")
    made.attributes.add("readnone")
    set.add(made.attributes, "willreturn")
    vectors: list[Any] = []
    told: list[str] = []
    available = binding.get_host_cpu_features()
    for letter, (instructions, size) in LETTERS.items():
        symbol = vector_function(name, letter, size, arity) if available.get(instructions) else None
        if symbol is None:
            continue
        kind = ir.VectorType(DOUBLE, size)
        vectors.append(ir.Function(module, ir.FunctionType(kind, [kind] * arity), symbol))
        told.append(f"_ZGV_LLVM_N{size}{'v' * arity}_{own}({symbol})")
    if told:
        set.add(made.attributes, f'"vector-function-abi-variant"="{",".join(told)}"')
        _keep(module, vectors)
    return made


def _keep(module: Any, functions: list[Any]) -> None:
    """Let LLVM keep functions that nothing calls yet."""
    known = module.globals.get(USED)
    held = [] if known is None else list(known.initializer.constant)
    held += [one.bitcast(BYTES) for one in functions]
    kind = ir.ArrayType(BYTES, len(held))
    if known is None:
        known = ir.GlobalVariable(module, kind, USED)
        known.linkage, known.section = "appending", "llvm.metadata"
    known.value_type, known.type = kind, kind.as_pointer()
    known.initializer = ir.Constant(kind, held)  # type: ignore[assignment]


def library_function(name: str, kinds: list[Any], result: Any) -> Any:
    """A function of the C library, of numbers of any dtype of floats.

    Args:
        name: of it.
        kinds: the types of its operands.
        result: the type of what comes out.

    Raises:
        NoLoop: there is none.
    """
    c_function(name)

    def generate(context, builder, signature, args):
        function = _declared(builder.module, name, len(args))
        given = [
            context.cast(builder, value, kind, types.float64) for value, kind in zip(args, signature.args)
        ]
        return context.cast(builder, builder.call(function, given), types.float64, result)

    return _of_floats(len(kinds), kinds, result, generate)


def _instruction(name: str, kinds: list[Any], result: Any) -> Any:
    """What LLVM knows by the name ``llvm.NAME``."""

    def generate(context, builder, signature, args):
        whole = ir.FunctionType(args[0].type, [one.type for one in args])
        function = builder.module.declare_intrinsic(f"llvm.{name}", [args[0].type], whole)
        return builder.call(function, args)

    return _of_floats(len(kinds), kinds, result, generate)


def _of_floats(arity: int, kinds: list[Any], result: Any, generate: Any) -> Any:
    def unary(typing_context, a):
        return result(*kinds), generate

    def binary(typing_context, a, b):
        return result(*kinds), generate

    return intrinsic(unary if arity == 1 else binary)


def call_ufunc(call: LoopCall) -> Any:
    """A ufunc of numbers: a function of the C library, an instruction, or NumPy's loop where there is neither."""
    inputs, out = call.types.split("->")
    kinds, result = [TYPES[char] for char in inputs], TYPES[out]
    try:
        if call.ufunc in NAMES:
            return library_function(NAMES[call.ufunc], kinds, result)
    except NoLoop:
        return LOOPS["call_ufunc"](call)
    if call.ufunc in BUILT_IN:
        return _instruction(BUILT_IN[call.ufunc], kinds, result)
    return PLAIN[call.ufunc] if call.ufunc in PLAIN else LOOPS["call_ufunc"](call)


def call_math(call: LoopCall) -> Any:
    """A function of the C library."""
    kinds = [types.float64] * call.types.index("->")
    return library_function(call.ufunc, kinds, types.float64)


@callee
def _square(x):
    return x * x


@callee
def _reciprocal(x):
    return type(x)(1) / x


@callee
def _is_nan(x):
    return x != x


@callee
def _is_infinite(x):
    return abs(x) == np.inf


@callee
def _is_finite(x):
    return abs(x) < np.inf


def _extreme(name: str, comparison: str) -> Any:
    """The smaller or the larger one of two numbers; NaN where one is."""

    def generate(context, builder, signature, args):
        kind = signature.return_type
        if isinstance(kind, types.Float):
            whole = ir.FunctionType(args[0].type, [args[0].type] * 2)
            function = builder.module.declare_intrinsic(f"llvm.{name}", [args[0].type], whole)
            return builder.call(function, args)
        signed = getattr(kind, "signed", False)
        compare = builder.icmp_signed if signed else builder.icmp_unsigned
        return builder.select(compare(comparison, *args), *args)

    @intrinsic
    def extreme(typing_context, a, b):
        kind = typing_context.unify_types(a, b)
        return kind(kind, kind), generate

    return extreme


PLAIN: Final = {
    "square": _square,
    "reciprocal": _reciprocal,
    "isnan": _is_nan,
    "isinf": _is_infinite,
    "isfinite": _is_finite,
}
"""By ufunc, a function that Numba compiles."""
FUNCTIONS: Final[Mapping[str, Any]] = {
    "minimum": _extreme("minimum", "<"),
    "maximum": _extreme("maximum", ">"),
    "power": library_function("pow", [types.float64] * 2, types.float64),
}
"""The names in the text of kernels that are another function where these need not be exact."""
CALLS: Final = {**LOOPS, "call_ufunc": call_ufunc, "call_math": call_math}
"""By op, what makes the function that the text of a kernel calls."""
