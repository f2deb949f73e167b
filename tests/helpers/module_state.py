"""What a program's module holds, as data to compare: two calls between which it is the same left nothing behind in it.

Takes a module, gives nested tuples.  It knows the kinds of objects that can be looked into without running their code;
of a module that holds any other it says `Unknown`, since that one might change unseen.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Mapping
from typing import Any

import numpy as np
from harness import bits


class Unknown(Exception):
    """Something in a module can't be looked into."""


ATOMS = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), type(NotImplemented), range)
FIXED = (
    *(types.BuiltinFunctionType, types.ModuleType, types.CodeType, types.GetSetDescriptorType, types.WrapperDescriptorType),
    *(types.MemberDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType, types.MethodWrapperType),
    *(types.GenericAlias, types.UnionType, np.dtype, np.ufunc),
)  # fmt: skip
"""Classes of objects that do not change, or are not the program's."""

UNCHANGED = frozenset(
    {"__dataclass_params__", "__dataclass_fields__", "__builtins__", "__spec__", "__loader__"}
)
"""Names that Python gives values itself, once."""


def state_of(module: types.ModuleType) -> Any:
    """Return all that a module holds.

    Raises:
        Unknown: there is something in it that can't be looked into.
    """
    return _State(module.__name__).items(vars(module))


class _State:
    """The state of one module; an object that is met again is told by its number.

    Args:
        module: the module's name; classes and functions of others are told by what they are.
    """

    def __init__(self, module: str) -> None:
        self._module = module
        self._met: dict[int, int] = {}
        self._kept: list[Any] = []

    def of(self, value: Any) -> Any:
        """Return the state of an object."""
        kind = type(value)
        if kind in ATOMS:
            return kind, repr(value)
        if id(value) in self._met:
            return "met", self._met[id(value)]
        self._met[id(value)] = len(self._met)
        self._kept.append(value)  # its number is its own as long as it lives
        return kind, id(value), self._parts(kind, value)

    def _parts(self, kind: type, value: Any) -> Any:
        if issubclass(kind, np.generic):
            return bits(np.asarray(value))
        if kind is np.ndarray:
            flags = value.flags.num, value.shape, value.strides, str(value.dtype)
            return flags, list(map(self.of, value.flat)) if value.dtype.hasobject else bits(value)
        if kind is dict or kind is types.MappingProxyType:
            return self.items(value)
        if kind in (list, tuple, set, frozenset):
            return [self.of(one) for one in value]
        if issubclass(kind, type):
            return self.items(vars(value)) if value.__module__ == self._module else None
        if kind in FIXED:
            return None
        return self._object(kind, value)

    def items(self, value: Mapping[Any, Any]) -> Any:
        """Return the states of what a mapping holds."""
        told = ((key, item) for key, item in value.items() if key not in UNCHANGED)
        return [(self.of(key), self.of(item)) for key, item in told]

    def _object(self, kind: type, value: Any) -> Any:
        """What functions and instances hold."""
        if kind is types.FunctionType:
            if value.__module__ != self._module:
                return None
            cells = [
                None if _is_empty(cell) else self.of(cell.cell_contents) for cell in value.__closure__ or ()
            ]
            return cells, *map(self.of, (value.__defaults__, value.__kwdefaults__)), self.items(vars(value))
        if kind is types.MethodType:
            return list(map(self.of, (value.__func__, value.__self__)))
        if kind in (staticmethod, classmethod):
            return self.of(value.__func__)
        if kind is property:
            return list(map(self.of, (value.fget, value.fset, value.fdel)))
        if kind is functools.partial:
            return list(map(self.of, (value.func, value.args, value.keywords)))
        if kind.__module__ != self._module or kind.__mro__[1] is not object:
            raise Unknown(f"{kind.__qualname__}")
        slots = [name for name in vars(kind) if type(vars(kind)[name]) is types.MemberDescriptorType]
        try:
            return self.of(object.__getattribute__(value, "__dict__")), self._slots(kind, value, slots)
        except AttributeError:
            return None, self._slots(kind, value, slots)

    def _slots(self, kind: type, value: Any, names: list[str]) -> Any:
        held = []
        for name in names:
            try:
                held.append((name, self.of(vars(kind)[name].__get__(value))))
            except AttributeError:
                held.append((name, "unset"))
        return held


def _is_empty(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return True
    return False
