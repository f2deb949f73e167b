"""What compiled code calls by name: NumPy's inner loops, the C library, Python and NumPy themselves.

Addresses differ from process to process, so that machine code holds names, and each process says where these are.  A
ufunc's C structure (``PyUFuncObject`` in ``numpy/ufuncobject.h``, public and stable) holds the addresses of its loops.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import platform
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import llvmlite.binding
import numpy as np

from astrace.backends.native.arithmetic import error_settings
from astrace.backends.native.arithmetic.loop_flags import keeps_flags
from astrace.backends.native.arithmetic.product_orders import found_orders
from astrace.backends.native.arithmetic.solution_ways import found_way
from astrace.backends.native.drawing import generators
from astrace.backends.native.products import outer_code
from astrace.backends.native.products.row_orders import is_asked_later, later_order
from astrace.backends.native.products.vector_orders import vector_orders
from astrace.ops.lowered_algebra import linalg_loop
from astrace.ops.lowered_products import UNKNOWN
from astrace.ops.lowered_solutions import FIRST_PLACE

# pyright: basic
POWER, SINGLE_POWER = "astrace_power", "astrace_single_power"
"""The C library's ``pow`` and ``powf``; LLVM knows what they do, and would do it in another way."""
FROM_C: Final = {
    **{name: name for name in ("feclearexcept", "fetestexcept", "feraiseexcept")},
    POWER: "pow",
    SINGLE_POWER: "powf",
}
"""What compiled code calls, and the C library's names of it."""
VECTORS: Final = "_ZGV"
"""The beginning of the names of functions of vectors."""
C_FUNCTION: Final = "astrace_math_"
"""The beginning of the names of functions of the C library that LLVM knows by their own names."""
DRAW: Final = "astrace_draw_"
"""The beginning of the names of NumPy's C functions of random generators."""
CLASS: Final = "astrace_class_"
"""The beginning of the names of the classes of bit generators."""
PRODUCT_ORDERS: Final = "astrace_product_orders"
"""The name of an array: in what orders few products are added up in this process (`product_orders`)."""
FREED_MEMORY: Final = "astrace_freed_memory"
"""The name of an array of words: the memory that kernels have freed, and that is kept for the next ones."""
FREED_SLOTS: Final = 32
"""The number of blocks of memory that may lie there."""
NEW_ARRAY, SET_BASE, ARRAY_TYPE = "astrace_new_array", "astrace_set_base", "astrace_array_type"
NUMPY_TABLE: Final = {NEW_ARRAY: 93, SET_BASE: 282, ARRAY_TYPE: 2}
"""The places of ``PyArray_New``, ``PyArray_SetBaseObject`` and ``PyArray_Type`` in the table of NumPy's C functions,
which are the same in all versions."""
KNOWN: Final = {
    "x86_64": (1, 4, 8, 16),
    "AMD64": (1, 4, 8, 16),
    "aarch64": (1, 2, 4, 8),
    "arm64": (1, 2, 4, 8),
}
"""By machine, the status flags of invalid operations, division by zero, overflow and underflow."""
FLAGS: Final = KNOWN.get(platform.machine(), ())
ALL: Final = sum(FLAGS)
WATCHED: Final = sum(FLAGS[:3])


class UfuncObject(ctypes.Structure):
    """The C structure of a ufunc, as far as it is public."""

    _fields_ = (
        ("references", ctypes.c_ssize_t),
        ("type", ctypes.c_void_p),
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("ntypes", ctypes.c_int),
        ("reserved", ctypes.c_int),
        ("name", ctypes.c_char_p),
        ("types", ctypes.POINTER(ctypes.c_char)),
    )


class NoLoop(Exception):
    """A ufunc's structure is not as it is known, or it has no such loop."""


