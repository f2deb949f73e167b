"""Functions that JAX has made of a user's, as ``g = jax.grad(f)`` at the top of a module: what they hold, and copies."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any, Final

from astrace.ir.jax_arrays import is_code_of_jax, is_function

PLAIN: Final = (bool, int, float, str, type(None), type, types.ModuleType, types.BuiltinFunctionType)
"""Classes of parts of JAX's functions that are kept as they are."""


def held_functions(function: types.FunctionType) -> tuple[types.FunctionType, ...]:
    """The user's functions that one of JAX's holds; none where it holds anything that can't be looked into."""
    try:
        return tuple(dict.fromkeys(_held(function)))
    except _Opaque:
        return ()


class _Opaque(Exception):
    """Something whose contents do not show."""


def _held(value: Any) -> Iterator[types.FunctionType]:
    if isinstance(value, types.FunctionType):
        if not is_code_of_jax(value):
            if not is_function(value):
                yield value
            return
        for cell in value.__closure__ or ():
            yield from _held(cell.cell_contents)
    elif type(value) in (tuple, list, frozenset):
        for item in value:
            yield from _held(item)
    elif not isinstance(value, PLAIN) and type(value) is not object:
        raise _Opaque


def remade(function: types.FunctionType, *others: Any) -> Any:
    """A function of JAX's that holds other functions in place of the user's.

    Args:
        function: what JAX has made.
        others: stand in for `held_functions`, in this order.
    """
    return _copied(function, dict(zip(held_functions(function), others, strict=True)))


def _copied(value: Any, others: dict[types.FunctionType, Any]) -> Any:
    if type(value) in (tuple, list, frozenset):
        return type(value)(_copied(item, others) for item in value)
    if not isinstance(value, types.FunctionType):
        return value
    if value in others:
        return others[value]
    if not is_code_of_jax(value):
        return value
    cells = tuple(types.CellType(_copied(cell.cell_contents, others)) for cell in value.__closure__ or ())
    copy = types.FunctionType(value.__code__, value.__globals__, value.__name__, value.__defaults__, cells)
    copy.__kwdefaults__ = value.__kwdefaults__
    return copy
