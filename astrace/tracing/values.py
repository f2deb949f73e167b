"""Trace-level objects that are neither tracers nor the user's: lazy iterables, methods of tracers.

They exist only while tracing.  One that is needed as a value becomes the node that makes it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from astrace.tracing.context import Trace
from astrace.tracing.lifting import Lazy
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer


@dataclass(frozen=True, slots=True, eq=False)
class TracedRange(Lazy):
    """``range(start, stop, step)`` with a bound that is traced, or any range that a loop iterates over."""

    start: Any
    stop: Any
    step: Any

    def materialize(self, trace: Trace) -> Tracer:
        """The range as a value."""
        return record(trace, "range", (self.start, self.stop, self.step))

    def item(self, trace: Trace, key: Any) -> Any:
        """``range(…)[key]``."""
        return record(trace, "get_item", (self.materialize(trace), key))


@dataclass(frozen=True, slots=True, eq=False)
class TracedEnumerate(Lazy):
    """``enumerate(inner, start)``."""

    inner: Any
    start: Any

    def materialize(self, trace: Trace) -> Tracer:
        """The iterator as a value."""
        return record(trace, "enumerate", (self.inner, self.start))


@dataclass(frozen=True, slots=True, eq=False)
class TracedZip(Lazy):
    """``zip(*parts, strict=strict)``."""

    parts: tuple[Any, ...]
    strict: bool

    def materialize(self, trace: Trace) -> Tracer:
        """The iterator as a value."""
        return record(trace, "zip", self.parts, {"strict": True} if self.strict else {})


@dataclass(frozen=True, slots=True, eq=False)
class TracedReversed(Lazy):
    """``reversed(inner)``."""

    inner: Any

    def materialize(self, trace: Trace) -> Tracer:
        """The iterator as a value."""
        return record(trace, "reversed", (self.inner,))


@dataclass(frozen=True, slots=True, eq=False)
class Stream(Lazy):
    """A generator, a generator expression, ``map``, ``filter``: items handed out one after the other.

    Args:
        run: hands each item to the function it is given; that function tells whether it has had enough.
        value: makes the real iterator, for code out of sight; ``None`` where the items must be listed.
    """

    run: Callable[[Callable[[Any], Any]], Any]
    value: Callable[[Trace], Tracer] | None = None

    def materialize(self, trace: Trace) -> Tracer:
        """A real iterator over the items."""
        if self.value is not None:
            return self.value(trace)
        return record(trace, "iter", (trace.operators.collect(self),))


@dataclass(frozen=True, slots=True, eq=False)
class ArrayMethod:
    """A method of an array or NumPy scalar that is an op."""

    owner: Tracer
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class TracedMethod:
    """A method of any other traced value."""

    owner: Tracer
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Manager:
    """A call of a function made by ``contextlib.contextmanager``: its body runs around a ``with``."""

    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
