"""``StopIteration`` where items are made one by one: it ends a ``map`` early, and is an error in a generator.

What makes an item is traced around what takes it, so an exception of one would pass through the other.  Python
itself tells them apart, so a function that may raise ``StopIteration`` while it makes an item is left to it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from astrace.errors import Reason
from astrace.ir.specs import class_of
from astrace.locations import Location
from astrace.tracing.context import Making, Trace
from astrace.tracing.signals import EndsMaking, Uncapturable
from astrace.tracing.tracer import Tracer


@contextmanager
def making_an_item(trace: Trace) -> Generator[None]:
    """Mark what is traced as making an item, up to where the item is handed over."""
    trace.making.append(Making(len(trace.tries), len(trace.making) + 1))
    try:
        yield
    finally:
        trace.making.pop()


def handing_over(trace: Trace, emit: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a consumer of an item that is itself making an item only if the code around does."""
    around = trace.making[-1] if trace.making else None

    def take(item: Any) -> Any:
        trace.making.append(around)
        try:
            return emit(item)
        finally:
            trace.making.pop()

    return take


def check_end(trace: Trace, error: Any = StopIteration) -> None:
    """Check a place that may raise; stop where ``StopIteration`` ends the code that makes an item.

    Args:
        trace: the trace.
        error: the exception or its class; inside a ``try`` it is taken for one that is caught there.
    """
    kind = class_of(error.value.spec) if isinstance(error, Tracer) else error
    kind = kind if isinstance(kind, type) else type(kind)
    made = trace.making[-1] if trace.making else None
    if made is not None and len(trace.tries) <= made.tries and issubclass(kind, StopIteration):
        message = (
            "`StopIteration` may be raised while an item is made, which ends a `map` and breaks a generator"
        )
        where = trace.location() or Location.of(trace.function.__code__)
        raise EndsMaking(Reason("AT202", message, where), made.depth)


def is_unfinished(trace: Trace, stop: Uncapturable) -> bool:
    """Return whether the code that makes an item goes on around a call that was not captured."""
    return isinstance(stop, EndsMaking) and stop.depth <= len(trace.making)
