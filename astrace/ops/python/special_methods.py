"""Checks of results of special methods: ``bool(x)`` is an error where ``__bool__`` gives no truth value.

Python itself is asked, with an object whose method gives the result, or with objects that decline.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from astrace.ir.specs import BOOL, COMPLEX, FLOAT, INT, STR, Spec
from astrace.ops.registry import Op
from astrace.ops.rules import spec_of

ASKED: Final[Mapping[str, tuple[Callable[..., Any], type]]] = {
    "__bool__": (bool, bool),
    "__len__": (len, int),
    "__str__": (str, str),
    "__repr__": (repr, str),
    "__format__": (format, str),
    "__hash__": (hash, int),
    "__int__": (int, int),
    "__float__": (float, float),
    "__complex__": (complex, complex),
    "__index__": (operator.index, int),
}
"""By the name of a special method: the function that calls it, and the class of the result."""

PLAIN: Final[Mapping[type, Spec]] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, str: STR}


def returned(value: Any, method: str, name: str) -> Any:
    """Return the value that Python makes of a special method's result.

    Args:
        value: what it has returned.
        method: the special method.
        name: the name of its class, which some errors tell.

    Example:
        >>> returned(3, "__len__", "Items"), returned(-1, "__hash__", "Items")
        (3, -2)
    """

    def give(*_: Any) -> Any:
        return value

    made: Any = type(name, (), {method: give})()
    return ASKED[method][0](made)


def refused(operator_name: str, *names: str) -> Any:
    """Python's own complaint about operands of which each declines.

    Args:
        operator_name: the operator, as a function of `operator` or a builtin is named.
        names: the names of their classes.

    Raises:
        TypeError: always.
    """
    apply: Any = getattr(operator, operator_name, None) or vars(builtins)[operator_name]
    return apply(*(type(name, (), {})() for name in names))


def stands(spec: Spec, method: str) -> bool:
    """Return whether Python takes every value of a spec as it is."""
    return spec == PLAIN[ASKED[method][1]] and method not in ("__len__", "__hash__")


def _rule(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | None:
    kind = ASKED[args[1]][1]
    # What is not known to be a `str` may give an instance of a subclass of it.
    return None if kind is str and spec_of(args[0]) != STR else PLAIN[kind]


def rows() -> Iterator[Op]:
    """The row of this module."""
    yield Op("returned", returned, _rule)
