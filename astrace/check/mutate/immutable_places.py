"""Places that nothing can change: members of enumerations, fields of frozen dataclasses, items of tuples.

Takes owners and keys, or a path and the function that reads it; runs nothing of the user's.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import functools
import types
from collections.abc import Iterator
from typing import Any, Final

from astrace.check.sandbox.savers import FIXED, names_of

OF_FUNCTIONS: Final = frozenset({"__code__", "__defaults__", "__kwdefaults__", "__closure__", "__globals__"})
"""Parts of functions: who edits the program makes others; `Writers` knows who sets them."""
OF_MEMBERS: Final = frozenset({"_value_", "_name_", "_sort_order_", "__objclass__"})
"""The attributes that define a member of an enumeration."""
OF_PARTIALS: Final = frozenset({"func", "args", "keywords"})


def can_hold_another(owner: Any, key: Any) -> bool:
    """Return whether an owner may come to hold something else at a key: an item, or an attribute by its name.

    Args:
        owner: what holds it.
        key: its key, index or name.

    Example:
        >>> import http
        >>> can_hold_another(http.HTTPStatus, "OK"), can_hold_another((1.0,), 0), can_hold_another([1.0], 0)
        (False, False, True)
    """
    match owner:
        case enum.EnumType():
            return key not in owner.__members__
        case enum.Enum():
            return key not in OF_MEMBERS and key not in ("value", "name")
        case functools.partial():
            return key not in OF_PARTIALS
        case types.FunctionType() | types.MethodType():
            return key not in OF_FUNCTIONS
        case _ if _is_frozen(owner):
            return key not in type(owner).__dataclass_fields__
        case _ if isinstance(key, str) and key in names_of(owner):
            return key not in getattr(owner, "_fields", ())
        case _:
            return not isinstance(owner, FIXED)


def _is_frozen(owner: Any) -> bool:
    """Return whether an object is of a frozen dataclass."""
    return dataclasses.is_dataclass(type(owner)) and type(owner).__dataclass_params__.frozen


def steps_of(place: str) -> Iterator[tuple[ast.expr, Any]] | None:
    """Return the owners on the way to a place, from its end, each with the key in it; nothing for other texts.

    Args:
        place: how the user writes it: ``CFG['eps']``, ``model.w``.
    """
    try:
        tree = ast.parse(place, mode="eval").body
        return iter([*_steps(tree)])
    except (SyntaxError, ValueError):
        return None


def _steps(tree: ast.expr) -> Iterator[tuple[ast.expr, Any]]:
    match tree:
        case ast.Name():
            return
        case ast.Attribute(owner, name):
            yield owner, name
            yield from _steps(owner)
        case ast.Subscript(owner, key):
            yield owner, ast.literal_eval(key)
            yield from _steps(owner)
        case _:
            raise ValueError(ast.unparse(tree))
