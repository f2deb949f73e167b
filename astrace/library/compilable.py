"""Functions of a library that are compiled: those written in its modules that nobody asked to skip.

Left as they are: generators and coroutines, functions without a file, special methods by which Python makes,
looks up, compares by identity, prints or pickles objects, functions that Numba translates from their code, and whatever
is marked with `skip`.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Collection, Iterator
from typing import Any, Final, TypeVar

from astrace.errors import InvalidArgument
from astrace.util import validation
from astrace.util.entrances import CompiledForm, function_of
from astrace.util.frames_seen import looks_at_frames

T = TypeVar("T")

SKIP: Final = "__astrace_skip__"
OPT_OUT: Final = "__astrace__"
"""A module that sets this name to ``False`` is left alone."""
LEFT_PLAIN: Final = frozenset(
    {
        *("__new__", "__del__", "__getattribute__", "__getattr__", "__setattr__", "__delattr__", "__dir__"),
        *("__init_subclass__", "__class_getitem__", "__set_name__", "__get__", "__set__", "__delete__"),
        *("__prepare__", "__instancecheck__", "__subclasscheck__", "__subclasshook__", "__mro_entries__"),
        *("__hash__", "__repr__", "__str__", "__format__", "__sizeof__", "__missing__", "__fspath__"),
        *("__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__", "__copy__"),
        *("__deepcopy__", "__array__", "__array_ufunc__", "__array_function__", "__array_finalize__"),
        *("__array_wrap__", "__array_prepare__", "__array_priority__", "__buffer__"),
    }
)
HEAP_TYPE: Final = 1 << 9
"""The flag of classes whose attributes can be set."""
STREAMING: Final = (
    inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR | inspect.CO_ITERABLE_COROUTINE
)
TRANSLATORS: Final = frozenset({"numba"})
"""Packages that translate the code of functions, and may do so at the first call only."""
NEVER: Final = sys.stdlib_module_names | {"numpy", "astrace"}
"""Packages that the compiler itself uses."""


def skip(target: T) -> T:
    """Leave a function, a class, a method or a property to plain Python, whatever its library is.

    Args:
        target: a function or a class, or what holds functions: a static or class method, a property.

    Raises:
        InvalidArgument: it is none of these.

    Example:
        >>> @skip
        ... def seeded(n):
        ...     return n
        >>> is_compilable(seeded)
        False
    """
    found = list(_skippable(target))
    if not found:
        raise InvalidArgument(
            f"skip: {validation.shown(target)}; accepted are functions, classes, methods, properties"
        )
    for one in found:
        setattr(one, SKIP, True)
    return target


def _skippable(target: Any) -> Iterator[Any]:
    """Yield the objects that are written in Python and can be marked."""
    match target:
        case types.FunctionType():
            yield target
        case type() if target.__flags__ & HEAP_TYPE:
            yield target
        case staticmethod() | classmethod() | types.MethodType():
            yield from _skippable(target.__func__)
        case property():
            for accessor in (target.fget, target.fset, target.fdel):
                yield from _skippable(accessor)
        case functools.cached_property() | functools.partial():
            yield from _skippable(target.func)
        case CompiledForm():
            yield from _skippable(function_of(target))
        case _ if not isinstance(target, type) and isinstance(
            getattr(target, "__wrapped__", None), types.FunctionType
        ):
            yield target.__wrapped__
        case _:
            return


def is_compilable(function: types.FunctionType) -> bool:
    """Return whether a Python function is one that may be compiled."""
    code = function.__code__
    return (
        not code.co_flags & STREAMING
        and not code.co_filename.startswith("<")
        and function.__name__ not in LEFT_PLAIN
        and not looks_at_frames(function)
        and not function.__dict__.get(SKIP, False)
    )


def is_within(name: Any, packages: Collection[str]) -> bool:
    """Return whether a module is one of some packages, or below one.

    Example:
        >>> is_within("pkg.sub", ["pkg"]), is_within("pkg2", ["pkg"])
        (True, False)
    """
    return isinstance(name, str) and any(name == one or name.startswith(f"{one}.") for one in packages)


def is_test_module(name: str, package: str) -> bool:
    """Return whether a module below a package holds tests, by its name.

    Example:
        >>> is_test_module("pkg.tests.helpers", "pkg"), is_test_module("pkg.testing", "pkg")
        (True, False)
    """
    below = name.removeprefix(package).split(".")
    return any(
        part in ("test", "tests", "conftest") or part.startswith("test_") or part.endswith("_test")
        for part in below
    )


def home(function: types.FunctionType) -> Any:
    """The name of the module that a function was written in, whatever its decorators say."""
    return dict.get(function.__globals__, "__name__")


def functions_in(value: Any) -> Iterator[types.FunctionType]:
    """Yield the Python functions that an attribute stands for: itself, accessors, wrapped functions."""
    kind = type(value)  # the value itself is not asked: it may run its library's code
    if kind is types.FunctionType:
        yield value
        yield from functions_in(value.__dict__.get("__wrapped__"))
    elif kind in (staticmethod, classmethod):
        yield from functions_in(value.__func__)
    elif kind is property:
        for accessor in (value.fget, value.fset, value.fdel):
            yield from functions_in(accessor)
    elif kind is functools.cached_property:
        yield from functions_in(value.func)


def translated(value: Any) -> types.FunctionType | None:
    """The function that a value stands for by a translation of its code, as what ``numba.njit`` gives."""
    if type(value).__module__.split(".")[0] not in TRANSLATORS:
        return None
    found = getattr(value, "py_func", None)
    return found if type(found) is types.FunctionType else None
