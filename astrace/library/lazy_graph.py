"""Graphs that `trace_graph` gives: a `Graph` that is captured already, a `LazyGraph` that is at its first call.

Both are called as the function is, with arguments of any kind: a call that no capture fits is captured anew.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from astrace.compiler.compiled import Compiled, is_disabled
from astrace.compiler.explain import explain
from astrace.compiler.function_attributes import STATE
from astrace.compiler.graph import Graph
from astrace.compiler.stages import Entry, Options, Stages
from astrace.errors import InvalidArgument, NotCaptured
from astrace.guards.access_paths import Path
from astrace.library.array_conversion import Crossing, as_numpy
from astrace.library.graph_state import GraphState, Stateful, state_of
from astrace.tracing.notes import Note

if TYPE_CHECKING:
    from astrace.library.jax_graphs import ThroughJax

P = ParamSpec("P")
R = TypeVar("R")


OWN: Final = ("stateful",)
"""A lazy graph's own attributes, beside names with an underscore; every other attribute is the function's."""


class LazyGraph(Compiled[P, R]):
    """A function that is captured when it is first called; made by `trace_graph`.

    Its attributes are the function's: what is set on one is set on the other.

    Args:
        function: the function, or a method, a partial, a callable object.
        options: how to capture it.
        stateful: the objects whose attributes are state.
    """

    def __init__(
        self,
        function: Callable[P, R],
        options: Options,
        stateful: Stateful | None = None,
    ) -> None:
        self.stateful: Stateful = stateful or Stateful()
        self._stateful_paths: tuple[Path, ...] = ()
        self._to = options.to
        self._jax = self._through_jax(function, options) if options.to == "jax" else None
        super().__init__(function, options)
        for name in getattr(function, "__dict__", {}):  # they are read from the function
            if not name.startswith("__"):
                vars(self).pop(name, None)

    @property
    def initialized(self) -> bool:
        """True if a call has been captured, or found to be one that can't be."""
        return bool(self._entries)

    @property
    def _initialized(self) -> bool:
        return self.initialized

    @property
    def graph(self) -> GuardedGraph:
        """The graph of the first call that was captured.

        Raises:
            InvalidArgument: it has not been called yet.
            NotCaptured: it runs as plain Python; the reason says why.
        """
        name = self.__astrace_target__.name
        if not self._entries:
            raise InvalidArgument(
                f"`{name}` has not been called yet: a LazyGraph is captured at its first call"
            )
        captures = [entry.stages for entry in self._entries if entry.stages.fallback is None]
        return self.graph_of(captures[0] if captures else self._entries[0].stages)

    def graph_of(self, stages: Stages) -> GuardedGraph:
        """The graph of one capture.

        Raises:
            NotCaptured: there is none.
        """
        if stages.graph is None:
            assert stages.fallback is not None
            raise NotCaptured(stages.fallback)
        parts = {field.name: getattr(stages.graph, field.name) for field in fields(Graph)}
        state = state_of(stages, self._stateful_paths, self.stateful.instances)
        return GuardedGraph(**parts, compiled=self, stages=stages, state=state)

    def source(self, backend: str = "numpy") -> str:
        """The source of its graph for a backend."""
        return self.graph.source(backend)

    def stages(self, /, *args: P.args, **kwargs: P.kwargs) -> Stages:
        """Return what each stage makes of a call with these arguments; nothing of the function is run."""
        if self._to is None:
            return super().stages(*args, **kwargs)
        if self._jax is None:
            given = Crossing(as_numpy, as_numpy).into(args, kwargs)
        else:
            given = self._jax.example(args, kwargs)
        return super().stages(*given[0], **given[1])

    def lower(self, /, *args: P.args, **kwargs: P.kwargs) -> Any:
        """Lower it by ``jax.jit`` for such arguments, before XLA compiles it; see ``jax.stages.Lowered``.

        Raises:
            InvalidArgument: it does not run on JAX's arrays.
        """
        if self._jax is None:
            raise InvalidArgument(
                f"lower: `{self.__astrace_target__.name}` was traced with to={self._to!r}; accepted is 'jax'"
            )
        return self._jax.lower(self, args, kwargs)

    def _build(self) -> Callable[..., Any]:
        dispatch, through = super()._build(), self._jax
        if self._to is None or is_disabled():
            return dispatch
        if through is not None:
            return lambda *args, **kwargs: through.call(dispatch, args, kwargs)

        def call(*args: Any, **kwargs: Any) -> Any:
            crossing = Crossing(as_numpy, as_numpy)
            args, kwargs = crossing.into(args, kwargs)
            return crossing.back(dispatch(*args, **kwargs))

        return call

    def _through_jax(self, function: Callable[..., Any], options: Options) -> ThroughJax:
        """Return the runner of its calls through JAX; loads JAX."""
        module = importlib.import_module("astrace.library.jax_graphs")
        return module.ThroughJax(function, options, self.stages)

    def _new(self, given: dict[str, Any]) -> Entry | None:
        found = self.stateful.paths(self.__astrace_target__, given)
        self._stateful_paths = tuple(dict.fromkeys((*self._stateful_paths, *found)))
        return super()._new(given)

    def __getattr__(self, name: str) -> Any:
        if name in STATE:  # none of the function's: this one is not made yet
            raise AttributeError(name)
        return getattr(self.__astrace_function__, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_") or name in OWN:
            object.__setattr__(self, name, value)
        else:
            setattr(self.__astrace_function__, name, value)

    def __delattr__(self, name: str) -> None:
        if name in vars(self):
            object.__delattr__(self, name)
        else:
            delattr(self.__astrace_function__, name)

    def __reduce__(self) -> str | tuple[Any, ...]:
        named = super().__reduce__()
        return (
            named
            if isinstance(named, str)
            else (LazyGraph, (self.__astrace_function__, self._options, self.stateful))
        )

    def __repr__(self) -> str:
        state = "initialized" if self.initialized else "not initialized"
        return f"<LazyGraph of {self.__astrace_target__.name} ({state})>"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class GuardedGraph(Graph):
    """A graph that was captured for one call, and is for all: a call that its guards exclude is captured anew.

    Args:
        compiled: takes the calls; the graph is one of its captures.
        stages: the capture.
        state: the attributes that it reads and writes, of the objects that were named as stateful.
    """

    compiled: LazyGraph[..., Any]
    stages: Stages
    state: GraphState

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call it as the function is called."""
        return self.compiled(*args, **kwargs)

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """The function, which gives the graph its signature and source."""
        return self.compiled.__wrapped__

    @property
    def __name__(self) -> str:
        return self.name

    def lower(self, /, *args: Any, **kwargs: Any) -> Any:
        """Lower its function; see `LazyGraph.lower`."""
        return self.compiled.lower(*args, **kwargs)

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes of the capture, line by line."""
        return () if self.stages.recording is None else self.stages.recording.notes

    def explain(self) -> str:
        """Return the source with the outcome of each line."""
        function = self.compiled.__astrace_target__.function
        return explain(function, self.stages)

    def __reduce__(self) -> Any:
        """Pickle it as a lazy graph of the function, which captures anew where it is loaded."""
        return _itself, (self.compiled,)

    def __str__(self) -> str:
        lines = [Graph.__str__(self)]
        lines += [f"  {label}: {', '.join(names)}" for label, names in self.state.shown() if names]
        return "\n".join(lines)


def _itself(graph: Any) -> Any:
    return graph
