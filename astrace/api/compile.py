"""`astrace.compile`: compiles functions and decorated classes, and makes lazily compiled copies of modules and objects."""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, ParamSpec, TypeVar, overload

from astrace.compiler.compiled import Compiled
from astrace.compiler.stages import RECOMPILE_LIMIT, Options
from astrace.errors import InvalidArgument
from astrace.library.class_copy import can_copy, is_made_plainly, original_class
from astrace.library.compilable import is_compilable
from astrace.library.copies import copy_of, made_with, original
from astrace.library.lazy_graph import LazyGraph
from astrace.tracing.external.freezer import normalised
from astrace.tracing.values.special_methods import is_compiled
from astrace.util import events, validation
from astrace.util.validation import refused

P = ParamSpec("P")
R = TypeVar("R")
M = TypeVar("M", bound="types.ModuleType | type")


@overload
def compile(
    target: M,
    /,
    *,
    backend: str = "auto",
    fullgraph: bool = False,
    static_argnames: str | tuple[str, ...] = (),
    recompile_limit: int = RECOMPILE_LIMIT,
    freeze: str | tuple[str, ...] = (),
    exact: bool = True,
    parallel: bool = False,
) -> M: ...


@overload
def compile(
    target: Callable[P, R],
    /,
    *,
    backend: str = "auto",
    fullgraph: bool = False,
    static_argnames: str | tuple[str, ...] = (),
    recompile_limit: int = RECOMPILE_LIMIT,
    freeze: str | tuple[str, ...] = (),
    exact: bool = True,
    parallel: bool = False,
) -> Compiled[P, R]: ...


@overload
def compile(
    target: None = None,
    /,
    *,
    backend: str = "auto",
    fullgraph: bool = False,
    static_argnames: str | tuple[str, ...] = (),
    recompile_limit: int = RECOMPILE_LIMIT,
    freeze: str | tuple[str, ...] = (),
    exact: bool = True,
    parallel: bool = False,
) -> Callable[[Callable[P, R]], Compiled[P, R]]: ...


def compile(
    target: Any = None,
    /,
    *,
    backend: str = "auto",
    fullgraph: bool = False,
    static_argnames: str | tuple[str, ...] = (),
    recompile_limit: int = RECOMPILE_LIMIT,
    freeze: str | tuple[str, ...] = (),
    exact: bool = True,
    parallel: bool = False,
) -> Any:
    """Compile a function, so that it runs through its graph; of a library, a copy that does so lazily.

    Used as ``@compile``, ``@compile(fullgraph=True)`` or ``compile(target)``; takes functions, methods, static and
    class methods, partials, modules, classes and instances.  The copy of a module reads and changes the state of
    the module itself; that of a class is a subclass that passes for it; that of an instance shares its attributes.
    A class that is just being defined, as one that is decorated, is not copied: its methods are compiled in place.
    Each function of a copy, each method of a class is captured when it is first called.

    Args:
        target: what to compile; without it a decorator is given.
        backend: ``auto`` (machine code where it is faster, through Numba if that is installed), ``numpy`` (generated Python over NumPy
            alone), ``native`` (machine code at once) or ``jax`` (through XLA); all but ``jax`` give the plain function's bits.
        fullgraph: a call that would run anything as plain Python raises `NotCaptured` instead.
        static_argnames: parameters whose values are fixed for each specialisation.
        recompile_limit: how many specialisations are made before the plain function runs.
        freeze: reads from outside that are fixed as they are found first, such as ``"CFG['eps']"``; see `freeze`.
        exact: machine code gives the bits of the plain function; without it, floats that differ by a tolerance.
        parallel: machine code runs iterations that do not depend on each other in several threads.

    Returns:
        A `Compiled`, a copy, the class that is being defined, or a decorator.

    Raises:
        InvalidArgument: an option is wrong, or the target is nothing that can be compiled.

    Example:
        >>> import numpy as np
        >>> @compile
        ... def halve(x, limit):
        ...     while x > limit:
        ...         x = x / 2
        ...     return x
        >>> halve(np.float64(100), 30)
        np.float64(25.0)
        >>> halve.stats.traces
        1
    """
    events.configure()
    names = validation.names("compile", "static_argnames", static_argnames)
    frozen = map(normalised, validation.names("compile", "freeze", freeze))
    options = Options(
        backend, fullgraph, names, recompile_limit, tuple(frozen), exact=exact, parallel=parallel
    )
    if target is None:
        return functools.partial(compile_with, options=options)
    return compile_with(target, options)


