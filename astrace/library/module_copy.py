"""A module seen through compiled functions: reads of anything else, and what is set, go to the module itself.

So the copy and its original share one state: a function of the copy that changes a global changes the
original's, which is the one that all functions of the library see.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

NAMESPACE: Final[Any] = vars(types.ModuleType)["__dict__"]
OWN: Final = frozenset(
    {"__name__", "__doc__", "__package__", "__loader__", "__spec__", "__file__", "__path__", "__cached__"}
)
"""A copy's own attributes: they say where the module came from."""


class CompiledModule(types.ModuleType):
    """A lazily compiled copy of a module; made by `astrace.compile`.

    Args:
        original: the module.
        compiled: gives the compiled form of what the module holds, or the thing itself.
        plain: gives what a compiled form was made of.
        made_with: the options that it is made with.
    """

    def __init__(
        self,
        original: types.ModuleType,
        compiled: Callable[[Any], Any],
        plain: Callable[[Any], Any],
        made_with: Any = None,
    ) -> None:
        super().__init__(original.__name__, original.__doc__)
        held = _held(self)
        held.update({name: value for name, value in vars(original).items() if name in OWN})
        held.update(
            __wrapped__=original, __astrace_compiled__=(compiled, plain), __astrace_options__=made_with
        )

    @property
    def __dict__(self) -> Mapping[str, Any]:  # type: ignore[override]
        """The present contents of the module, compiled; ``vars`` and ``from copy import *`` ask for it."""
        held = _held(self)
        compiled, _ = held["__astrace_compiled__"]
        names = vars(held["__wrapped__"]).items()
        return MappingProxyType({name: compiled(value) for name, value in list(names)})

    def __getattr__(self, name: str) -> Any:
        held = _held(self)
        compiled, _ = held["__astrace_compiled__"]
        return compiled(getattr(held["__wrapped__"], name))

    def __setattr__(self, name: str, value: Any) -> None:
        held = _held(self)
        _, plain = held["__astrace_compiled__"]
        setattr(held["__wrapped__"], name, plain(value))
        if name in OWN:
            held[name] = value

    def __delattr__(self, name: str) -> None:
        delattr(_held(self)["__wrapped__"], name)

    def __dir__(self) -> list[str]:
        return dir(_held(self)["__wrapped__"])

    def __repr__(self) -> str:
        return f"<compiled {_held(self)['__wrapped__']!r}>"


def _held(module: CompiledModule) -> dict[str, Any]:
    """Return a copy's own namespace."""
    return NAMESPACE.__get__(module)


def original_module(module: CompiledModule) -> types.ModuleType:
    """The module that a copy was made of."""
    return _held(module)["__wrapped__"]


def options_of(module: CompiledModule) -> Any:
    """The options that a copy was made with."""
    return _held(module)["__astrace_options__"]
