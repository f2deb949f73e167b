"""Operators: classes and functions that `astrace.script` has declared to be parts of pipelines.

Kept in a registry of its own like that of declared callables (``purity``), by identity.  How the instances were made,
and from which files, is known to `astrace.pipelines`; what a graph makes of their calls, to tracing.
"""

from __future__ import annotations

import gc
import types
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from astrace.ir.constants import is_static
from astrace.ops.callables.purity import Declarations, subject
from astrace.util.trees import members, resolution_order

OPERATORS: Final = Declarations()
"""The classes and functions that are operators."""

Known = Mapping[int, tuple[Any, bool]]


def is_declared() -> bool:
    """Return whether anything is declared to be an operator, but for astrace's own."""
    own = (
        str(getattr(one, "__module__", "")).startswith("astrace.") for one, _ in OPERATORS.known().values()
    )
    return not all(own)


def declared_as(value: Any, known: Known | None = None) -> Any:
    """Return the class or function by which an object is an operator; ``None`` where it is none.

    Args:
        value: an instance, a function, or a bound method of an instance.
        known: the operators; by default those of this moment.

    Example:
        >>> declared_as(len) is None
        True
    """
    known = OPERATORS.known() if known is None else known
    if not known or isinstance(value, type):
        return None
    if isinstance(value, types.MethodType) and not isinstance(value.__self__, type):
        return declared_as(value.__self__, known)
    if isinstance(value, types.FunctionType):
        return value if _is_known(subject(value), known) else None
    return next((cls for cls in resolution_order(type(value)) if _is_known(cls, known)), None)


def _is_known(one: Any, known: Known) -> bool:
    found = known.get(id(one))
    return found is not None and found[0] is one


def held_by(value: Any) -> dict[int, Any]:
    """Return the objects that can change and that an object leads to, itself included, by ``id``.

    Of functions these are the variables and globals that they name, their defaults, and what other functions that they
    name lead to; the functions of the object's own class count, too.

    Example:
        >>> inner = [1]
        >>> id(inner) in held_by({"a": (inner, 2)})
        True
    """
    found: dict[int, Any] = {}
    functions: set[int] = set()
    pending: list[Any] = [value, *_methods(type(value))]
    while pending:
        one = pending.pop()
        if isinstance(one, types.FunctionType):
            if id(one) not in functions:
                functions.add(id(one))
                pending += _named_by(one)
        elif id(one) not in found and (type(one) in WALKED or not is_static(one)):
            found[id(one)] = one
            pending += gc.get_referents(one)
    return found


def _methods(cls: type) -> Iterator[types.FunctionType]:
    """The functions in Python of a class."""
    for base in resolution_order(cls):
        for member in members(base).values():
            inner = getattr(member, "__func__", member)
            if isinstance(inner, types.FunctionType):
                yield inner


WALKED: Final = (tuple, frozenset, slice)
"""Classes of constants of which one may be made of others; these are all constants then."""


def _named_by(function: types.FunctionType) -> Iterator[Any]:
    """The objects that a function reads by name: variables around it, globals, defaults."""
    for cell in function.__closure__ or ():
        if cell != types.CellType():
            yield cell.cell_contents
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    if str(function.__globals__.get("__name__")).startswith("astrace."):
        return  # what takes note of a constructor's arguments: it leads to every operator, and to none of their state
    for code in _codes(function.__code__):
        for name in code.co_names:
            yield function.__globals__.get(name)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def shared(left: Mapping[int, Any], right: Mapping[int, Any]) -> bool:
    """Return whether two objects, as `held_by` tells of them, lead to one that can change; read-only arrays can't."""
    return any(_can_change(left[key]) for key in left.keys() & right.keys())


def _can_change(value: Any) -> bool:
    frozen = isinstance(value, np.ndarray) and not value.flags.writeable and value.base is None
    return not frozen and type(value) not in WALKED and not isinstance(value, types.MethodType)
