"""The builtins that astrace itself is made of, and whether a program has put others in their place.

Knows nothing of the rest of the package.  A program may replace ``builtins.len`` while it runs, as tests do; then whatever asks
for a length is told something else, the compiler included.  So nothing is captured until the builtins are back.
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

NOT_NEEDED: Final = frozenset(
    [
        "print",
        "input",
        "open",
        "breakpoint",
        "exit",
        "quit",
        "help",
        "copyright",
        "credits",
        "license",
        "_",
        "__build_class__",
        "__loader__",
    ]
)
"""Builtins that programs and their tools replace as a matter of course, and that no capture calls."""


def is_own_builtin(value: Any) -> bool:
    """Return whether a builtin is one of Python's own functions and classes, not one that a tool has added.

    Example:
        >>> is_own_builtin(len), is_own_builtin(int), is_own_builtin(lambda: 1)
        (True, True, False)
    """
    if isinstance(value, types.BuiltinFunctionType):
        return value.__self__ is builtins
    return isinstance(value, type) and value.__module__ == builtins.__name__


NEEDED: Final[Mapping[str, Any]] = MappingProxyType(
    {
        name: value
        for name, value in vars(builtins).items()
        if name not in NOT_NEEDED and is_own_builtin(value)
    }
)
"""The builtins as they were when astrace was imported; names that tools have added (IPython's ``get_ipython``) do not count."""


KIND_OF: Final[Any] = type
NAME: Final = str
"""The builtins that the look itself needs."""


def replaced_builtin(now: Mapping[str, Any] = vars(builtins)) -> str | None:
    """Return the name of a builtin that has been replaced or removed; ``None`` if there is none.

    Args:
        now: the builtins as they are.

    Example:
        >>> replaced_builtin(), replaced_builtin({**vars(builtins), "len": None})
        (None, 'len')
    """
    for key in now:
        if KIND_OF(key) is not NAME:  # a key of the program's, whose methods would be called by a look-up
            now = {one: value for one, value in now.items() if KIND_OF(one) is NAME}
            break
    for name, value in NEEDED.items():
        # Neither ``get`` nor a membership test asks a builtin function.
        if now.get(name) is not value:
            return name
    return None
