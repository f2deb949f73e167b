"""START HERE: `compile` turns a function into a `Compiled`, which runs it through its graph.

A call goes through four stages, each a value that can be printed (`Compiled.stages`)::

    rewritten  = rewrite(function)                     source → source
    recording  = trace(function, arguments, rewrite)   calls → block
    block      = passes.run(recording.block)           block → block
    executable = backend.compile_block(block)          block → source → callable

The result is kept as a specialisation: a run with the guards under which it is valid.  A hot call finds its
specialisation in generated straight-line code (``dispatch``); a call that none fits traces again, up to a
limit; a function that can't be captured runs as the plain Python it is, with its reason.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import os
import threading
import types
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, ParamSpec, TypeVar, cast, overload

from astrace import events, passes
from astrace.backends import numpy as numpy_backend
from astrace.backends.base import Executable
from astrace.dispatch import Specialisation, arguments_given, build_dispatcher
from astrace.errors import InvalidArgument, NotCaptured, Reason
from astrace.explain import explain
from astrace.graph import Graph
from astrace.guards import Fits, Guard, HasType, current, holds
from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec, spec_of
from astrace.paths import Argument
from astrace.rewrite.pipeline import Rewritten, rewrite
from astrace.tracing.context import CURRENT
from astrace.tracing.stops import Uncapturable
from astrace.tracing.trace import Recording, trace
from astrace.tracing.tracer import Tracer

P = ParamSpec("P")
R = TypeVar("R")

BACKENDS: Final = ("auto", "numpy")
RECOMPILE_LIMIT: Final = 8


class RecompileLimit(RuntimeWarning):
    """A function was specialised so often that it runs as plain Python from now on."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to compile.

    Args:
        backend: ``auto`` or ``numpy``.
        fullgraph: raise `NotCaptured` where plain Python would run.
        static_argnames: parameters whose values are fixed for each specialisation.
        recompile_limit: how many specialisations are made before the plain function runs.
    """

    backend: str = "auto"
    fullgraph: bool = False
    static_argnames: tuple[str, ...] = ()
    recompile_limit: int = RECOMPILE_LIMIT


@dataclass(frozen=True, slots=True)
class Stats:
    """What a compiled function has done so far.

    Args:
        calls: how often it was called.
        traces: how often it was captured.
        guard_failures: how often no specialisation fitted although there were some.
        fallbacks: how many calls ran as plain Python.
    """

    calls: int
    traces: int
    guard_failures: int
    fallbacks: int


@dataclass(frozen=True, slots=True)
class Stages:
    """The stages of one capture; each prints itself.

    Args:
        rewritten: the function with its control flow as calls of operators.
        recording: what the trace wrote down.
        graph: the block after the passes, with its signature and guards.
        executable: the generated source and its function.
        fallback: why the plain function runs instead; ``None`` where it does not.
    """

    rewritten: Rewritten
    recording: Recording | None = None
    graph: Graph | None = None
    executable: Executable | None = None
    fallback: Reason | None = None

    def __str__(self) -> str:
        if self.fallback is not None:
            return str(self.fallback)
        return "\n\n".join(map(str, (self.rewritten, self.graph, self.executable)))


@dataclass(slots=True)
class Entry:
    """One specialisation of a compiled function, with its stages."""

    specialisation: Specialisation
    stages: Stages


class Compiled(Generic[P, R]):
    """A function that runs through its graph; made by `compile`.

    It is called as the function is, and keeps its name, signature, documentation and hints.
    """

    def __init__(self, function: Callable[P, R], options: Options) -> None:
        self.__wrapped__ = function
        functools.update_wrapper(self, function)
        self._function, self._bound, self._keywords = _plain_function(function)
        self.__astrace_function__ = function
        self._options = options
        self._signature = inspect.signature(self._function)
        self._lock = threading.RLock()
        self._entries: list[Entry] = []
        self._counter = itertools.count()
        self._traces = self._misses = self._fallbacks = 0
        self._retired = False
        self._dispatch = self._build()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function."""
        return self._dispatch(*args, **kwargs)

    # -- looking inside ------------------------------------------------------------------------------

    @property
    def stats(self) -> Stats:
        """How often the function was called, traced, re-traced, and left to plain Python."""
        calls = self._counter.__reduce__()[1][0]
        return Stats(cast(int, calls), self._traces, self._misses, self._fallbacks)

    def stages(self, *args: P.args, **kwargs: P.kwargs) -> Stages:
        """What each stage makes of a call with these arguments; nothing of the function is run."""
        return self._entry(self._bind(args, kwargs)).stages

    def explain(self, *args: P.args, **kwargs: P.kwargs) -> str:
        """The source with, line by line, what was captured as what, read afresh, guarded or left plain."""
        stages = self.stages(*args, **kwargs)
        return explain(self._function, stages.recording, stages.graph, stages.fallback)

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        bound = self._signature.bind(*self._bound, *args, **{**self._keywords, **kwargs}).arguments
        for name, parameter in self._signature.parameters.items():
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                bound.setdefault(name, ())
            elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
                bound.setdefault(name, {})
        return dict(bound)

    # -- specialisations -----------------------------------------------------------------------------

    def _build(self) -> Callable[..., Any]:
        """The dispatcher over what there is."""
        if _disabled() or self._retired:
            return self._plain_dispatch()
        dispatch = build_dispatcher(
            self._signature,
            self._function.__qualname__,
            [entry.specialisation for entry in self._entries],
            self._miss,
            self._counter.__next__,
        )
        if self._bound or self._keywords:
            return functools.partial(dispatch, *self._bound, **self._keywords)
        return dispatch

    def _plain_dispatch(self) -> Callable[..., Any]:
        function, tick = self.__wrapped__, self._counter.__next__

        def plain(*args: Any, **kwargs: Any) -> Any:
            tick()
            return function(*args, **kwargs)

        return plain

    def _miss(self, arguments: dict[str, Any]) -> Any:
        """The slow path: no specialisation fits yet."""
        given = arguments_given(arguments)
        if any(isinstance(value, Tracer) for value in given.values()):
            return self._inline(given)
        entry = self._entry(given)
        inputs = [path.follow(given) for path in entry.specialisation.inputs]
        return entry.specialisation.run(*inputs)

    def _inline(self, given: Mapping[str, Any]) -> Any:
        """A call from unrewritten code inside another trace: the function becomes part of that graph."""
        outer = CURRENT.get()
        assert outer is not None
        args, kwargs = _call_arguments(self._signature, given)
        return outer.operators.call(self._function, *args, **kwargs)

    def _entry(self, given: dict[str, Any]) -> Entry:
        """The specialisation for a call; made if there is none."""
        with self._lock:
            for entry in self._entries:
                if _fits(entry.specialisation, given):
                    return entry
            if self._entries:
                self._misses += 1
                self._tell_miss(given)
            entry = self._specialise(given)
            if len(self._entries) < self._options.recompile_limit:
                self._entries.append(entry)
                self._dispatch = self._build()
            return entry

    def _specialise(self, given: dict[str, Any]) -> Entry:
        """Run the four stages for one call's arguments."""
        rewritten = rewrite(self._function)
        if len(self._entries) >= self._options.recompile_limit:
            return self._retire(rewritten, given)
        self._traces += 1
        try:
            recording = trace(self._function, given, rewrite, static=self._options.static_argnames)
            if self._options.fullgraph and recording.plain_calls:
                raise NotCaptured(recording.plain_calls[0])
        except Uncapturable as stop:
            return self._fallback(rewritten, stop.reason, _argument_guards(given), given)
        block = passes.run(recording.block, check=bool(os.environ.get("ASTRACE_DEBUG")))
        paths = tuple(item.path for item in recording.inputs)
        name = self._function.__name__
        graph = Graph(name, self._signature, block, recording.result, paths, recording.guards)
        code = self._function.__code__
        executable = numpy_backend.compile_block(block, recording.result, name, code.co_filename)
        events.emit("graph", f"graph of {name}", graph)
        events.emit("source", f"source of {name}", executable)
        inputs = tuple(paths[index] for index in executable.used)
        specialisation = Specialisation(recording.guards, self._omitted(given), inputs, executable.function)
        return Entry(specialisation, Stages(rewritten, recording, graph, executable))

    def _omitted(self, given: Mapping[str, Any]) -> frozenset[str]:
        """The parameters of a call whose defaults were taken."""
        return frozenset(name for name in self._signature.parameters if name not in given)

    # -- plain Python --------------------------------------------------------------------------------

    def _fallback(
        self, rewritten: Rewritten, reason: Reason, guards: tuple[Guard, ...], given: Mapping[str, Any]
    ) -> Entry:
        """A specialisation that runs the plain function."""
        if self._options.fullgraph:
            raise NotCaptured(reason)
        events.emit("fallback", f"{self._function.__qualname__} runs as plain Python", reason)
        names = tuple(self._signature.parameters)
        paths = tuple(Argument(name) for name in names if name in given)

        def run(*values: Any) -> Any:
            self._fallbacks += 1
            found = dict(zip((path.name for path in paths), values, strict=True))
            args, kwargs = _call_arguments(self._signature, found)
            return self._function(*args, **kwargs)

        specialisation = Specialisation(guards, self._omitted(given), paths, run)
        return Entry(specialisation, Stages(rewritten, fallback=reason))

    def _retire(self, rewritten: Rewritten, given: Mapping[str, Any]) -> Entry:
        """The limit is reached: run the plain function from now on, and say so once."""
        cause = self._failing_guard(given)
        message = f"`{self._function.__qualname__}` was specialised {len(self._entries)} times: {cause}"
        reason = Reason(
            "AT207", message, None, "pass what changes as an array or a number, or raise `recompile_limit`"
        )
        if not self._retired:
            self._retired = True
            self._dispatch = self._plain_dispatch()
            warnings.warn(RecompileLimit(str(reason)), stacklevel=4)
        return self._fallback(rewritten, reason, (), given)

    def _tell_miss(self, given: Mapping[str, Any]) -> None:
        events.emit(
            "recompiles", f"{self._function.__qualname__} is traced again", self._failing_guard(given)
        )

    def _failing_guard(self, given: Mapping[str, Any]) -> str:
        """The first guard of the newest specialisation that does not hold."""
        specialisation = self._entries[-1].specialisation
        for guard in specialisation.guards:
            if not holds(guard, given):
                return f"{guard}, now {current(guard, given)}"
        return "another set of arguments"

    # -- being a function ------------------------------------------------------------------------------

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else BoundCompiled(self, instance)

    def __reduce__(self) -> str:
        return getattr(self.__wrapped__, "__qualname__", repr(self.__wrapped__))

    def __repr__(self) -> str:
        return f"<compiled {self.__wrapped__!r}>"


