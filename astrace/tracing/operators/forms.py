"""Which calls of builtins Python accepts: how many arguments there may be, and which may be named.

A call that Python refuses is left to it, so that the program gets Python's own ``TypeError``.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from astrace.tracing.context import Trace
from astrace.tracing.operators.builtins import BUILTINS
from astrace.tracing.tracer import Tracer

NAMING: Final = (getattr, hasattr, setattr, delattr, object.__setattr__, object.__delattr__)
"""Builtins whose second argument is the name of an attribute."""

COUNTS: Final[Mapping[Any, tuple[int, float]]] = {
    map: (2, math.inf),
    filter: (2, 2),
    iter: (1, 2),
    next: (1, 2),
    getattr: (2, 3),
    functools.reduce: (2, 3),
}
"""Builtins that have no signature and take no names: the least and the most arguments."""


def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except ValueError:  # it is in ``COUNTS``, or its handler takes all forms
        return None


SIGNATURES: Final = {function: _signature(function) for function in BUILTINS}


def call_builtin(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A call of one of ``BUILTINS``; one that Python refuses happens when the program runs."""
    if is_accepted(function, args, kwargs):
        return BUILTINS[function](trace, function, args, kwargs)
    return trace.operators.opaque(function, args, kwargs)


def is_accepted(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Whether Python accepts these arguments of a builtin, as far as their number and names go.

    Example:
        >>> is_accepted(len, ((),), {}), is_accepted(len, (), {}), is_accepted(hasattr, (1, 2), {})
        (True, False, False)
    """
    if function in NAMING and len(args) > 1 and not isinstance(args[1], str | Tracer):
        return False
    if function in COUNTS:
        least, most = COUNTS[function]
        return not kwargs and least <= len(args) <= most
    signature = SIGNATURES[function]
    try:
        if signature is not None:
            signature.bind(*args, **kwargs)
    except TypeError:
        return False
    return True
