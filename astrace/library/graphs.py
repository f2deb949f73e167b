"""What `trace_graph` gives: a `Graph` that is captured already, a `LazyGraph` that is at its first call.

Both are called as the function is, with arguments of any kind: a call that no capture fits is captured anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ParamSpec, TypeVar

import numpy as np

from astrace.compiler import Compiled
from astrace.errors import InvalidArgument, NotCaptured
from astrace.explain import explain
from astrace.graph import Graph
from astrace.library.state import State, Stateful, state_of
from astrace.paths import Path
from astrace.stages import Entry, Options, Stages
from astrace.tracing.context import Note
from astrace.trees import map_tree

P = ParamSpec("P")
R = TypeVar("R")


class LazyGraph(Compiled[P, R]):
    """A function that is captured when it is first called; made by `trace_graph`.

    Args:
        function: the function, or a method, a partial, a callable object.
        options: how to capture it.
        stateful: the objects whose attributes are state.
        to: ``numpy`` converts arrays of other libraries that a call is given.
    """

    def __init__(
        self,
        function: Callable[P, R],
        options: Options,
        stateful: Stateful | None = None,
        to: str | None = None,
    ) -> None:
        self._stateful = stateful or Stateful()
        self._stateful_paths: tuple[Path, ...] = ()
        self._to = to
        super().__init__(function, options)

    @property
    def initialized(self) -> bool:
        """Whether a call has been captured, or found to be one that can't be."""
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
        state = state_of(stages, self._stateful_paths, self._stateful.instances)
        return GuardedGraph(**parts, compiled=self, stages=stages, state=state)

    def source(self, backend: str = "numpy") -> str:
        """The source of its graph for a backend."""
        return self.graph.source(backend)

    def _miss(self, arguments: dict[str, Any]) -> Any:
        if self._to == "numpy":
            arguments = {name: map_tree(as_numpy, value) for name, value in arguments.items()}
        return super()._miss(arguments)

    def _new(self, given: dict[str, Any]) -> Entry | None:
        self._stateful_paths = self._stateful.paths(self.__astrace_target__, given)
        return super()._new(given)

    def __repr__(self) -> str:
        state = "initialized" if self.initialized else "not initialized"
        return f"<LazyGraph of {self.__astrace_target__.name} ({state})>"


def as_numpy(value: Any) -> Any:
    """An array of another library as one of NumPy's; anything else as it is."""
    kind = type(value)
    foreign = hasattr(kind, "__array__") and hasattr(kind, "__array_namespace__")
    return np.asarray(value) if foreign and not isinstance(value, np.ndarray | np.generic) else value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GuardedGraph(Graph):
    """A graph that was captured for one call, and is for all: a call that its guards exclude is captured anew.

    Args:
        compiled: takes the calls; the graph is one of its captures.
        stages: the capture.
        state: the attributes that it reads and writes, of the objects that were named as stateful.
    """

    compiled: LazyGraph[..., Any]
    stages: Stages
    state: State

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it as the function is called."""
        return self.compiled(*args, **kwargs)

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """The function, which gives the graph its signature and source."""
        return self.compiled.__wrapped__

    @property
    def __name__(self) -> str:
        return self.name

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was captured as what, line by line."""
        return () if self.stages.recording is None else self.stages.recording.notes

    def explain(self) -> str:
        """The source with what became of each line."""
        function = self.compiled.__astrace_target__.function
        return explain(function, self.stages.recording, self.stages.graph, self.stages.fallback)

    def __str__(self) -> str:
        lines = [Graph.__str__(self)]
        lines += [f"  {label}: {', '.join(names)}" for label, names in self.state.shown() if names]
        return "\n".join(lines)