def compile_with(target: Any, options: Options) -> Any:
    """Compile or copy something.

    Raises:
        InvalidArgument: it is nothing that can be compiled, or an option does not suit it.
    """
    if not is_copied(target):
        return compile_function(target, options)
    if made_with(target) == options:
        return target
    target = original(target)
    call = called_by(target)
    of_others = replace(options, static_argnames=(), freeze=())
    for name in ("static_argnames", "freeze"):
        if call is None and getattr(options, name):
            raise of_one_function("compile", name, target)
    if call is not None:
        check_names(call, options)
    return copy_of(
        target, lambda one: LazyGraph(one, options if one is call else of_others), made_with=options
    )


def called_by(target: Any) -> types.FunctionType | None:
    """Return the function that is compiled for calls of an instance, or ``None`` for modules and classes."""
    copied_whole = isinstance(target, types.ModuleType | type) or not callable(target)
    call = None if copied_whole else type(target).__call__
    return call if isinstance(call, types.FunctionType) and is_compilable(call) else None


def of_one_function(function: str, option: str, target: Any) -> InvalidArgument:
    """Return the error for an option for one function that is given with something that has many."""
    kinds = (
        (types.ModuleType, "a module"),
        (type, "a class"),
        (object, "an object with no `__call__` in Python"),
    )
    kind = next(words for cls, words in kinds if isinstance(target, cls))
    accepts = "accepted are functions and objects that are called; leave it out for the others"
    return InvalidArgument(f"{function}: {option} given with {kind}; {accepts}")


def is_copied(target: Any) -> bool:
    """Return whether compiling makes a copy: of a module, a class, an instance of a class written in Python."""
    if isinstance(target, types.ModuleType | type) or original_class(type(target)) is not type(target):
        return True
    return can_copy(type(target)) and is_made_plainly(type(target)) and not is_compiled(target)


def compile_function(function: Any, options: Options) -> Any:
    """Compile a callable; for a static or class method, the function inside it.

    Args:
        function: a function, a method, a partial or a callable object.
        options: how.

    Raises:
        InvalidArgument: it is a class or no callable at all, or an option names no parameter of it.
    """
    if isinstance(function, staticmethod | classmethod):
        kind = CompiledClassMethod if type(function) is classmethod and MUST_BIND else type(function)
        return kind(compile_function(function.__func__, options))
    compiled = Compiled(function, options)
    check_names(compiled, options)
    return compiled


MUST_BIND: Final = sys.version_info >= (3, 13)
"""Whether class methods bind what they hold as methods of Python's, and not as that wants to be bound."""


class CompiledClassMethod(classmethod):  # pyright: ignore[reportMissingTypeArgument]
    """A class method whose function is compiled, and has what a compiled function has where it is bound, too."""

    def __get__(self, instance: Any, owner: type | None = None, /) -> Any:
        return self.__func__.__get__(type(instance) if owner is None else owner)


def check_names(function: Callable[..., Any], options: Options) -> None:
    """Make sure that a function has the parameters that options name.

    Raises:
        InvalidArgument: it has not.
    """
    known = inspect.signature(function).parameters if options.static_argnames else ()
    for name in options.static_argnames:
        if name not in known:
            listed = ", ".join(map(repr, known)) or "none: there are no parameters"
            raise refused("compile", "static_argnames", name, f"accepted are {listed}")
