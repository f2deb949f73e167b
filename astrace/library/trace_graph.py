"""`trace_graph`: graphs of functions, and compiled copies of modules, classes and instances."""

from __future__ import annotations

import functools
import importlib.util
import inspect
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from astrace import events
from astrace.errors import InvalidArgument
from astrace.library.compiling import is_copied
from astrace.library.copies import copy_of
from astrace.library.graphs import LazyGraph
from astrace.library.state import Index, Stateful
from astrace.locations import caller
from astrace.stages import Options

ARRAYS: Final = ("numpy", "jax")
"""The libraries on whose arrays graphs can run."""


def trace_graph(
    *objs: Any,
    stateful: Sequence[Any] | None = None,
    arg_stateful_idxs: Sequence[Index] | None = None,
    kwarg_stateful_idxs: Sequence[Index] | None = None,
    to: str | None = None,
    include_generators: bool = True,
    array_caching: bool = True,
    return_backend_traced_fn: bool = False,
    static_argnums: int | Iterable[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
    args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    effects: str = "keep",
) -> Any:
    """Capture functions as graphs: now, if ``args`` or ``kwargs`` are given, else each at its first call.

    Nothing of the functions is done while they are captured.  A graph holds their real control flow and is called
    as they are, with arguments of any shape and type.

    Args:
        *objs: functions, methods, partials; of modules, classes and instances lazily compiled copies are given.
            Without any, a decorator.
        stateful: objects whose attributes are state that goes into the graph and comes out of it.
        arg_stateful_idxs: where more of them are among the positional arguments: ``[[0], [1, "cell"]]``.
        kwarg_stateful_idxs: where more of them are among the keyword arguments: ``[["cell"]]``.
        to: ``numpy`` or ``jax``: the graph runs on its arrays; those of other libraries that a call is given are
            converted, and arrays that come out are of that library.
        include_generators: array creation and random draws are nodes; else they are done once and baked in, with
            a note for each.
        array_caching: arrays that follow from constants alone are computed once, not at each call.
        return_backend_traced_fn: the graph is compiled by ``jax.jit``, or `NotCaptured` is raised; ``to`` is ``jax``.
        static_argnums: positions of parameters whose values are fixed for each capture.
        static_argnames: names of such parameters.
        args: positional arguments to capture a call with.
        kwargs: keyword arguments to capture a call with.
        effects: ``keep``; ``drop`` leaves out prints, logging and unused code that might raise.

    Returns:
        A `Graph`, a `LazyGraph` or a copy; a tuple of them for several objects.

    Raises:
        InvalidArgument: an option is wrong; the message names those that are accepted, and your line.
        NotCaptured: a function runs as plain Python for the given arguments; the reason says where and why.

    Example:
        >>> import numpy as np
        >>> def power(x, y):
        ...     z = x**y
        ...     print(z)
        ...     return z
        >>> graph = trace_graph(power, args=(np.arange(3), 2), effects="drop")
        >>> print(graph.block)
        block(x: int64[n], y: int):
          z: int64[n] = pow(x, y)                                     #@2
          -> z
        >>> graph(np.array([[1.5]]), 2)
        array([[2.25]])
        >>> trace_graph(power)
        <LazyGraph of power (not initialized)>
    """
    _check(to, return_backend_traced_fn)
    events.configure()
    to = "jax" if return_backend_traced_fn else to
    settings = _Settings(
        Options(
            "jax" if to == "jax" else "auto",
            fullgraph=return_backend_traced_fn,
            effects=effects,
            array_caching=array_caching,
            include_generators=include_generators,
            native=return_backend_traced_fn,
            to=to,
        ),
        Stateful(tuple(stateful or ()), tuple(arg_stateful_idxs or ()), tuple(kwarg_stateful_idxs or ())),
        (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums or ()),
        (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames or ()),
    )
    given = None if args is None and kwargs is None else _Call(tuple(args or ()), dict(kwargs or {}))
    if not objs:
        return functools.partial(_traced, settings=settings, given=given)
    found = tuple(_traced(one, settings, given) for one in objs)
    return found[0] if len(found) == 1 else found


@dataclass(frozen=True, slots=True)
class _Settings:
    """What a graph is to be like."""

    options: Options
    stateful: Stateful
    static_argnums: tuple[int, ...]
    static_argnames: tuple[str, ...]

    def lazy(self, function: Callable[..., Any]) -> LazyGraph[..., Any]:
        """The lazy graph of a function.

        Raises:
            InvalidArgument: it has no such parameters.
        """
        names = (
            [*inspect.signature(function).parameters] if self.static_argnums or self.static_argnames else []
        )
        chosen = dict.fromkeys(self.static_argnames)
        for number in self.static_argnums:
            if not -len(names) <= number < len(names):
                raise _wrong("static_argnums", number, [*range(len(names))])
            chosen[names[number]] = None
        for name in self.static_argnames:
            if name not in names:
                raise _wrong("static_argnames", name, names)
        return LazyGraph(function, replace(self.options, static_argnames=tuple(chosen)), self.stateful)


@dataclass(frozen=True, slots=True)
class _Call:
    """The call to capture."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


def _traced(target: Any, settings: _Settings, given: _Call | None) -> Any:
    """The graph or the copy of one object."""
    if not is_copied(target):
        lazy = settings.lazy(target)
        return lazy if given is None else lazy.graph_of(lazy.stages(*given.args, **given.kwargs))
    made = copy_of(target, settings.lazy)
    if given is None:
        return made
    if isinstance(target, types.ModuleType | type) or not callable(target):
        what = (
            "a module"
            if isinstance(target, types.ModuleType)
            else "a class or an object that can't be called"
        )
        raise InvalidArgument(
            f"trace_graph: args and kwargs are given with {what}; leave them out{_at_caller()}"
        )
    made.stages(*given.args, **given.kwargs)
    return made


def _check(to: str | None, native: bool) -> None:
    """Refuse backends that there are not.

    Raises:
        InvalidArgument: one of the options asks for one.
    """
    if to is not None and to not in ARRAYS:
        raise _wrong("to", to, [*ARRAYS, None])
    if native and to == "numpy":
        raise _wrong("return_backend_traced_fn", native, [False], "; NumPy has no compiler of its own")
    if (native or to == "jax") and importlib.util.find_spec("jax") is None:
        raise InvalidArgument(f"trace_graph: JAX is not installed; install astrace[jax]{_at_caller()}")


def _wrong(option: str, value: Any, accepted: Iterable[Any], more: str = "") -> InvalidArgument:
    """An option with a value that is not accepted."""
    values = ", ".join(map(repr, accepted))
    return InvalidArgument(f"trace_graph: {option}={value!r}; accepted are {values}{more}{_at_caller()}")


def _at_caller() -> str:
    where = caller()
    return "" if where is None else f"\n  at {where}"
