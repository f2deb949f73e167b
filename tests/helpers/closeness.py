"""When a result of XLA is the plain function's: all is equal but the last bits of floats.

XLA adds in another order, fuses products with sums and has its own `exp` and `sin`.  What that changes depends on
the largest number that takes part, so floats are compared in units of the last place of the largest item.
"""

from __future__ import annotations

from typing import Any

import harness
import numpy as np

UNITS = {"float16": 2**4, "float32": 2**8, "float64": 2**12}
"""Units of the last place by which an item may be off, beside the largest item of its array."""


def close(plain: Any, found: Any) -> bool:
    """Return whether two results are the same but for the last bits of floats: types, dtypes, shapes, structure."""
    if harness.same(plain, found):
        return True
    if type(plain).__name__ != type(found).__name__:
        return False
    if isinstance(plain, np.ndarray):
        flags = plain.flags.writeable == found.flags.writeable
        return flags and plain.shape == found.shape and plain.dtype == found.dtype and _near(plain, found)
    if isinstance(plain, np.generic):
        return plain.dtype == found.dtype and _near(np.asarray(plain), np.asarray(found))
    if isinstance(plain, float | complex):
        return _near(np.asarray(plain), np.asarray(found))
    if isinstance(plain, list | tuple):
        return len(plain) == len(found) and all(map(close, plain, found))
    if isinstance(plain, dict):
        return list(plain) == list(found) and all(close(plain[key], found[key]) for key in plain)
    return False


def _near(plain: np.ndarray, found: np.ndarray) -> bool:
    if plain.dtype.kind == "c":
        return _near(plain.real, found.real) and _near(plain.imag, found.imag)
    if plain.dtype.kind != "f":
        return np.array_equal(plain, found)
    finite = np.isfinite(plain)
    if not np.array_equal(plain[~finite], found[~finite], equal_nan=True):
        return False
    largest = np.max(np.abs(plain[finite]), initial=0).astype(np.float64)
    allowed = UNITS[plain.dtype.name] * np.finfo(plain.dtype).eps * largest
    return bool(np.all(np.abs(plain[finite].astype(np.float64) - found[finite]) <= allowed))


def differences(plain: harness.Outcome, found: harness.Outcome) -> list[str]:
    """Return the differences between two outcomes beyond the last bits of floats; empty if there are none."""
    seen: list[str] = []
    if plain.error != found.error:
        seen.append(f"raised {found.error} instead of {plain.error}")
    elif plain.told != found.told:
        seen.append(f"raised what tells {found.told} instead of {plain.told}")
    if not close(plain.result, found.result):
        seen.append(f"gave {found.result!r} instead of {plain.result!r}")
    if plain.printed != found.printed:
        seen.append(f"printed {found.printed!r} instead of {plain.printed!r}")
    if not close(plain.arguments, found.arguments):
        seen.append(f"left arguments {found.arguments!r} instead of {plain.arguments!r}")
    if not seen and harness.sharing(plain, values=False) != harness.sharing(found, values=False):
        seen.append("shares memory in another way")
    return seen
