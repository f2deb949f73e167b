"""Machine code as bytes, and as a function of Python; needs llvmlite, and no compiler.

The bytes hold names in the place of addresses (`symbols`).  What is loaded stays: arrays that it has made, and threads that run it,
may outlive the kernel.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import struct
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

import llvmlite.binding
import numpy as np

from astrace.backends.native.symbols import register, unknown

# pyright: basic
FASTCALL: Final = 0x80
"""``METH_FASTCALL``: a C function is given the function's object, an array of arguments, and their number."""
ELF: Final = b"\x7fELF\x02\x01"
"""The first bytes of 64-bit code, the lowest byte first, as Linux has it."""
SYMBOLS: Final = 2
"""``SHT_SYMTAB``."""


class Unloadable(Exception):
    """Machine code can't be run in this process."""


class _MethodDefinition(ctypes.Structure):
    """``PyMethodDef``."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _ArrayObject(ctypes.Structure):
    """``PyArrayObject_fields``: what compiled code reads of an array."""

    _fields_ = (
        ("head", ctypes.c_byte * object.__basicsize__),
        ("data", ctypes.c_void_p),
        ("ndim", ctypes.c_int),
        ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
        ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
        ("base", ctypes.c_void_p),
        ("dtype", ctypes.c_void_p),
        ("flags", ctypes.c_int),
    )


ARRAY_FIELDS: Final = {
    name: getattr(_ArrayObject, name).offset
    for name in ("data", "ndim", "shape", "strides", "dtype", "flags")
}
"""The places of an array's fields in its C structure, in bytes."""
TYPE_FIELD: Final = object.__basicsize__ - 8
"""The place of an object's type in its C structure, in bytes."""
ITEMS: Final = tuple.__basicsize__
"""The place of a tuple's first item."""


@functools.cache
def check_platform() -> None:
    """Make sure that compiled code finds an array's fields.

    Raises:
        Unloadable: it does not: they are elsewhere.
    """
    sample = np.zeros((3, 4, 5), np.float32)[:, ::2]
    found = _ArrayObject.from_address(id(sample))
    same = (
        sys.maxsize > 2**32
        and sys.implementation.name == "cpython"
        and (found.data, found.ndim) == (sample.ctypes.data, 3)
        and tuple(found.shape[:3]) == sample.shape
        and tuple(found.strides[:3]) == sample.strides
        and found.flags & 0x703 == sample.flags.num & 0x703
    )
    if not same:
        raise Unloadable("the C structure of arrays is not as it is known")


def needed_names(code: bytes) -> tuple[str, ...]:
    """Return the names that machine code does not define.

    Args:
        code: an object file.

    Raises:
        Unloadable: it is of a format that is not known.
    """
    if not can_be_kept(code):
        raise Unloadable("machine code is of a format that is not known")
    try:
        return tuple(sorted(set(_undefined(code))))
    except (struct.error, IndexError, ValueError) as error:
        raise Unloadable(f"machine code is not as it is known: {error}") from None


def _undefined(code: bytes) -> Iterator[str]:
    """Yield the names that an ELF file does not define."""
    (sections,) = struct.unpack_from("<Q", code, 40)
    size, count = struct.unpack_from("<HH", code, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", code, sections + index * size) for index in range(count)]
    for header in headers:
        if header[1] != SYMBOLS:
            continue
        offset, length, linked, step = header[4], header[5], header[6], header[9]
        names = headers[linked][4]
        for place in range(offset, offset + length, step):
            name, _, _, section = struct.unpack_from("<IBBH", code, place)
            if name and not section:
                start = names + name
                yield code[start : code.index(b"\0", start)].decode()


def can_be_kept(code: bytes) -> bool:
    """Return whether machine code is of the format whose names can be read, so that other processes may load it."""
    return code[: len(ELF)] == ELF


def load_function(code: bytes, name: str, held: tuple[Any, ...], made_here: bool) -> Callable[..., Any]:
    """Return a function of Python that runs machine code.

    Args:
        code: an object file, made for this very processor.
        name: of its function, a ``METH_FASTCALL`` one.
        held: what the function is given as its object.
        made_here: this process has compiled it, so that what it calls is there.

    Raises:
        Unloadable: it can't be run here.
    """
    return python_function("kernel", load(code, name, made_here), FASTCALL, held)


def load(code: bytes, name: str, made_here: bool) -> int:
    """Load machine code for good; return the address of a function in it.

    Args:
        code: an object file, made for this very processor.
        name: of its function.
        made_here: this process has compiled it, so that what it calls is there.

    Raises:
        Unloadable: it can't be run here.
    """
    check_platform()
    initialise()
    missing = [] if made_here and not can_be_kept(code) else unknown(needed_names(code))
    if missing:  # LLVM would end the process
        raise Unloadable(f"machine code calls {missing[0]}, which is not there")
    engine = _engine()
    try:
        engine.add_object_file(llvmlite.binding.ObjectFileRef.from_data(code))
    except RuntimeError as error:
        raise Unloadable(f"LLVM does not load machine code: {error}") from None
    engine.finalize_object()
    address = engine.get_function_address(name)
    if not address:
        raise Unloadable(f"machine code has no function {name}")
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(engine))
    return address


def python_function(name: str, address: int, flags: int, held: tuple[Any, ...]) -> Callable[..., Any]:
    """Return a function of Python's that is a C function.

    Args:
        name: that it shows.
        address: of the C function.
        flags: how it is called.
        held: what it is given as its object.
    """
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.py_object, ctypes.py_object)
    return make(ctypes.addressof(_definition(name, address, flags)), held, None)


@functools.cache
def _definition(name: str, address: int, flags: int) -> _MethodDefinition:
    """Return what tells Python of a C function; it stays as long as the process."""
    return _MethodDefinition(name.encode(), address, flags, None)


@functools.cache
def initialise() -> None:
    """Prepare LLVM and the names for machine code.

    Raises:
        Unloadable: something that it calls is not there.
    """
    try:
        with contextlib.suppress(RuntimeError, AttributeError):  # newer versions do it by themselves
            llvmlite.binding.initialize()
        llvmlite.binding.initialize_native_target()
        llvmlite.binding.initialize_native_asmprinter()
        register()
    except Exception as error:
        raise Unloadable(f"machine code can't be run here: {error}") from None


def _engine() -> Any:
    """Return the engine of LLVM that maps machine code into memory."""
    target = llvmlite.binding.Target.from_triple(llvmlite.binding.get_process_triple())
    machine = target.create_target_machine(jit=True)
    return llvmlite.binding.create_mcjit_compiler(llvmlite.binding.parse_assembly(""), machine)
