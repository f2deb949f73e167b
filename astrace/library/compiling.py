"""`astrace.compile`: a function is compiled, a module, a class or an instance gets a lazily compiled copy."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, overload

from astrace import events
from astrace.compiler import Compiled, compile_function
from astrace.errors import InvalidArgument
from astrace.freezing import normalised
from astrace.library.classes import can_copy
from astrace.library.copies import copy_of
from astrace.library.graphs import LazyGraph
from astrace.stages import RECOMPILE_LIMIT, Options
from astrace.tracing.objects import is_compiled

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
) -> Any:
    """Compile a function, so that it runs through its graph; of a library, a copy that does so lazily.

    Used as ``@compile``, ``@compile(fullgraph=True)`` or ``compile(target)``; takes functions, methods, static and
    class methods, partials, modules, classes and instances.  The copy of a module reads and changes the state of
    the module itself; that of a class is a subclass that passes for it; that of an instance shares its attributes.
    Each function of a copy is captured when it is first called.

    Args:
        target: what to compile; without it a decorator is given.
        backend: ``auto`` (the best one), ``numpy`` (exact to the bit) or ``jax`` (through XLA).
        fullgraph: a call that would run anything as plain Python raises `NotCaptured` instead.
        static_argnames: parameters whose values are fixed for each specialisation.
        recompile_limit: how many specialisations are made before the plain function runs.
        freeze: reads from outside that are fixed as they are found first, such as ``"CFG['eps']"``; see `freeze`.

    Returns:
        A `Compiled`, a copy, or a decorator.

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
    names = (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames)
    frozen = (freeze,) if isinstance(freeze, str) else tuple(freeze)
    options = Options(backend, fullgraph, names, recompile_limit, tuple(map(normalised, frozen)))
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
    if options.static_argnames:
        raise InvalidArgument(
            "compile: static_argnames are the parameters of one function; compile it by itself"
        )
    return copy_of(target, lambda function: LazyGraph(function, options))


def is_copied(target: Any) -> bool:
    """Whether compiling something means to copy it: a module, a class, an instance of a class written in Python."""
    if isinstance(target, types.ModuleType | type):
        return True
    return can_copy(type(target)) and not is_compiled(target)
