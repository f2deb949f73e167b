"""Calls of one function with the items of a batch, several at a time: in threads, or in processes of their own.

Takes a function and an iterable; gives the results in the order of the items, of which not many more than there are workers are
computed ahead.  It does not know what is called.
"""

from __future__ import annotations

import collections
import contextvars
import functools
import itertools
import multiprocessing
import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, Final, cast

from astrace.errors import InvalidArgument

AHEAD: Final = 4
"""The items that are handed out for each worker, before the first of them is done."""


def number_of_workers(workers: int | None) -> int:
    """The number that was asked for, or that of the processors."""
    return workers or os.cpu_count() or 1


def in_threads(
    name: str, call: Callable[[Any], Any], items: Iterable[Any], workers: int | None
) -> Iterator[Any]:
    """The results of calls in threads, each in a copy of the context.

    Args:
        name: what the note of an exception calls the batch.
        call: the function.
        items: the batch.
        workers: the number of threads.
    """
    number = number_of_workers(workers)
    with ThreadPoolExecutor(number, thread_name_prefix=f"astrace-{name}") as pool:

        def submit(item: Any) -> Future[Any]:
            return pool.submit(functools.partial(contextvars.copy_context().run, call), item)

        yield from in_order(name, submit, items, AHEAD * number)


def in_processes(
    name: str, call: Callable[[Any], Any], items: Iterable[Any], workers: int | None
) -> Iterator[Any]:
    """The results of calls in processes that are started afresh; each is sent the function once.

    Args:
        name: what the note of an exception calls the batch.
        call: the function; it has to be picklable, as the items and the results do.
        items: the batch.
        workers: the number of processes.

    Raises:
        InvalidArgument: the function can't be sent to another process.
    """
    try:
        sent = pickle.dumps(call)
    except Exception as error:
        message = f"{name}: {call!r} can't be sent to another process ({error}); use engine='threads'"
        raise InvalidArgument(message) from error
    number, context = number_of_workers(workers), multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(number, mp_context=context, initializer=_receive, initargs=(sent,)) as pool:
        yield from in_order(name, functools.partial(_submit, pool), items, AHEAD * number)


def _submit(pool: Executor, item: Any) -> Future[Any]:
    return pool.submit(_received, item)


def in_order(
    name: str, submit: Callable[[Any], Future[Any]], items: Iterable[Any], ahead: int
) -> Iterator[Any]:
    """The results in the order of the items; what is left when an item fails or nobody asks for more is cancelled.

    An exception of the iterable comes where Python's `map` has it: behind the results of the items before.

    Args:
        name: what the note of an exception calls the batch.
        submit: hands an item out.
        items: the batch.
        ahead: how many items are handed out before the first of them is done.
    """
    waiting: collections.deque[Future[Any]] = collections.deque()
    handed_out = _handed_out(submit, items)
    done = itertools.count()
    try:
        while True:
            waiting.extend(itertools.islice(handed_out, ahead - len(waiting)))
            if not waiting:
                return
            yield _result(name, waiting.popleft(), next(done))
    finally:
        for one in waiting:
            one.cancel()


def _handed_out(submit: Callable[[Any], Future[Any]], items: Iterable[Any]) -> Iterator[Future[Any]]:
    """The calls with the items; where the next item raises, one that has raised it."""
    try:
        for item in items:
            yield submit(item)
    except Exception as error:
        failed: Future[Any] = Future()
        failed.set_exception(error)
        yield failed


def _result(name: str, future: Future[Any], index: int) -> Any:
    try:
        return future.result()
    except Exception as error:
        error.add_note(f"in {name}, for item {index}")
        raise


# -- in the other process ------------------------------------------------------------------------------------


class Received:
    """The function of a process that works on a batch."""

    call: Callable[[Any], Any]


def _receive(sent: bytes) -> None:
    Received.call = staticmethod(pickle.loads(sent))  # noqa: S301 - sent by the process that started this one


def _received(item: Any) -> Any:
    try:
        return cast(Any, Received.call)(item)
    except Exception as error:
        why = _unsendable(error)
        if why is None:
            raise
        kind = f"{type(error).__module__}.{type(error).__qualname__}"
        raise RuntimeError(
            f"{kind}: {error} (which can't be sent from the process that raised it: {why})"
        ) from error


def _unsendable(error: Exception) -> Exception | None:
    """Return what goes wrong where an exception is pickled and unpickled: many classes take other arguments than they keep."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - it was made in this process
    except Exception as why:
        return why
    return None
