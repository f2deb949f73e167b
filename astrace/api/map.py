"""`map`: a graph over many inputs, in threads, in processes, or on a cluster.

Takes a graph and iterables; gives an iterator.  How work is handed out is ``pipelines.batches``' part, how a graph gets to
other processes that of ``bundle.sent_graph``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from astrace.bundle.portable_graph import PortableGraph
from astrace.bundle.sent_graph import SentGraph
from astrace.errors import InvalidArgument, MissingExtra
from astrace.pipelines.batches import AHEAD, in_order, in_processes, in_threads
from astrace.util import validation
from astrace.util.validation import shown

ENGINES: Final = ("threads", "processes", "dask")


def map(
    graph: Callable[..., Any],
    /,
    *items: Iterable[Any],
    engine: str = "threads",
    workers: int | None = None,
    operators: Sequence[Any] = (),
    client: Any = None,
) -> Iterator[Any]:
    """Call a graph with item after item, several at a time, as Python's `map` does one by one.

    Items are taken as results are asked for, a few for each worker ahead, so that an endless or large stream is fine.

    Args:
        graph: what `astrace.trace` or `astrace.load` gave; in threads any callable.
        *items: an iterable for each argument of a call; it ends with the shortest.
        engine: ``threads`` of this process; ``processes``, which are started afresh, never forked; or ``dask``, a cluster.
            The last two are sent the graph once, as the bundle that ``save`` writes; results are sent back by pickle.
        workers: how many threads or processes; by default as many as there are processors.  A cluster has its own.
        operators: the classes and functions that the graph needs elsewhere, as for `astrace.load`; threads need none.
        client: the ``distributed.Client`` of the cluster; by default the current one.  It is for ``dask`` alone.

    Returns:
        The results, in the order of the items.  An exception of a call comes in its place, with a note that tells the item;
        one that an iterable raises comes behind the results of the items before.

    Raises:
        InvalidArgument: an option is wrong, or what is called is no graph and can't be sent.
        BundleError: the graph can't be saved, or needs other operators.
        MissingExtra: Dask is not installed.

    Example:
        >>> import astrace
        >>> graph = astrace.trace(lambda x, y: x * y + 1.0, 2.0, 3.0)
        >>> list(map(graph, [1.0, 2.0, 3.0], [10.0, 20.0, 30.0], workers=2))
        [11.0, 41.0, 91.0]
    """
    _check_options(engine, workers, operators, client)
    try:
        calls = zip(*items, strict=False)
    except TypeError as error:
        raise InvalidArgument(f"map: {error}; give an iterable for each argument of a call") from None
    if not items:
        raise InvalidArgument("map: there are no items; give an iterable for each argument of a call")
    if engine == "threads":
        if not callable(graph):
            raise InvalidArgument(f"map: {shown(graph)} is not callable")
        return in_threads("map", functools.partial(_called, graph), calls, workers)
    if not isinstance(graph, PortableGraph):
        raise InvalidArgument(
            f"map: {shown(graph)} can't be sent to other processes; accepted is what `astrace.trace` or `astrace.load` gave"
        )
    sent = SentGraph.of(graph, operators)
    if engine == "processes":
        return in_processes("map", sent, calls, workers)
    return _on_cluster(sent, calls, _client(client))


def _check_options(engine: Any, workers: Any, operators: Any, client: Any) -> None:
    """Refuse options that are none, or that the engine has no use for.

    Raises:
        InvalidArgument: there are some.
    """
    validation.choice("map", "engine", engine, ENGINES)
    if workers is not None:
        validation.count("map", "workers", workers, 1)
    if client is not None and engine != "dask":
        raise InvalidArgument(f"map: client= is for engine='dask', and the engine is {engine!r}")
    if not isinstance(operators, list | tuple):
        raise InvalidArgument(f"map: operators are a list of them, not {shown(operators)}")


def _called(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    return function(*args)


# -- Dask ----------------------------------------------------------------------------------------------------


def _client(client: Any) -> Any:
    """The client of a cluster.

    Raises:
        InvalidArgument: there is none.
        MissingExtra: Dask is not installed.
    """
    try:
        import distributed  # type: ignore[import-not-found]
    except ModuleNotFoundError:
        raise MissingExtra.of("map: engine='dask' needs Dask", "dask") from None
    try:
        return client or distributed.default_client()
    except ValueError:
        raise InvalidArgument(
            "map: there is no Dask cluster; make a `distributed.Client`, or pass one"
        ) from None


def _on_cluster(sent: SentGraph, calls: Iterable[Any], client: Any) -> Iterator[Any]:
    """The results of calls on a cluster, each worker of which is sent the graph once."""
    [there] = client.scatter([sent], broadcast=True)

    def submit(args: tuple[Any, ...]) -> Any:
        return client.submit(_run_there, there, args, pure=False)

    threads = sum(client.nthreads().values()) or 1
    yield from in_order("map", submit, calls, AHEAD * threads)


def _run_there(sent: SentGraph, args: tuple[Any, ...]) -> Any:
    return sent(args)
