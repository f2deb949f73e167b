"""Results of a user's ``__iter__``: each has to be an iterator, as it has for Python.

Takes an instance and its method; gives what the method gives.  Knows nothing of who walks it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from astrace.ops.python.objects import check_iterator
from astrace.tracing.generators.iterator_creation import ITERATOR_OPS
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import OneShot
from astrace.tracing.values.objects import special_method
from astrace.tracing.values.operands import Lazy

if TYPE_CHECKING:
    from astrace.tracing.context import Trace


def iterator_of(trace: Trace, method: Callable[..., Any], iterable: Any) -> Any:
    """Call ``__iter__`` and check its result."""
    found = trace.operators.call(method, iterable)
    if isinstance(found, OneShot) or special_method(trace, found, "__next__") is not None:
        return found
    if isinstance(found, Lazy):
        found = found.materialize(trace)
    if not isinstance(found, Tracer):
        return trace.native(check_iterator, found)
    return found if _made_by(trace, found) in ITERATOR_OPS else record(trace, "check_iterator", (found,))


def _made_by(trace: Trace, value: Any) -> str | None:
    """Return the op that gives a value, if one does."""
    maker = trace.producers.get(trace.recorder.origin(value.value)) if isinstance(value, Tracer) else None
    return None if maker is None else maker.op


def walked(trace: Trace, method: Callable[..., Any], iterable: Any) -> Any:
    """Call ``__iter__`` for all items of an instance.

    ``None``, and nothing is called, where the result has a ``__next__`` of the user's, or may have: the program walks the instance.
    """
    own = False
    with trace.undone_unless_kept() as keep:
        try:
            iterator = iterator_of(trace, method, iterable)
            own = (
                iterator is iterable
                or special_method(trace, iterator, "__next__") is not None
                or _made_by(trace, iterator) == "check_iterator"
            )
        finally:
            if not own:
                keep()
    return None if own else iterator
