"""Attributes that a compiled function shares with its function, and those of its own: used by `compiled`."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any, Final

STATE: Final = (
    *(
        "__astrace_function__",
        "__astrace_target__",
        "__astrace_options__",
        "_options",
        "_lock",
        "_entries",
        "_calls",
        "_fallbacks",
    ),
    *(
        "_traces",
        "_misses",
        "_retired",
        "_changing",
        "_allowance",
        "_freezer",
        "_unfinished",
        "_recorder",
        "__astrace_entrance__",
    ),
)
"""A compiled function's own attributes, which `functools.wraps` must not copy."""

NAMES: Final = ("__name__", "__qualname__", "__doc__")
"""Attributes that both share: generators have the names of the function itself."""

BOUND_BY_NAME: Final = {
    "__new__": staticmethod,
    "__init_subclass__": classmethod,
    "__class_getitem__": classmethod,
}
"""The wrappers that `type` puts around functions of these names in the body of a class."""


def bind_as_python(compiled: Any, owner: type, name: str) -> None:
    """Do for a compiled function in the body of a class what `type` does for Python functions alone."""
    binding = BOUND_BY_NAME.get(name)
    if binding is not None and vars(owner).get(name) is compiled:
        type.__setattr__(owner, name, binding(compiled))  # bypasses the metaclass


class OfFunction:
    """An attribute that every Python function has: a compiled one has that of its function.

    Args:
        calls: how the function is called depends on it.
    """

    def __init__(self, calls: bool = False) -> None:
        self._calls = calls

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else getattr(instance.__astrace_function__, self._name)

    def __set__(self, instance: Any, value: Any) -> None:
        setattr(instance.__astrace_function__, self._name, value)
        if self._calls:
            instance.start_again()

    def __delete__(self, instance: Any) -> None:
        delattr(instance.__astrace_function__, self._name)
        if self._calls:
            instance.start_again()


class Named:
    """The base of objects that share their names and documentation with a function, whichever of the two they are set on."""

    __slots__ = ()

    if TYPE_CHECKING:
        __astrace_function__: Any

    def __setattr__(self, name: str, value: Any) -> None:
        if name in NAMES and isinstance(self.__astrace_function__, types.FunctionType):
            setattr(self.__astrace_function__, name, value)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        if name in NAMES and isinstance(self.__astrace_function__, types.FunctionType):
            delattr(self.__astrace_function__, name)  # only the documentation can be deleted: then it is None
            object.__setattr__(self, name, None)
        else:
            object.__delattr__(self, name)
