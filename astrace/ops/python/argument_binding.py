"""Binding of arguments to parameters, as Python itself does it, in its own words where it refuses.

Used while tracing, and by graphs for calls whose arguments only the running program knows.
"""

from __future__ import annotations

import inspect
import types
from dataclasses import dataclass
from typing import Any, Final

FAST_LOCALS: Final = inspect.CO_OPTIMIZED | inspect.CO_NEWLOCALS
STARRED: Final = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


def _nothing() -> None:
    """A body that does nothing."""


def _all_parameters() -> dict[str, Any]:
    """A body that gives the values of all parameters, in their order."""
    return locals()


NOTHING: Final = _nothing.__code__
PARAMETERS: Final = _all_parameters.__code__


def with_parameters(body: types.CodeType, code: types.CodeType) -> types.CodeType:
    """The code of a function without parameters, with those of another function."""
    names = parameters(code)
    return body.replace(
        co_argcount=code.co_argcount,
        co_posonlyargcount=code.co_posonlyargcount,
        co_kwonlyargcount=code.co_kwonlyargcount,
        co_nlocals=len(names),
        co_varnames=names,
        co_flags=code.co_flags & STARRED | FAST_LOCALS,
    )


def parameters(code: types.CodeType) -> tuple[str, ...]:
    """The names of a function's parameters: those by position, those by name only, those with stars."""
    starred = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + starred]


def stub(body: types.CodeType, function: types.FunctionType, defaults: Any) -> types.FunctionType:
    """Return a function with the name and signature of another one that does something else."""
    made = types.FunctionType(body, {}, function.__name__, defaults)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__ = function.__qualname__
    return made


@dataclass(frozen=True, slots=True)
class Binding:
    """Called as a function, gives the values of its parameters.

    Args:
        function: the function, whose defaults may be others at each call.
        code: gives the values; it has the function's parameters.
        bound: the number of parameters that a method fills in by itself; their values are ``None``.

    Example:
        >>> def scaled(x, by=2): ...
        >>> Binding.of(scaled, scaled.__code__)(**{"x": 3})
        (3, 2)
    """

    function: types.FunctionType
    code: types.CodeType
    bound: int = 0

    @staticmethod
    def of(function: types.FunctionType, code: types.CodeType, bound: int = 0) -> Binding:
        """The binding of a function with a code."""
        return Binding(function, with_parameters(PARAMETERS, code), bound)

    def __str__(self) -> str:
        """What Python calls the function where an argument after a star is not iterable."""
        module: str | None = self.function.__module__
        prefix = "" if module in (None, "builtins") else f"{module}."
        return f"{prefix}{self.function.__qualname__}()"

    def __call__(self, /, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The values of all parameters, in their order."""
        function: Any = self.function
        given = (*[None] * self.bound, *args)
        return tuple(stub(self.code, function, function.__defaults__)(*given, **kwargs).values())
