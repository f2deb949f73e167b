"""Computations on constants that must not be folded: those with large results, or that depend on the process.

A text or a hash is a constant only if nothing but its arguments decides it.  The address of a function, the seed of
hashes, NumPy's print options, the locale and the limit on digits are of the process that runs the program.
"""

from __future__ import annotations

import cmath
import enum
import operator
import re
import types
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from astrace.ops.numpy.size_limits import is_large
from astrace.ops.python.objects import format_value


def must_wait(function: Callable[..., Any], args: Sequence[Any]) -> bool:
    """Return whether a function of constants has to be called when the program runs, not before.

    Example:
        >>> must_wait(hash, (1,)), must_wait(hash, ("a",)), must_wait(str, (len,)), must_wait(format, (1, "n"))
        (False, True, False, True)
    """
    return is_large(function, args) or _depends_on_process(function, args) or _makes_nan(function, args)


def _makes_nan(function: Any, args: Sequence[Any]) -> bool:
    """Return whether the result may be NaN, which does not equal itself and is another object each time it is made."""
    if function in (float, complex):
        return any(isinstance(arg, str | bytes) and b"nan" in _lower(arg) for arg in args)
    if not any(function is known for known in ARITHMETIC):
        return False
    return any(type(arg) in (float, complex) and not cmath.isfinite(arg) for arg in args)


def _lower(text: str | bytes) -> bytes:
    return (text if isinstance(text, bytes) else text.encode(errors="replace")).lower()


ARITHMETIC: Final = tuple(
    getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
)


def _depends_on_process(function: Any, args: Sequence[Any]) -> bool:
    if function is hash:
        return not all(map(_has_own_hash, args))
    if function is int:
        return any(isinstance(arg, str | bytes) and len(arg) > MOST_DIGITS for arg in args)
    if function is operator.mod:
        return isinstance(args[0], str | bytes) and (_shows(args[1]) or _is_wide(args[0]))
    if any(function is known for known in TEXT):
        return any(map(_shows, args)) or _by_locale(function, args) or any(map(_is_wide, args[1:]))
    if isinstance(function, types.BuiltinFunctionType) and isinstance(function.__self__, str):
        formats = function.__name__ in ("format", "format_map", "__mod__")
        wide = _is_wide(function.__self__)
        return formats and (wide or "n}" in function.__self__ or any(map(_shows, args)))
    return False


TEXT: Final = (str, repr, ascii, format, format_value)
MOST_DIGITS: Final = 600
"""Texts of integers up to this length are free of the limit on digits, however low it is set."""


def _by_locale(function: Any, args: Sequence[Any]) -> bool:
    """Return whether a number is written with the separators of the locale."""
    return function in (format, format_value) and any(
        isinstance(arg, str) and arg.endswith("n") for arg in args[1:]
    )


def _is_wide(form: Any) -> bool:
    """Return whether a format may ask for a text of any length."""
    if isinstance(form, bytes):
        return WIDE.search(form.decode("latin-1")) is not None
    return isinstance(form, str) and WIDE.search(form) is not None


WIDE: Final = re.compile(r"\d{5}|%[^a-zA-Z%]*\*")
"""A width of five digits; one that is given as an argument of ``%``."""


def _has_own_hash(value: Any) -> bool:
    """Return whether a constant has the same hash in every process."""
    if isinstance(value, tuple):
        return all(map(_has_own_hash, value))
    return type(value) in (bool, int, float, complex)


def _shows(value: Any) -> bool:
    """Return whether the text of a constant depends on more than the constant."""
    if isinstance(value, tuple | frozenset):
        return any(map(_shows, value))
    if isinstance(value, enum.Enum):
        return _shows(value.value)
    if type(value) is int:
        return value.bit_length() > 3 * MOST_DIGITS
    if isinstance(value, types.BuiltinFunctionType):
        return not isinstance(value.__self__, types.ModuleType | None)
    return isinstance(value, np.generic | types.FunctionType | types.MethodWrapperType)
