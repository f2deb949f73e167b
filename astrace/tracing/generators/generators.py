"""Comprehensions, generator expressions and generators: items are handed to whoever wants them.

A generator's body is traced in place around its consumer's: ``yield v`` hands ``v`` over, at the very point
of the program where Python would resume the consumer.  So loops and branches in it are captured like any
other, and a consumer that stops early ends it.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from astrace.ops.effects import may_raise
from astrace.tracing.context import Trace, current
from astrace.tracing.generators.gathering import gather, hashes_silently
from astrace.tracing.generators.iterator_creation import begun
from astrace.tracing.generators.iterators import opened
from astrace.tracing.generators.stop_iteration import handing_over, making_an_item
from astrace.tracing.generators.suspended_frames import reads
from astrace.tracing.operators.calls.recursion import MOST_GENERATORS, leave_recursion, stop_recursion
from astrace.tracing.operators.calls.runtime_functions import generator_for_real
from astrace.tracing.operators.control.branches import truth
from astrace.tracing.operators.control.for_loop import each
from astrace.tracing.operators.data.containers import collect
from astrace.tracing.operators.data.names import shared
from astrace.tracing.signals import Leaves
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.closures import GENERATOR
from astrace.tracing.values.lazy import Stream, one_shot
from astrace.tracing.values.objects import made, mutate

__all__ = ["Box", "all_of", "any_of", "box", "comprehend", "generator_stream", "yield_"]


class Box:
    """Named values that a generator's consumer keeps between items; changes are journaled."""

    def get(self, name: str) -> Any:
        """Return the value of a name."""
        return getattr(self, name)

    def set(self, name: str, value: Any) -> None:
        """Give a name another value."""
        mutate(current(), self)
        setattr(self, name, value)


def box(values: dict[str, Any]) -> Box:
    """A new box that holds ``values``."""
    trace = current()
    new = Box()
    trace.journal.born(new, trace.site("box"))
    for name, value in values.items():
        new.set(name, value)
    return new


def comprehend(
    kind: str, iterable: Any, iteration: Callable[..., Any], late: Callable[[], Any] | None = None
) -> Any:
    """``[… for element in iterable …]`` and its like.

    Args:
        kind: ``list``, ``set``, ``dict`` or ``generator``.
        iterable: the first iterable, evaluated at once.
        iteration: takes a function that receives an item, and an element.
        late: reads the variables that are one for all iterations.
    """
    if late is not None:
        shared(late)
    if kind == "generator":
        iterable = begun(current(), iterable)

    def run(emit: Callable[[Any], Any]) -> Any:
        if kind != "generator":
            return each(iterable, lambda element: iteration(emit, element))
        trace = current()
        reads(trace, iteration)
        take = handing_over(trace, emit)

        def produce(element: Any) -> Any:
            with making_an_item(trace):
                return iteration(take, element)

        return each(iterable, produce)

    if kind == "generator":
        return _generator_expression(iterable, run, iteration)
    stream = Stream(run)
    match kind:
        case "list":
            return collect(stream)
        case "set":
            return _collect_set(stream)
        case _:
            return _collect_dict(stream)


def _generator_expression(iterable: Any, run: Callable[..., Any], iteration: Callable[..., Any]) -> Any:
    """A generator expression, not yet walked; a real one where the plan says so."""
    trace = current()
    assert isinstance(iteration, types.FunctionType)

    def real(inner: Trace) -> Any:
        return generator_for_real(inner, iteration, iterable)

    site = trace.site(GENERATOR)
    return one_shot(trace, Stream(run, sources=(iterable,), kind=types.GeneratorType, made=real, site=site))


def _collect_set(stream: Stream) -> Any:
    trace = current()
    items = gather(trace, stream, hashes_silently).items
    if items is not None:
        return trace.operators.call(set, items)
    found = made(trace, set[Any](), "set comprehension")

    def emit(item: Any) -> bool:
        trace.operators.call(found.add, item)
        return False

    stream.run(emit)
    return found


def _collect_dict(stream: Stream) -> Any:
    trace = current()
    found = made(trace, {}, "dict comprehension")

    def emit(item: tuple[Any, Any]) -> bool:
        trace.operators.store_item(item[1], found, item[0])
        return False

    stream.run(emit)
    return found


def any_of(stream: Stream) -> Any:
    """``any(stream)``: items are taken until one is true."""
    return _until(stream, True)


def all_of(stream: Stream) -> Any:
    """``all(stream)``: items are taken until one is false."""
    return _until(stream, False)


def _until(stream: Stream, wanted: bool) -> Any:
    trace = current()
    walked = opened(trace, stream)
    if walked == ():
        return not wanted
    found = box({"result": not wanted})

    def stop() -> bool:
        found.set("result", wanted)
        return True

    def further() -> bool:
        return False

    def emit(item: Any) -> Any:
        return trace.operators.if_exp(item, stop if wanted else further, further if wanted else stop)

    walked.run(emit)
    return found.get("result")


def generator_stream(
    function: types.FunctionType,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    value: Callable[[Trace], Any] | None = None,
    made: Callable[[Trace], Any] | None = None,
) -> Stream:
    """The stream of a generator function's rewritten form, which hands items over through `yield_`.

    Args:
        function: the rewritten form.
        args: what it is called with.
        kwargs: likewise.
        value: makes a real generator in its place, for opaque code.
        made: makes one before anything is taken from it.
    """

    def run(emit: Callable[[Any], Any]) -> Any:
        trace = current()
        reads(trace, function)
        outside = trace.protected
        take = handing_over(trace, emit)

        def hand_over(item: Any) -> Any:
            return _protected(trace, take, item) if trace.protected > outside else take(item)

        stop_recursion(trace, function.__name__, function.__code__, MOST_GENERATORS)
        trace.sinks.append(hand_over)
        trace.calls.append(function.__code__)
        try:
            with making_an_item(trace):
                function(*args, **kwargs)
        except RecursionError as error:
            leave_recursion(trace, error)
            raise
        finally:
            trace.calls.pop()
            trace.sinks.pop()

    site = current().site(GENERATOR)
    return Stream(run, value, kind=types.GeneratorType, made=made, site=site)


def _protected(trace: Trace, emit: Callable[[Any], Any], item: Any) -> Any:
    """Trace a ``yield`` inside ``try`` or ``with``, which must return, as the generator is not told of other exits.

    Only plain Python knows when a generator that was left there is closed.
    """
    first = len(trace.recorder.nodes)
    try:
        enough = emit(item)
        returns = not any(map(may_raise, trace.recorder.nodes[first:]))
    except (Exception, Leaves):
        enough, returns = None, False
    if not returns or (enough is not None and enough is not False):
        trace.stop("AT209", "a generator may be left inside `try` or `with`")
    return enough


def yield_(item: Any) -> Any:
    """Hand an item to the consumer; tells whether it has had enough."""
    trace = current()
    sink = trace.sinks.pop()
    try:
        enough = sink(item)
        stop = False if enough is None else truth(enough)
    finally:
        trace.sinks.append(sink)
    return stop if isinstance(stop, Tracer) else bool(stop)
