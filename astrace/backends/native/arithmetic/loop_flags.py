"""Whether a loop of NumPy's leaves the processor's status flags up that it finds: some clear them at their end.

A loop of numbers is called for single elements of all kinds, with all flags up.  Reading them in front of each call takes longer than
some functions do.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

LOOP: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
SPECIAL: Final = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, -0.3, 2.0, 3.5, 10.0, 0.999, 1.001, 1e-3, -7.0, 25.0, 1e3, -1e3, 1e5, 1e6, 1e9, 1e17),
    *(88.0, 89.0, -88.0, -104.0, 709.5, 710.0, -708.0, -745.5, -746.0, 1e38, 1e-38, 1e300, -1e300, 1e-300, 5e-324),
    *(np.inf, -np.inf, np.nan, -np.nan),
)  # fmt: skip
"""What functions handle each in a way of its own: at the edges of their domains, where results are too large or too small."""
WHOLE: Final = (0, 1, 2, 3, 7, 31, 63, 64, 100)


def keeps_flags(function: int, data: int | None, kinds: str, library: Any, flags: int) -> bool:
    """Return whether a loop leaves flags as they are, for one element of any kind.

    Args:
        function: its address.
        data: the address of its data.
        kinds: the types of its operands, as in ``dd->d``.
        library: the C library's functions of floats.
        flags: those that are looked at.
    """
    given, gives = kinds.split("->")
    if not set(given + gives) <= set("?bhilBHILfd") or not flags:
        return False
    loop, size, steps = LOOP(function), ctypes.c_ssize_t(1), (ctypes.c_ssize_t * len(kinds))()
    samples, out = [list(_samples(one)) for one in given], np.zeros(1, gives)
    choices = [[one.ctypes.data for one in arrays] for arrays in samples]
    places = (ctypes.c_void_p * (len(given) + 1))(*(0 for _ in given), out.ctypes.data)
    addresses = [ctypes.addressof(one) for one in (places, size, steps)]
    kept = library.fetestexcept(flags)
    try:
        for chosen in itertools.product(*choices):
            places[: len(given)] = chosen
            library.feraiseexcept(flags)
            loop(*addresses, data)
            if library.fetestexcept(flags) != flags:
                return False
    finally:
        library.feclearexcept(flags & ~kept)
    return True


def _samples(kind: str) -> Iterator[np.ndarray[Any, Any]]:
    """Yield operands, arrays of one element."""
    with np.errstate(all="ignore"):
        for value in SPECIAL if kind in "fd" else WHOLE:
            yield np.array([value]).astype(kind)
