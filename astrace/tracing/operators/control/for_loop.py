"""``for``.

A loop over a range, an array or a traced iterable becomes one node whose body is traced once, whatever the
number of iterations.  A loop over Python objects (a list of layers) runs here, iteration by iteration; so does one whose
body computes with constants alone, or needs its index as a Python number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NoReturn

from astrace.ir.block import Node, Operand
from astrace.ir.interpret import iterate
from astrace.ir.specs import class_of
from astrace.tracing.changes.carry import Carry
from astrace.tracing.changes.journal import Site
from astrace.tracing.context import Region, Trace, current
from astrace.tracing.generators.iterators import opened, spend
from astrace.tracing.operators.control.branches import cond, truth
from astrace.tracing.operators.control.loop_body import call_body, finish, is_constant, parameter_names
from astrace.tracing.operators.control.loop_sources import IterationSpace, element_at, iteration_space
from astrace.tracing.operators.control.unrolled_for import (
    Changed,
    at_run_time,
    changed,
    iterations,
    known_iterations,
    restart,
)
from astrace.tracing.signals import Unroll
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import Stream, TracedRange
from astrace.tracing.values.objects import is_user_class
from astrace.tracing.values.operands import operand

__all__ = ["each", "for_loop"]

MOST_STATIC_ITERATIONS: Final = 256
MOST_UNROLLED_ITERATIONS: Final = 10_000
MOST_ATTEMPTS: Final = 12


def for_loop(iterable: Any, body: Callable[..., Any], given: Sequence[Any] = (), breaks: bool = False) -> Any:
    """``for element in iterable: body``.

    Args:
        iterable: what to iterate over.
        body: takes an element and the carried values and returns the carried values, with a flag in front
            that tells whether to leave the loop if ``breaks``.
        given: the carried values before the first iteration.
        breaks: whether the body can leave the loop.

    Returns:
        The carried values afterwards; with ``breaks`` whether the loop was left in front of them.
    """
    trace = current()
    trace.hold_before()
    result = _for_loop(trace, opened(trace, iterable), body, given, breaks)
    if not breaks or result[0] is False:
        spend(trace, iterable)
    return result


def _for_loop(
    trace: Trace, iterable: Any, body: Callable[..., Any], given: Sequence[Any], breaks: bool
) -> Any:
    if isinstance(iterable, range):
        iterable = TracedRange(iterable.start, iterable.stop, iterable.step)
    if isinstance(iterable, Stream):
        return _for_stream(iterable, body, given, breaks)
    site = trace.site("for")
    method = trace.operators.iteration_method(iterable)
    if method is not None:
        return method(body, given, breaks)
    if site in trace.plan.changing or changed(trace, iterable):
        iterable = at_run_time(trace, iterable)
    unrolled = site in trace.plan.unrolled and site not in trace.plan.changing
    over = None if unrolled else iteration_space(trace, iterable)
    if over is None:
        return _while_tracing(trace, site, iterable, body, given, breaks)
    try:
        result = _recorded(trace, over, body, given, breaks)
        if any(map(trace.state.is_changed, over.long)):
            restart(trace, site)
        return result
    except Unroll as unroll:
        if unroll.loop is not over.loop:
            raise
    trace.plan.unrolled.add(site)
    trace.note("AT005", "this loop is unrolled: its body needs the index as a Python number")
    return _while_tracing(trace, site, iterable, body, given, breaks)


def each(iterable: Any, iteration: Callable[[Any], Any]) -> Any:
    """Hand every element to ``iteration`` until it has had enough; tells whether it has."""

    def body(element: Any) -> tuple[Any]:
        enough = iteration(element)
        return (False if enough is None else enough,)

    (stopped,) = for_loop(iterable, body, (), breaks=True)
    return stopped


def _for_stream(stream: Stream, body: Callable[..., Any], given: Sequence[Any], breaks: bool) -> Any:
    """Trace a loop over a generator: the loop's body consumes the generator's items."""
    trace = current()
    names = [f"carried_{index}" for index in range(len(given))]
    box = trace.operators.box(dict(zip(names, given, strict=True)))

    def take(element: Any) -> Any:
        values = body(element, *(box.get(name) for name in names))
        stop, values = (values[0], values[1:]) if breaks else (False, values)
        for name, value in zip(names, values, strict=True):
            box.set(name, value)
        if breaks:
            box.set("stop", stop)
        return stop

    box.set("stop", False)
    stream.run(take, body)
    results = tuple(box.get(name) for name in names)
    return (box.get("stop"), *results) if breaks else results


def _while_tracing(
    trace: Trace, site: Site, iterable: Any, body: Callable[..., Any], given: Sequence[Any], breaks: bool
) -> Any:
    """Run a loop while tracing, iteration by iteration."""
    found = iterations(trace, iterable)
    if found is None:
        what = f"the number of iterations of a loop over {trace.operators.kind_of(iterable)} is not known until the program runs"
        trace.stop(
            "AT201",
            f"{what}, and its body needs each iteration by itself",
            "loop over an array or a list alone",
        )
    if not breaks and known_iterations(iterable) > MOST_UNROLLED_ITERATIONS:
        _too_many(trace)
    try:
        return _unrolled(_limited(trace, found), body, given, breaks)
    except Changed:
        restart(trace, site)


def _limited(trace: Trace, elements: Iterator[Any]) -> Iterator[Any]:
    for count, element in enumerate(elements):
        if count > MOST_UNROLLED_ITERATIONS:
            _too_many(trace)
        yield element


def _too_many(trace: Trace) -> NoReturn:
    trace.stop("AT207", f"a loop of more than {MOST_UNROLLED_ITERATIONS} iterations would be unrolled")


def _unrolled(items: Iterable[Any], body: Callable[..., Any], given: Sequence[Any], breaks: bool) -> Any:
    """Run a loop while tracing; once its end depends on a traced value, the iterations left are conditional."""
    values: Sequence[Any] = given
    stopped: Any = False
    for element in items:
        if not breaks:
            values = body(element, *values)
            continue
        if isinstance(stopped, Tracer):
            stopped, *values = _turn_unless(stopped, body, element, values)
        else:
            stopped, *values = body(element, *values)
        stopped = truth(stopped)
        if stopped is True:
            break
    return (stopped, *values) if breaks else tuple(values)


def _turn_unless(stopped: Tracer, body: Callable[..., Any], element: Any, values: Sequence[Any]) -> Any:
    def skip(*held: Any) -> Any:
        return (True, *held)

    def iteration(*held: Any) -> Any:
        return body(element, *held)

    return cond(stopped, skip, iteration, tuple(values))


# -- recording a for loop ----------------------------------------------------------------------------------


def _recorded(
    trace: Trace, space: IterationSpace, body: Callable[..., Any], given: Sequence[Any], breaks: bool
) -> Any:
    location = trace.location()
    iterated = [operand(trace, value) for value in space.iterated]
    names = parameter_names(body, len(given))
    carry = Carry.of(trace, names, given)
    for _ in range(MOST_ATTEMPTS):
        first = len(trace.state.guards)
        region, stop, values = _trace_body(trace, space, iterated, carry, body, breaks)
        if _runs_in_python(space, carry, region):
            return _unrolled(_static_elements(space), body, given, breaks)
        if region.leaves or not carry.widen(values, region.changes):
            break
        trace.state.retract(first)
    else:
        trace.stop("AT208", "the types of the values that this loop carries do not converge")
    flag = [] if stop is None else [stop]
    node, results = finish(trace, region, carry, flag, values)
    inputs = [*iterated, *carry.initial()]
    captured = list(region.recorder.captures)
    inputs += [trace.recorder.operand(value) for value in captured]
    attrs = {"over": space.over, "breaks": bool(flag)}
    trace.append(
        Node("for_loop", tuple(inputs), tuple(node.outputs), attrs, (node.block(captured),), location)
    )
    if space.runs:
        trace.state.stale.asked(_walked(space))
        trace.state.forget_all()
    trace.note("AT002", "`for` is captured as for_loop")
    trace.operators.named(names, results) if len(names) == len(results) else None
    if not breaks:
        return results
    return (Tracer(trace, node.outputs[0]) if flag else False, *results)


def _walked(space: IterationSpace) -> Iterator[type]:
    """The classes of the user's iterables that a loop takes items from."""
    for value in space.iterated:
        cls = class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
        if cls is not None and is_user_class(cls):
            yield cls


