"""`pmap`: an operator over the items of a batch, in threads or in processes of its own."""

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
from typing import Any, Final, TypeVar, cast

from astrace.errors import InvalidArgument
from astrace.ops.callables.operators import OPERATORS
from astrace.util import validation

T = TypeVar("T")
R = TypeVar("R")

ENGINES: Final = ("threads", "processes")
AHEAD: Final = 4
"""The items that are handed out for each worker, before the first of them is done."""


def pmap(
    operator: Callable[[T], R], items: Iterable[T], *, engine: str = "threads", workers: int | None = None
) -> list[R]:
    """Call an operator with each item of a batch, several at a time.

    In a traced pipeline this is one node.  Threads share the operator, so it has to be fit for that.  Processes are
    started afresh, never forked; each has a copy of the operator, whose changes nobody else sees, and which has to be picklable,
    as the items and the results do.

    Args:
        operator: an operator, or any function of one argument.
        items: the batch.
        engine: ``threads``, or ``processes``.
        workers: how many; by default as many as there are processors.

    Returns:
        The results in the order of the items.

    Raises:
        InvalidArgument: an option is wrong, or the operator can't be sent to another process.
        Exception: the one that the operator raised for the first item for which it did; a note names the item.

    Example:
        >>> pmap(len, ["a", "bb", ""], workers=2)
        [1, 2, 0]
    """
    validation.choice("pmap", "engine", engine, ENGINES)
    if workers is not None:
        validation.count("pmap", "workers", workers, 1)
    if not callable(operator) or isinstance(items, str | bytes | dict):
        what = (
            f"{operator!r} is not callable" if not callable(operator) else f"items are {type(items).__name__}"
        )
        raise InvalidArgument(
            f"pmap: {what}; accepted are a callable and a list, a tuple or another iterable"
        )
    number = workers or os.cpu_count() or 1
    if engine == "processes":
        return list(_in_processes(operator, items, number))
    with ThreadPoolExecutor(number, thread_name_prefix="astrace-pmap") as pool:
        return list(_results(pool, functools.partial(_in_context, operator), items, number))


def _in_context(operator: Callable[[Any], Any], context: contextvars.Context, item: Any) -> Any:
    return context.run(operator, item)


def _in_processes(operator: Callable[[Any], Any], items: Iterable[Any], workers: int) -> Iterator[Any]:
    try:
        sent = pickle.dumps(operator)
    except Exception as error:
        message = f"pmap: {operator!r} can't be sent to another process ({error}); use engine='threads'"
        raise InvalidArgument(message) from error
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_receive, initargs=(sent,)) as pool:
        yield from _results(pool, _received, items, workers)


def _results(pool: Executor, call: Callable[..., Any], items: Iterable[Any], workers: int) -> Iterator[Any]:
    """The results, of which not many more than there are workers are computed ahead."""
    waiting: collections.deque[Future[Any]] = collections.deque()
    rest, done = iter(items), itertools.count()
    try:
        for item in rest:
            waiting.append(_submitted(pool, call, item))
            if len(waiting) >= AHEAD * workers:
                yield _result(waiting.popleft(), next(done))
        while waiting:
            yield _result(waiting.popleft(), next(done))
    finally:
        for one in waiting:
            one.cancel()


def _submitted(pool: Executor, call: Callable[..., Any], item: Any) -> Future[Any]:
    if isinstance(pool, ThreadPoolExecutor):
        return pool.submit(call, contextvars.copy_context(), item)
    return pool.submit(call, item)


def _result(future: Future[Any], index: int) -> Any:
    try:
        return future.result()
    except Exception as error:
        error.add_note(f"in pmap, for item {index}")
        raise


# -- in the other process ------------------------------------------------------------------------------------


class Received:
    """The operator of a process that works for `pmap`."""

    operator: Callable[[Any], Any]


def _receive(sent: bytes) -> None:
    Received.operator = staticmethod(pickle.loads(sent))  # noqa: S301 - sent by the process that started this one


def _received(item: Any) -> Any:
    return cast(Any, Received.operator)(item)


OPERATORS.add(pmap, pure=False)