@dataclass(frozen=True, slots=True)
class InnerLoop:
    """A loop of a ufunc's.

    Args:
        function: the name of its address.
        data: the name of the address of its data; nothing where it has none.
        clears_flags: it may take the processor's status flags down that it finds.
    """

    function: str
    data: str
    clears_flags: bool = True


@functools.cache
def inner_loop(ufunc: str, kinds: str) -> InnerLoop:
    """Return the names of a loop, which compiled code can call from now on.

    Args:
        ufunc: its name.
        kinds: which loop, as in ``dd->d``.

    Raises:
        NoLoop: there is none.
    """
    function = getattr(np, ufunc, None)
    function = function if isinstance(function, np.ufunc) else linalg_loop(ufunc)
    found = UfuncObject.from_address(id(function))
    if found.name != function.__name__.encode() or (found.nin, found.nout) != (function.nin, function.nout):
        raise NoLoop(f"the structure of np.{ufunc} is not as it is known")
    if kinds not in function.types:
        raise NoLoop(f"np.{ufunc} has no loop {kinds}")
    place = function.types.index(kinds)
    name = f"astrace_{ufunc}_{kinds.replace('->', '_').replace('?', 'o')}"
    llvmlite.binding.add_symbol(name, found.functions[place])
    data = found.data[place] if found.data else None
    clears = not keeps_flags(found.functions[place], data, kinds, _libm(), WATCHED)
    if data is None:
        return InnerLoop(name, "", clears)
    llvmlite.binding.add_symbol(f"{name}_data", data)
    return InnerLoop(name, f"{name}_data", clears)


@functools.cache
def c_function(name: str) -> InnerLoop:
    """Return the name of a function of the C library; LLVM knows some by their own names, and what they do.

    Raises:
        NoLoop: there is none.
    """
    own = f"{C_FUNCTION}{name}"
    try:
        llvmlite.binding.add_symbol(own, ctypes.cast(getattr(_libm(), name), ctypes.c_void_p).value)
    except (AttributeError, OSError):
        raise NoLoop(f"the C library has no function `{name}`") from None
    return InnerLoop(own, "")


@functools.cache
def draw_function(name: str) -> str:
    """Return the name under which compiled code calls a C function of NumPy's that draws.

    Raises:
        NoLoop: there is none, or generators are not as they are known.
    """
    own = f"{DRAW}{name}"
    try:
        generators.layout()
        llvmlite.binding.add_symbol(own, _in_process(own))
    except (AttributeError, OSError, generators.UnknownGenerator):
        raise NoLoop(f"NumPy has no C function `{name}`, or generators are not as they are known") from None
    return own


@functools.cache
def class_name(kind: str) -> str:
    """Return the name of a class of bit generators, or of random streams.

    Args:
        kind: its name in NumPy.
    """
    own = f"{CLASS}{kind}"
    llvmlite.binding.add_symbol(own, _in_process(own))
    return own


def vector_function(name: str, letter: str, size: int, arity: int) -> str | None:
    """Return the name of a function of the C library that takes several elements at once; ``None`` where there is none.

    Args:
        name: of the function of one number.
        letter: for the set of instructions, as the vector function ABI has it.
        size: the number of elements.
        arity: the number of operands.
    """
    found = f"_ZGV{letter}N{size}{'v' * arity}_{name}"
    library = _libmvec()
    if library is None or not hasattr(library, found):
        return None
    llvmlite.binding.add_symbol(found, ctypes.cast(getattr(library, found), ctypes.c_void_p).value)
    return found


@functools.cache
def _libmvec() -> ctypes.CDLL | None:
    """The functions of vectors that glibc has beside libm, if there are any for this machine."""
    if platform.machine() not in ("x86_64", "AMD64") or not sys.platform.startswith("linux"):
        return None
    try:
        return ctypes.CDLL("libmvec.so.1")
    except OSError:
        return None


