"""Signatures of builtins: how many arguments there may be, and which may be named.

A call that Python refuses is left to it, so that the program gets Python's own ``TypeError``.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import math
import types
from collections.abc import Callable, Mapping
from typing import Any, Final

from astrace.tracing.context import Trace
from astrace.tracing.operators.calls.builtins import BUILTINS
from astrace.tracing.tracer import Tracer

NAMING: Final = (getattr, hasattr, setattr, delattr, object.__setattr__, object.__delattr__)
"""Builtins whose second argument is the name of an attribute."""

NO_NAMES: Final[frozenset[str]] = frozenset()

COUNTS: Final[Mapping[Any, tuple[int, float, frozenset[str] | None]]] = {
    type: (1, 3, NO_NAMES),
    bool: (0, 1, NO_NAMES),
    int: (0, 2, frozenset({"base"})),
    str: (0, 3, frozenset({"object", "encoding", "errors"})),
    set: (0, 1, NO_NAMES),
    frozenset: (0, 1, NO_NAMES),
    dict: (0, 1, None),
    range: (1, 3, NO_NAMES),
    zip: (0, math.inf, frozenset({"strict"})),
    map: (2, math.inf, NO_NAMES),
    filter: (2, 2, NO_NAMES),
    iter: (1, 2, NO_NAMES),
    next: (1, 2, NO_NAMES),
    max: (1, math.inf, frozenset({"key", "default"})),
    min: (1, math.inf, frozenset({"key", "default"})),
    getattr: (2, 3, NO_NAMES),
    vars: (0, 1, NO_NAMES),
    dir: (0, 1, NO_NAMES),
    functools.reduce: (2, 3, NO_NAMES),
    itertools.chain: (0, math.inf, NO_NAMES),
}
"""Builtins that have no signature: the least and the most arguments, and what may be named; ``None``: anything."""


def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except ValueError:  # it is in ``COUNTS``
        return None


SIGNATURES: Final = {function: _signature(function) for function in BUILTINS if function not in COUNTS}


def call_builtin(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A call of one of ``BUILTINS``; one that Python refuses happens when the program runs."""
    if not is_accepted(function, args, kwargs):
        return trace.operators.opaque(function, args, kwargs)
    signature = SIGNATURES.get(function)
    if kwargs and signature is not None:  # keywords become positional where they may
        bound = signature.bind(*args, **kwargs)
        args, kwargs = bound.args, bound.kwargs
    return BUILTINS[function](trace, function, args, kwargs)


def is_accepted(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Return whether Python accepts these arguments of a builtin, as far as their number and names go.

    Example:
        >>> is_accepted(len, ((),), {}), is_accepted(len, (), {}), is_accepted(hasattr, (1, 2), {})
        (True, False, False)
        >>> is_accepted(bool, (1, 2), {}), is_accepted(str, (), {"object": 1}), is_accepted(set, (), {"x": 1})
        (False, True, False)
    """
    if function in NAMING and len(args) > 1 and not isinstance(args[1], str | Tracer):
        return False
    if function in COUNTS:
        least, most, names = COUNTS[function]
        if names is None:
            return least <= len(args) <= most
        return names.issuperset(kwargs) and least <= len(args) and len(args) + len(kwargs) <= most
    return binds(SIGNATURES[function], args, kwargs)


def binds(signature: inspect.Signature | None, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Return whether a call fits a signature, where there is one."""
    try:
        if signature is not None:
            signature.bind(*args, **kwargs)
    except TypeError:
        return False
    return True


@functools.lru_cache(maxsize=256)
def signature_of(function: types.BuiltinFunctionType) -> inspect.Signature | None:
    """The signature of a function written in C, where it has one."""
    return _signature(function)
