"""`trace_graph`: graphs of functions, and compiled copies of modules, classes and instances."""

from __future__ import annotations

import functools
import importlib.util
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from astrace.api.compile import called_by, is_copied, of_one_function
from astrace.compiler.stages import EFFECTS, Options, Stages
from astrace.compiler.target import Target
from astrace.errors import InvalidArgument
from astrace.library.copies import ACCEPTED, copy_of, original
from astrace.library.graph_state import Index, Stateful
from astrace.library.lazy_graph import LazyGraph
from astrace.util import events, validation

NAME: Final = "trace_graph"
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
    native = validation.flag(NAME, "return_backend_traced_fn", return_backend_traced_fn)
    _check_backend(to, native)
    events.configure()
    to = "jax" if native else to
    settings = _Settings(
        Options(
            "jax" if to == "jax" else "auto",
            fullgraph=native,
            effects=validation.choice(NAME, "effects", effects, EFFECTS),
            array_caching=validation.flag(NAME, "array_caching", array_caching),
            include_generators=validation.flag(NAME, "include_generators", include_generators),
            native=native,
            to=to,
        ),
        Stateful.given(stateful, arg_stateful_idxs, kwarg_stateful_idxs),
        validation.positions(NAME, "static_argnums", static_argnums),
        validation.names(NAME, "static_argnames", static_argnames),
    )
    given = None if args is None and kwargs is None else _Call.given(args, kwargs)
    if not objs:
        return functools.partial(_traced, settings=settings, given=given)
    found = tuple(_traced(one, settings, given) for one in objs)
    return found[0] if len(found) == 1 else found


@dataclass(frozen=True, slots=True)
class _Settings:
    """The options of a graph.

    Args:
        options: how it is captured.
        stateful: the objects whose attributes are state.
        static_argnums: positions of static parameters.
        static_argnames: their names.
        skipped: how many parameters a function has before those that a call is given.
    """

    options: Options
    stateful: Stateful
    static_argnums: tuple[int, ...]
    static_argnames: tuple[str, ...]
    skipped: int = 0

    def lazy(self, function: Callable[..., Any]) -> LazyGraph[..., Any]:
        """The lazy graph of a function.

        Raises:
            InvalidArgument: it has no such parameters.
        """
        stateful = replace(self.stateful, skipped=self.skipped)
        made = LazyGraph(function, self.options, stateful)
        stateful.check(made.__astrace_target__)
        chosen = self._static(function)
        if not chosen:
            return made
        return LazyGraph(function, replace(self.options, static_argnames=chosen), stateful)

    def _static(self, function: Callable[..., Any]) -> tuple[str, ...]:
        """The names of the static parameters."""
        if not self.static_argnums and not self.static_argnames:
            return ()
        known = [*inspect.signature(function).parameters][self.skipped :]
        chosen = dict.fromkeys(self.static_argnames)
        for number in self.static_argnums:
            if not -len(known) <= number < len(known):
                raise _wrong("static_argnums", number, range(len(known)))
            chosen[known[number]] = None
        for name in self.static_argnames:
            if name not in known:
                raise _wrong("static_argnames", name, known)
        return tuple(chosen)

    @property
    def of_one_function(self) -> tuple[str, ...]:
        """The options that were given and that speak of the parameters of one function."""
        spoken = {
            "arg_stateful_idxs": self.stateful.arguments,
            "kwarg_stateful_idxs": self.stateful.keywords,
            "static_argnums": self.static_argnums,
            "static_argnames": self.static_argnames,
        }
        return tuple(name for name, value in spoken.items() if value)

    def of_others(self) -> _Settings:
        """The same for functions that these options do not speak of."""
        return _Settings(self.options, Stateful(self.stateful.instances), (), ())


@dataclass(frozen=True, slots=True)
class _Call:
    """The call to capture."""

    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]

    @staticmethod
    def given(args: Any, kwargs: Any) -> _Call:
        """The call that the options describe.

        Raises:
            InvalidArgument: they are no positional and keyword arguments.
        """
        if args is not None and not isinstance(args, list | tuple):
            raise validation.refused(
                NAME, "args", args, "accepted is a list or tuple of positional arguments"
            )
        named = kwargs is None or isinstance(kwargs, Mapping)
        if not named or not all(isinstance(name, str) for name in kwargs or ()):
            raise validation.refused(NAME, "kwargs", kwargs, "accepted is a dict of arguments by name")
        return _Call(tuple(args or ()), dict(kwargs or {}))

    def captured(self, lazy: Any, *first: Any) -> Stages:
        """The stages of a capture of this call.

        Raises:
            InvalidArgument: the function can't be called so.
        """
        target: Target = lazy.__astrace_target__
        try:
            given = target.bind((*first, *self.args), self.kwargs)
        except TypeError as error:
            raise InvalidArgument(f"{NAME}: args and kwargs do not fit `{target.name}`: {error}") from None
        lazy.stateful.require(target, given)
        return lazy.stages(*first, *self.args, **self.kwargs)


def _traced(target: Any, settings: _Settings, given: _Call | None) -> Any:
    """The graph or the copy of one object."""
    if not is_copied(target):
        if not callable(target):
            raise InvalidArgument(f"{NAME}: {validation.shown(target)} is not callable; {ACCEPTED}")
        lazy = settings.lazy(target)
        return lazy if given is None else lazy.graph_of(given.captured(lazy))
    target = original(target)
    call = called_by(target)
    asked = settings.of_one_function + ("args and kwargs",) * (given is not None)
    if call is None and asked:
        raise of_one_function(NAME, asked[0], target)
    own, others = replace(settings, skipped=1), settings.of_others()
    made = copy_of(target, lambda one: (own if one is call else others).lazy(one), NAME)
    if given is not None:
        lazy: Any = type(made).__call__
        lazy.graph_of(given.captured(lazy, made))
    return made


def _check_backend(to: Any, native: bool) -> None:
    """Refuse backends that there are not.

    Raises:
        InvalidArgument: one of the options asks for one.
    """
    validation.choice(NAME, "to", to, (*ARRAYS, None))
    if native and to == "numpy":
        words = "accepted is False with to='numpy'; NumPy has no compiler of its own"
        raise validation.refused(NAME, "return_backend_traced_fn", native, words)
    if (native or to == "jax") and importlib.util.find_spec("jax") is None:
        raise InvalidArgument(f"{NAME}: JAX is not installed; install astrace[jax]")


def _wrong(option: str, value: Any, known: Iterable[Any]) -> InvalidArgument:
    """An option that names no parameter."""
    listed = ", ".join(map(repr, known))
    words = f"accepted are {listed}" if listed else "there are no parameters"
    return validation.refused(NAME, option, value, words)
