"""The compiled form of a watched function; loaded with the compiler, when the first function is captured."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator
from time import thread_time_ns
from typing import Any, Final, TypeAlias

from astrace.compiler.compiled import Compiled
from astrace.compiler.stages import Entry, Options, Stages
from astrace.ir.walk import nodes
from astrace.util.capture_budget import Budget
from astrace.util.own_work import loading_time

CALLS: Final = ("call", "call_spread", "call_mapping", "call_method")
"""Ops by which a graph calls opaque code, which may call the function again."""


Told: TypeAlias = Callable[[int, int, Iterable[types.FunctionType]], None]


class WatchedCompiled(Compiled[..., Any]):
    """The compiled form of a watched function.

    Args:
        function: the function, without its stub.
        options: those of its hook.
        told: told after each capture: the nanoseconds of the processor that it took, those in which modules were loaded for it,
            which the next capture does not need, and the functions whose calls it leaves.
        time_left: gives the seconds that the next capture may take before it is put off; ``None`` for any.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        options: Options,
        told: Told,
        time_left: Callable[[], float | None],
    ) -> None:
        self._told = told
        self._time_left = time_left
        super().__init__(function, options)

    def _new(self, given: dict[str, Any]) -> Entry | None:
        started, loaded = thread_time_ns(), loading_time()
        found = super()._new(given)
        loading = loading_time() - loaded
        self._told(thread_time_ns() - started - loading, loading, callees(self.captures[-1:]))
        return found

    def _budget(self) -> Budget:
        budget, left = super()._budget(), self._time_left()
        return budget if left is None else budget.shortened(left)

    @property
    def is_put_off(self) -> bool:
        """True if the last capture was broken off since the program has not run for long enough yet."""
        return self._unfinished is not None and self._unfinished.put_off

    @property
    def makes_no_calls(self) -> bool:
        """True if no capture so far calls anything outside, so that none can lead back to the function."""
        return all(map(_makes_no_calls, self.captures))


def _makes_no_calls(stages: Stages) -> bool:
    graph = stages.graph
    return graph is not None and not any(node.op in CALLS for node in nodes(graph.block))


def callees(captures: Iterable[Stages]) -> Iterator[types.FunctionType]:
    """The Python functions whose calls some captures leave."""
    for stages in captures:
        recording = stages.recording
        for reason in (*recording.plain_calls, *recording.graph_calls) if recording is not None else ():
            function = None if reason.callee is None else reason.callee()
            if isinstance(function, types.FunctionType):
                yield function
