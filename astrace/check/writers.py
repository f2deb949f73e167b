"""Who changes what: the functions of a program that set globals, attributes, variables around them, defaults.

Their code is read; none is run.  What a function of the program sets may change, what nothing sets is a constant.
"""

from __future__ import annotations

import dis
import types
from typing import Any, Final

import numpy as np

from astrace.check.reach import unwrapped

STORING: Final = ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_DEREF", "DELETE_DEREF", "STORE_ATTR", "DELETE_ATTR")
STORES: Final = frozenset(map(dis.opmap.__getitem__, STORING))
DEFAULTS: Final = frozenset({"__defaults__", "__kwdefaults__"})
REGISTERS: Final = "a call of register"
"""What changes how many classes are registered with abstract ones."""


class Writers:
    """Which functions of a program change which names.

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
        """The function that changes what a path leads to; empty where none is known."""
        last = path.rpartition(".")[2]
        return self._found.get(path, "") or (self._found.get(f".{last}", "") if "." in path else "")

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


def _is_class_of(value: Any, space: dict[str, Any]) -> bool:
    return isinstance(value, type) and value.__module__ == space.get("__name__")
