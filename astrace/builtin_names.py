"""The builtins that astrace itself is made of, and whether a program has put others in their place.

Knows nothing of the rest of the package.  A program may replace ``builtins.len`` while it runs, as tests do; then whatever asks
for a length is told something else, the compiler included.  So nothing is captured until the builtins are back.
"""

from __future__ import annotations

import builtins
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
        "__import__",
        "__build_class__",
        "__loader__",
    ]
)
"""Builtins that programs and their tools replace as a matter of course, and that no capture calls."""

NEEDED: Final[Mapping[str, Any]] = MappingProxyType(
    {name: value for name, value in vars(builtins).items() if callable(value) and name not in NOT_NEEDED}
)
"""The builtins as they were when astrace was imported."""


def replaced_builtin(now: Mapping[str, Any] = vars(builtins)) -> str | None:
    """The name of a builtin that is another one now, or gone; ``None`` if there is none.

    Args:
        now: the builtins as they are.

    Example:
        >>> replaced_builtin(), replaced_builtin({**vars(builtins), "len": None})
        (None, 'len')
    """
    for name, value in NEEDED.items():
        # Neither ``get`` nor a membership test asks a builtin function.
        if now.get(name) is not value:
            return name
    return None
