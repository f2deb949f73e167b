"""``itertools.chain``: iterables one after the other, as a stream.

Each is asked for its iterator when its turn comes; so the items of arguments keep what is known of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any, Final

from astrace.tracing.context import Trace
from astrace.tracing.generators.iterator_creation import begun, lacks_for_now, walkable
from astrace.tracing.operators.calls.iterable_builtins import Args, Handler, Kwargs
from astrace.tracing.values.lazy import Stream, one_shot


def chain_(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """Trace ``itertools.chain``: one iterable after the other, each iterated over once it is reached."""
    if any(map(lacks_for_now, args)):
        return trace.operators.opaque(function, args, kwargs)

    def run(emit: Callable[[Any], Any]) -> Any:
        return _one_after_the_other(trace, args, emit)

    def real(inner: Trace) -> Any:
        return inner.operators.opaque(function, tuple(walkable(inner, one) for one in args), {})

    return one_shot(trace, Stream(run, kind=itertools.chain, made=real, site=trace.site("iterator")))


def _one_after_the_other(trace: Trace, parts: Args, emit: Callable[[Any], Any]) -> Any:
    """Hand over the items of all parts; gives whether the consumer has had enough."""
    if not parts:
        return False
    first, *rest = parts
    stopped = trace.operators.each(first, emit)
    return trace.operators.or_(stopped, lambda: _one_after_the_other(trace, (*rest,), emit))


def chain_of_(trace: Trace, function: Any, args: Args, _kwargs: Kwargs) -> Any:
    """``itertools.chain.from_iterable``."""
    iterables = begun(trace, args[0])

    def run(emit: Callable[[Any], Any]) -> Any:
        def iteration(part: Any) -> Any:
            return trace.operators.each(part, emit)

        return trace.operators.each(iterables, iteration)

    def real(inner: Trace) -> Any:
        return inner.operators.opaque(function, (walkable(inner, iterables),), {})

    site = trace.site("iterator")
    return one_shot(trace, Stream(run, sources=(iterables,), kind=itertools.chain, made=real, site=site))


CHAINS: Final[Mapping[Any, Handler]] = {
    itertools.chain: chain_,
    itertools.chain.from_iterable: chain_of_,
}
