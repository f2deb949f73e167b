"""`pmap`: an operator over the items of a batch, in threads or in processes of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from astrace.errors import InvalidArgument
from astrace.ops.callables.operators import OPERATORS
from astrace.pipelines.batches import in_processes, in_threads
from astrace.util import validation

T = TypeVar("T")
R = TypeVar("R")

ENGINES: Final = ("threads", "processes")


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
    run = in_processes if engine == "processes" else in_threads
    return list(run("pmap", operator, items, workers))


OPERATORS.add(pmap, pure=False)
