"""Code that waits while code of another frame runs: a generator's consumer, a ``with`` statement around its manager.

In Python each has its own names, and what an exception finds in them is what they held when the code was left.  While
tracing, regions of the one are recorded inside regions of the other, and a name holds what the region traced last gave
it, whether or not that runs.  So the ``try`` bodies of code that waits are told when it is left, and not asked then.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from astrace.tracing.context import Trace, Try

P = ParamSpec("P")
T = TypeVar("T")


@contextmanager
def waiting(trace: Trace) -> Generator[None]:
    """What is traced belongs to another frame than the code around, which waits."""
    outer = trace.waiting
    _leave(trace.tries[outer:])
    trace.waiting = len(trace.tries)
    try:
        yield
    finally:
        trace.waiting = outer


def going_on(trace: Trace, run: Callable[P, T]) -> Callable[P, T]:
    """What belongs to the code around; to be called where that waits for something else."""
    outer, tries = trace.waiting, trace.tries[trace.waiting :]

    def gone_on(*args: P.args, **kwargs: P.kwargs) -> T:
        with _resumed(trace, outer, tries):
            return run(*args, **kwargs)

    return gone_on


@contextmanager
def _resumed(trace: Trace, waiting: int, tries: Sequence[Try]) -> Generator[None]:
    inner, trace.waiting = trace.waiting, waiting
    try:
        yield
    except Exception:
        _leave(tries)
        raise
    else:
        _leave(tries)
    finally:
        trace.waiting = inner


def _leave(tries: Sequence[Try]) -> None:
    for one in tries:
        if one.watch is not None:
            one.watch.leave()