def _static_elements(space: IterationSpace) -> list[Any]:
    """The elements of a loop whose bounds are constants."""
    return list(iterate(space.over, space.iterated))


def _trace_body(
    trace: Trace,
    space: IterationSpace,
    iterated: Sequence[Operand],
    carry: Carry,
    body: Callable[..., Any],
    breaks: bool,
) -> tuple[Region, Any, Sequence[Any]]:
    """Trace one iteration; return its region, the traced flag that ends the loop, and the carried values."""
    code = body.__code__
    with trace.region() as region:
        elements = [region.recorder.input(spec, "") for spec in space.specs]
        trace.starts |= dict.fromkeys(elements, tuple(iterated))
        space.loop.indices = {elements[index] for index in space.counters}
        space.loop.recorder = region.recorder
        trace.loops.append(space.loop)
        if space.runs:
            trace.state.stale.asked(_walked(space))
            trace.state.forget_all()
        given = carry.enter(region.recorder.input)
        element = element_at(space.over, [Tracer(trace, value) for value in elements])
        if code.co_argcount and isinstance(element, Tracer):
            element.value.rename(code.co_varnames[0])
        stop, values = call_body(trace, region, body, (element, *given), breaks)
    return region, stop, values


def _runs_in_python(space: IterationSpace, carry: Carry, region: Region) -> bool:
    """Return whether a loop computes with constants alone, so that it can simply be run."""
    return (
        space.static is not None
        and space.static <= MOST_STATIC_ITERATIONS
        and not region.leaves
        and all(isinstance(value, int) for value in space.iterated)
        and is_constant(carry, region)
    )