@functools.cache
def register() -> None:
    """Let compiled code find what it calls beside NumPy's loops.

    Raises:
        OSError: there is no C library.
        AttributeError: it has none of the functions.
    """
    for name, own in FROM_C.items():
        llvmlite.binding.add_symbol(name, _in_process(own))
    llvmlite.binding.add_symbol(FREED_MEMORY, _in_process(FREED_MEMORY))
    table = _numpy_table()
    for name, place in NUMPY_TABLE.items():
        llvmlite.binding.add_symbol(name, table[place])


@functools.cache
def freed_memory() -> ctypes.Array[ctypes.c_uint64]:
    """The array under the name `FREED_MEMORY`, which lasts as long as the process."""
    return (ctypes.c_uint64 * (2 + 2 * FREED_SLOTS))()


@functools.cache
def outer_function(name: str) -> str:
    """Let compiled code find a function of `outer_code`; return its name.

    Args:
        name: of it.
    """
    llvmlite.binding.add_symbol(name, _in_process(name))
    return name


@functools.cache
def product_orders() -> ctypes.Array[ctypes.c_uint8]:
    """The array under the name `PRODUCT_ORDERS`; the first that asks waits for the trial."""
    found = found_orders(_libm())
    for place, order in vector_orders(_libm()):
        found[place] = order
    return (ctypes.c_uint8 * len(found)).from_buffer(found)


def known_order(place: int) -> int:
    """Return in which order few products are added up, or in which way a system of few equations is solved, in this process.

    Args:
        place: of the order (`place_of`), or of the way (`place_of_way`).
    """
    if place >= FIRST_PLACE:
        return _known_way(place)
    found = product_orders()[place]
    return later_order(_libm(), place) if found == UNKNOWN and is_asked_later(place) else found


@functools.cache
def _known_way(place: int) -> int:
    return found_way(_libm(), place)


def _in_process(name: str) -> int:
    """The address of what Python, the C library or NumPy's generators have, or of what is found out by trial.

    Raises:
        AttributeError: they do not have it.
    """
    if name == FREED_MEMORY:
        return ctypes.addressof(freed_memory())
    if name in outer_code.ARGUMENTS:
        return outer_code.address_of(name, bytes(product_orders()))
    if name == PRODUCT_ORDERS:
        return ctypes.addressof(product_orders())
    if name == error_settings.VARIABLE:
        if error_settings.variable() is None:
            raise AttributeError(name)
        return id(error_settings.variable())
    if name.startswith(CLASS):
        return id(generators.class_of(name.removeprefix(CLASS)))
    if name.startswith(DRAW):
        found = getattr(generators.library(), name.removeprefix(DRAW))
        return ctypes.cast(found, ctypes.c_void_p).value or 0
    try:
        found = getattr(ctypes.pythonapi, name)
    except AttributeError:
        library = _libmvec() if name.startswith(VECTORS) else None
        found = getattr(library or _libm(), name.removeprefix(C_FUNCTION))
    return ctypes.cast(found, ctypes.c_void_p).value or 0


@functools.cache
def _libm() -> ctypes.CDLL:
    return ctypes.CDLL(ctypes.util.find_library("m"))


def _numpy_table() -> Any:
    """The table of NumPy's C functions."""
    core: Any = getattr(np, "_core", None) or np.core
    read = ctypes.pythonapi.PyCapsule_GetPointer
    read.restype, read.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    address = read(core._multiarray_umath._ARRAY_API, None)
    return ctypes.cast(address, ctypes.POINTER(ctypes.c_void_p))


def unknown(names: Iterable[str]) -> list[str]:
    """Return the names whose addresses are not known; those of Python and the C library are looked up.

    Args:
        names: what machine code calls.
    """
    missing: list[str] = []
    for name in names:
        if llvmlite.binding.address_of_symbol(name):
            continue
        try:
            llvmlite.binding.add_symbol(name, _in_process(name))
        except (AttributeError, OSError, generators.UnknownGenerator):
            missing.append(name)
    return missing
