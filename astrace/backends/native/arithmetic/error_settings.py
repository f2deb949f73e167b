"""NumPy's settings for errors of floats, as compiled code reads them: of which kinds NumPy would tell.

A context variable of NumPy's holds them in a capsule, the way in which each kind is treated in three bits of a word: nothing for
``ignore``.  Whether that holds is tried once in each process; before NumPy 2 there is no such variable.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
from typing import Any, Final

import numpy as np

CAPSULE: Final = "numpy.ufunc.extobj"
"""The name of the capsule."""
VARIABLE: Final = "astrace_error_settings"
"""The name by which compiled code finds the variable."""
KINDS: Final = ("invalid", "divide", "over", "under")
"""The kinds of errors, in the order of `symbols.FLAGS`."""
PLACES: Final = {"divide": 0, "over": 3, "under": 6, "invalid": 9}
"""Where the bits of each kind begin."""
BITS: Final = 0b111
SIZE_PLACE: Final = 8
"""The bytes between the word and another one: how many items NumPy copies at a time."""


@functools.cache
def any_variable() -> Any:
    """Return the variable, whatever it holds; ``None`` if there is none."""
    try:
        return importlib.import_module("numpy._core.umath")._extobj_contextvar
    except (ImportError, AttributeError):
        return None


@functools.cache
def variable() -> Any:
    """Return the variable; ``None`` if there is none whose word is as it is known."""
    found = any_variable()
    return found if found is not None and all(_reads(found, kind) for kind in KINDS) else None


def _reads(held: Any, kind: str) -> bool:
    """Return whether the word tells of a kind that it is ignored, and when it is not."""
    for one in ("ignore", "warn", "raise", "call", "print"):
        with np.errstate(**dict.fromkeys(KINDS, "ignore") | {kind: one}):  # type: ignore[arg-type]
            word = _word(held.get())
        if word is None or bool(word >> PLACES[kind] & BITS) == (one == "ignore"):
            return False
        if any(word >> PLACES[other] & BITS for other in KINDS if other != kind):
            return False
    return True


def _word(capsule: Any) -> int | None:
    """The word in the capsule of the settings of now; ``None`` if it is no such capsule."""
    read = ctypes.pythonapi.PyCapsule_GetPointer
    read.restype, read.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    try:
        address = read(capsule, CAPSULE.encode())
    except ValueError:
        return None
    size = ctypes.c_ssize_t.from_address(address + SIZE_PLACE).value
    return ctypes.c_int.from_address(address).value if size == np.getbufsize() else None
