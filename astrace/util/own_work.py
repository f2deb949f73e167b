"""The time that astrace takes for itself inside calls of the program: captures, compiling, trials of kernels.

Whoever tells what a call takes leaves it out: it is spent once, whatever the call does.  It is counted for each thread, since
a call runs in one; it knows nothing of what the work is for.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Generator
from time import perf_counter_ns, thread_time_ns
from types import TracebackType
from typing import Final


class _Spent(threading.local):
    """What a thread has spent so far.

    Args:
        nanoseconds: of the work that is over.
        depth: how many pieces of work are going on, each inside the one before.
        started: when the outermost of them began.
        loading: nanoseconds of the processor that loading astrace's own modules took.
    """

    nanoseconds: int = 0
    depth: int = 0
    started: int = 0
    loading: int = 0


SPENT: Final = _Spent()
HARDLY: Final = 50
"""The divisor of a call's time: own work of that much is taken out of it, and of more makes it useless for a comparison."""


class OwnWork(contextlib.ContextDecorator):
    """Count what is done inside ``with``, or in a function it decorates, as astrace's own work; work inside work is counted once.

    Example:
        >>> before = spent()
        >>> with OwnWork(), OwnWork():
        ...     pass
        >>> spent() > before
        True
    """

    def __enter__(self) -> None:
        if not SPENT.depth:
            SPENT.started = perf_counter_ns()
        SPENT.depth += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        SPENT.depth -= 1
        if not SPENT.depth:
            SPENT.nanoseconds += perf_counter_ns() - SPENT.started


def spent() -> int:
    """Return the nanoseconds of astrace's own work in this thread so far, that which goes on left out."""
    return SPENT.nanoseconds


@contextlib.contextmanager
def loading_modules() -> Generator[None]:
    """Count what is done inside ``with`` as the loading of modules: whoever needs them first has to wait, but is not the cause.

    Example:
        >>> before = loading_time()
        >>> with loading_modules():
        ...     import decimal
        >>> loading_time() > before
        True
    """
    started = thread_time_ns()
    try:
        yield
    finally:
        SPENT.loading += thread_time_ns() - started


def loading_time() -> int:
    """Return the nanoseconds of the processor in which this thread has loaded modules so far, as `loading_modules` counts them."""
    return SPENT.loading


def is_hardly(own: int, took: int) -> bool:
    """Return whether the rest of a call's time still says what the call takes.

    Args:
        own: nanoseconds of astrace's own work in it.
        took: the nanoseconds of the call, with these.

    Example:
        >>> is_hardly(0, 5), is_hardly(2, 1000), is_hardly(900, 1000)
        (True, True, False)
    """
    return own * HARDLY <= took