class BoundCompiled:
    """A compiled method, bound to an instance."""

    def __init__(self, compiled: Compiled[..., Any], instance: Any) -> None:
        self.__func__ = compiled
        self.__self__ = instance
        self.__wrapped__ = compiled.__wrapped__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the method."""
        return self.__func__(self.__self__, *args, **kwargs)

    @property
    def stats(self) -> Stats:
        """As of the function, for all instances."""
        return self.__func__.stats

    def stages(self, *args: Any, **kwargs: Any) -> Stages:
        """As of the function, for this instance."""
        return self.__func__.stages(self.__self__, *args, **kwargs)

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """As of the function, for this instance."""
        return self.__func__.explain(self.__self__, *args, **kwargs)


def _plain_function(function: Any) -> tuple[types.FunctionType, tuple[Any, ...], dict[str, Any]]:
    """The Python function behind a callable, and the arguments it is called with by the callable itself."""
    if isinstance(function, types.FunctionType):
        return function, (), {}
    if isinstance(function, types.MethodType) and isinstance(function.__func__, types.FunctionType):
        return function.__func__, (function.__self__,), {}
    if isinstance(function, functools.partial):
        inner, args, keywords = _plain_function(function.func)
        return inner, (*args, *function.args), {**keywords, **function.keywords}
    call: object = type(function).__call__ if callable(function) else None
    if isinstance(call, types.FunctionType):
        return call, (function,), {}
    raise InvalidArgument(f"compile: {function!r} is not written in Python; there is nothing to capture")


def _disabled() -> bool:
    return os.environ.get("ASTRACE_DISABLE", "") not in ("", "0")


def _fits(specialisation: Specialisation, given: Mapping[str, Any]) -> bool:
    if any(name in given for name in specialisation.omitted):
        return False
    return all(holds(guard, given) for guard in specialisation.guards)


def _argument_guards(given: Mapping[str, Any]) -> tuple[Guard, ...]:
    """What the arguments of a call that can't be captured have in common with later ones: their types."""
    guards: list[Guard] = []
    for name, value in given.items():
        spec = spec_of(value)
        if isinstance(spec, ArraySpec):
            spec = ArraySpec((None,) * len(spec.shape), spec.dtype)
        numeric = isinstance(spec, ArraySpec | GenericSpec | ScalarSpec)
        guards.append(Fits(Argument(name), spec) if numeric else HasType(Argument(name), type(value)))
    return tuple(guards)


