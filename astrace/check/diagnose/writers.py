"""Functions of a program that set globals, attributes, variables around them, defaults.

Their code is read; none is run.  What a function of the program sets may change, what nothing sets is a constant.
"""

from __future__ import annotations

import dis
import re
import types
from typing import Any, Final

import numpy as np

from astrace.check.sandbox.reachable import unwrapped

STORING: Final = ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_DEREF", "DELETE_DEREF", "STORE_ATTR", "DELETE_ATTR")
STORES: Final = frozenset(map(dis.opmap.__getitem__, STORING))
DEFAULTS: Final = frozenset({"__defaults__", "__kwdefaults__"})
REGISTERS: Final = "a call of register"
"""The writer that changes how many classes are registered with abstract base classes."""


class Writers:
    """The names that each function of a program changes.

    Args:
        function: a function of the program; those of its module are looked at.

    Attributes:
        patched: who replaces functions of NumPy, by their names in blocks.
    """

    def __init__(self, function: Any) -> None:
        self._found: dict[str, str] = {}
        self.patched: dict[str, str] = {}
        space = getattr(function, "__globals__", {})
        self._numpy = {name for name, value in list(space.items()) if value is np}
        for value in list(space.values()):
            members = list(vars(value).values()) if _is_class_of(value, space) else [unwrapped(value)]
            for member in members:
                if isinstance(member, types.FunctionType) and member.__globals__ is space:
                    self._code(member.__code__, member.__qualname__)
        if isinstance(function, types.FunctionType):
            self._code(function.__code__, function.__qualname__)

    def of(self, path: str) -> str:
        """Return the function that changes the object at a path; empty where none is known."""
        found = (who for part in _on_the_way(path) for who in (self._found.get(part), self._attribute(part)))
        return next(filter(None, found), "")

    def _attribute(self, path: str) -> str:
        """The function that changes an attribute of the name with which a path ends."""
        owner, _, name = path.rpartition(".")
        return self._found.get(f".{name}", "") if owner else ""

    def _code(self, code: types.CodeType, name: str) -> None:
        if name.endswith("__init__"):
            return
        if "register" in code.co_names:
            self._found.setdefault(REGISTERS, name)
        if not DEFAULTS.isdisjoint(code.co_names):
            for other in code.co_names:
                self._found.setdefault(f"the defaults of {other}", name)
        if not STORES.isdisjoint(code.co_code[::2]):  # most functions have none: looking at each step is slow
            self._stores(code, name)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self._code(constant, name)

    def _stores(self, code: types.CodeType, name: str) -> None:
        """Note what the steps of some code set or delete."""
        owner = None
        for step in dis.get_instructions(code):
            if step.opname in STORING[:4]:
                self._found.setdefault(str(step.argval), name)
            elif step.opname in STORING[4:] and owner in self._numpy:
                self.patched.setdefault(f"np.{step.argval}", name)
            elif step.opname in STORING[4:]:
                self._found.setdefault(f".{step.argval}", name)
            owner = step.argval if step.opname == "LOAD_GLOBAL" else None


def _on_the_way(path: str) -> list[str]:
    """A path and the shorter ones that it goes through, from its end.

    Example:
        >>> _on_the_way("CFG['eps'].low")
        ["CFG['eps'].low", "CFG['eps']", 'CFG']
    """
    ends = [found.start() for found in STEP.finditer(path) if found.start()]
    return [path, *(path[:end] for end in reversed(ends))]


STEP: Final = re.compile(r"\[|\.(?=[^\W\d])(?![^\[]*\])")


def _is_class_of(value: Any, space: dict[str, Any]) -> bool:
    return isinstance(value, type) and value.__module__ == space.get("__name__")
