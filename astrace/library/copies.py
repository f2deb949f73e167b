"""Compiled copies of the parts of a library, each made once: whoever holds a thing twice gets one copy twice."""

from __future__ import annotations

import threading
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from astrace.errors import InvalidArgument
from astrace.library.class_copy import (
    OPTIONS,
    can_compile_in_place,
    can_copy,
    compile_in_place,
    copy_class,
    copy_instance,
    is_being_defined,
    original_class,
    original_instance,
)
from astrace.library.compilable import NEVER, OPT_OUT, home, is_compilable, is_test_module, is_within
from astrace.library.lazy_graph import LazyGraph
from astrace.library.module_copy import CompiledModule, options_of, original_module
from astrace.tracing.values.special_methods import is_compiled

Compile = Callable[[types.FunctionType], LazyGraph[..., Any]]


@dataclass(frozen=True, slots=True)
class _Made:
    """A thing and its copy; holding the thing keeps its id its own."""

    original: Any
    copy: Any


class Copier:
    """Makes the copies of one library.

    Args:
        package: the module that is copied, with the modules below it; of a class or an instance, its module.
        compile_function: gives the compiled form of a function.
        made_with: what the copies remember of how they were made.
    """

    def __init__(self, package: str, compile_function: Compile, made_with: Any = None) -> None:
        self._package = package
        self._made_with = made_with
        self._compile = compile_function
        self._made: dict[int, _Made] = {}
        self._lock = threading.RLock()

    def copy(self, value: Any) -> Any:
        """The copy of a function, a class or a module of the library; anything else itself."""
        make = self._maker(value)
        if make is None:
            return value
        with self._lock:
            if id(value) not in self._made:
                self._made[id(value)] = _Made(value, make(value))
            return self._made[id(value)].copy

    def class_copy(self, cls: type) -> type:
        """The copy of a class, wherever it was written."""
        with self._lock:
            if id(cls) not in self._made:
                self._made[id(cls)] = _Made(cls, copy_class(cls, self._compile, self._made_with))
            return self._made[id(cls)].copy

    def _maker(self, value: Any) -> Callable[[Any], Any] | None:
        """Return the function that copies an object; nothing for one that stays as it is."""
        match value:
            case types.FunctionType() if self._holds(home(value)) and is_compilable(value):
                return self._compile
            case type() if can_copy(value) and self._holds(value.__module__):
                return self.class_copy
            case types.ModuleType() if self._holds(value.__name__) and getattr(value, OPT_OUT, True):
                return self.module_copy
            case _:
                return None

    def _holds(self, module: Any) -> bool:
        """Return whether a module is one of the library's, and no module of tests."""
        return is_within(module, (self._package,)) and not is_test_module(module, self._package)

    def module_copy(self, module: types.ModuleType) -> CompiledModule:
        """The copy of a module."""
        return CompiledModule(module, self.copy, original, self._made_with)


def original(value: Any) -> Any:
    """Return the original of a compiled function, module, class or instance; anything else itself.

    Of an instance it is another instance, of the original class, that shares the attributes.

    Example:
        >>> import astrace
        >>> def halve(x):
        ...     return x / 2
        >>> original(astrace.compile(halve)) is halve
        True
    """
    if isinstance(value, CompiledModule):
        return original_module(value)
    if isinstance(value, type):
        return original_class(value)
    if is_compiled(value):
        return value.__astrace_function__
    cls = type(value)
    return value if original_class(cls) is cls else original_instance(value)


def made_with(value: Any) -> Any:
    """The options that a module, a class or an instance was compiled with; nothing of anything else."""
    if isinstance(value, CompiledModule):
        return options_of(value)
    cls = value if isinstance(value, type) else type(value)
    return vars(cls).get(OPTIONS)


def copy_of(thing: Any, compile_function: Compile, asked: str = "compile", made_with: Any = None) -> Any:
    """A lazily compiled copy of a module, a class or an instance; a class that is being defined is compiled itself.

    Args:
        thing: what to copy.
        compile_function: gives the compiled form of a function.
        asked: the public function that is asked for it.
        made_with: the options that it is made with; remembered, so that nothing is copied twice with the same.

    Raises:
        InvalidArgument: it is not one that can be copied.
    """
    if isinstance(thing, types.ModuleType):
        if thing.__name__.partition(".")[0] in NEVER:
            raise InvalidArgument(f"{asked}: {thing.__name__!r} is part of what astrace itself runs on")
        return Copier(thing.__name__, compile_function, made_with).module_copy(thing)
    cls = thing if isinstance(thing, type) else type(thing)
    if cls is thing and is_being_defined(cls) and can_compile_in_place(cls):
        compile_in_place(cls, compile_function, made_with)
        return cls
    if not can_copy(cls):
        raise InvalidArgument(
            f"{asked}: {cls.__name__!r} is no class whose methods can be compiled; {ACCEPTED}"
        )
    made = Copier(cls.__module__, compile_function, made_with).class_copy(cls)
    return made if isinstance(thing, type) else copy_instance(thing, made)


ACCEPTED = "accepted are functions, modules, and classes written in Python that derive from no built-in type"