def _call_arguments(
    signature: inspect.Signature, found: Mapping[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Positional and keyword arguments for values by parameter name."""
    bound = inspect.BoundArguments(signature, dict(found))  # type: ignore[arg-type]
    return bound.args, bound.kwargs


# -- compile -----------------------------------------------------------------------------------------------


@overload
def compile(
    function: Callable[P, R],
    /,
    *,
    backend: str = "auto",
    fullgraph: bool = False,
    static_argnames: str | tuple[str, ...] = (),
    recompile_limit: int = RECOMPILE_LIMIT,
) -> Compiled[P, R]: ...


@overload
def compile(
    function: None = None,
    /,
    *,
    backend: str = "auto",
    fullgraph: bool = False,
    static_argnames: str | tuple[str, ...] = (),
    recompile_limit: int = RECOMPILE_LIMIT,
) -> Callable[[Callable[P, R]], Compiled[P, R]]: ...


def compile(
    function: Any = None,
    /,
    *,
    backend: str = "auto",
    fullgraph: bool = False,
    static_argnames: str | tuple[str, ...] = (),
    recompile_limit: int = RECOMPILE_LIMIT,
) -> Any:
    """Compile a function, so that it runs through its graph.

    Used as ``@compile``, ``@compile(fullgraph=True)`` or ``compile(function)``; takes functions, methods,
    static and class methods, partials and callable objects.

    Args:
        function: what to compile; without it a decorator is given.
        backend: ``auto`` (the best one) or ``numpy``.
        fullgraph: raise `NotCaptured` instead of running anything as plain Python.
        static_argnames: parameters whose values are fixed for each specialisation.
        recompile_limit: how many specialisations are made before the plain function runs.

    Returns:
        A `Compiled`, or a decorator that makes one.

    Raises:
        InvalidArgument: an option is wrong, or the callable is not written in Python.

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
    options = Options(backend, fullgraph, names, recompile_limit)
    _check_options(options)
    if function is None:
        return functools.partial(_compile, options=options)
    return _compile(function, options)


def _check_options(options: Options) -> None:
    if options.backend not in BACKENDS:
        raise InvalidArgument(f"compile: backend {options.backend!r}; accepted are {', '.join(BACKENDS)}")
    if options.recompile_limit < 1:
        raise InvalidArgument(f"compile: recompile_limit {options.recompile_limit}; it must be at least 1")


def _compile(function: Any, options: Options) -> Any:
    """Compile what is inside a static or class method; anything else is compiled itself."""
    if isinstance(function, staticmethod | classmethod):
        return type(function)(_compile(function.__func__, options))
    if isinstance(function, Compiled):
        return Compiled(function.__wrapped__, options)
    if not callable(function):
        raise InvalidArgument(f"compile: {function!r} is not callable")
    if inspect.isclass(function) or isinstance(function, types.ModuleType):
        raise InvalidArgument(f"compile: {function!r} is a class; compile its methods")
    for name in options.static_argnames:
        if name not in inspect.signature(function).parameters:
            raise InvalidArgument(f"compile: {function!r} has no parameter {name!r}")
    return Compiled(function, options)
