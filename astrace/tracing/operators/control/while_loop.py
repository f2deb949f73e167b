"""``while``.

A loop with a traced test becomes one node.  One that starts with a test known while tracing is tried as a
node too; if its body needs a carried number as a Python number, that iteration runs while tracing ("peeled").
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from astrace.ir.block import Node, Value
from astrace.ir.constants import is_static
from astrace.ir.specs import Spec
from astrace.tracing.changes.carry import Carry
from astrace.tracing.changes.merge import writing
from astrace.tracing.context import Region, Trace, current
from astrace.tracing.operators.control.branches import cond, truth
from astrace.tracing.operators.control.for_loop import (
    MOST_ATTEMPTS,
    MOST_STATIC_ITERATIONS,
    MOST_UNROLLED_ITERATIONS,
)
from astrace.tracing.operators.control.loop_body import Loop, call_body, finish, is_constant, parameter_names
from astrace.tracing.signals import Leaves, Unroll
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.operands import operand

__all__ = ["while_loop"]


def while_loop(
    test: Callable[..., Any], body: Callable[..., Any], given: Sequence[Any] = (), breaks: bool = False
) -> Any:
    """``while test: body``.

    Args:
        test: takes the carried values, tells whether to go on.
        body: takes the carried values and returns them, with a flag in front that tells whether to leave
            the loop if ``breaks``.
        given: the carried values before the first iteration.
        breaks: whether the body can leave the loop.

    Returns:
        The carried values afterwards; with ``breaks`` whether the loop was left in front of them.
    """
    trace = current()
    trace.hold_before()
    values: Sequence[Any] = given
    for _ in range(MOST_UNROLLED_ITERATIONS):
        start = _probe(trace, test, values)
        if start is False:
            truth(test(*values))  # for what it does
            return (False, *values) if breaks else tuple(values)
        recorded = _try_recording(trace, test, body, values, breaks, start)
        if recorded is not None:
            return recorded
        result = body(*values) if _truth_now(test(*values)) else None
        trace.hold()
        stop, values = (result[0], result[1:]) if breaks else (False, result)  # type: ignore[index]
        stop = truth(stop)
        if isinstance(stop, Tracer):
            return _rest_of_while(test, body, stop, values)
        if stop:
            return (True, *values)
    trace.stop("AT207", f"a loop of more than {MOST_UNROLLED_ITERATIONS} iterations would be unrolled")
    return None


def _truth_now(value: Any) -> bool:
    return bool(truth(value))


def _rest_of_while(
    test: Callable[..., Any], body: Callable[..., Any], stop: Tracer, values: Sequence[Any]
) -> Any:
    """The iterations after one that may have left the loop."""

    def left(*held: Any) -> Any:
        return (True, *held)

    def further(*held: Any) -> Any:
        return while_loop(test, body, held, breaks=True)

    return cond(stop, left, further, tuple(values))


def _probe(trace: Trace, test: Callable[..., Any], values: Sequence[Any]) -> bool | None:
    """The truth of a loop's test before the first iteration, where it is known while tracing."""
    try:
        with trace.region() as region, _nothing_done(trace, region):
            found = truth(test(*values))
            return None if isinstance(found, Tracer) else found
    except Leaves:  # it always raises: recorded in place
        truth(test(*values))
        raise


def _try_recording(
    trace: Trace,
    test: Callable[..., Any],
    body: Callable[..., Any],
    given: Sequence[Any],
    breaks: bool,
    start: bool | None,
) -> Any:
    """The loop as a node; ``None`` where its first iteration has to run while tracing."""
    loop = Loop(start is not None, site=trace.site("loop"))
    names = parameter_names(body, len(given))
    carry = Carry.of(trace, names, given)
    try:
        found = _settle(trace, loop, carry, test, body, breaks)
    except Unroll as unroll:
        if unroll.loop is not loop:
            raise
        return None
    if found is None:
        return _with_test_inside(test, body, given, breaks)
    if start and found.constant and _ends_soon(trace, test, body, given, breaks):
        return _in_python(test, body, given, breaks)
    return _write_while(trace, carry, found, breaks)


@dataclass(eq=False)
class Iteration:
    """One iteration of a ``while`` loop, traced.

    Args:
        tested: the region of the test.
        go_on: what the test gave.
        region: the region of the body.
        stop: the traced flag that ends the loop, if there is one.
        values: the carried values after the iteration.
        constant: whether it all follows from constants.
    """

    tested: Region
    go_on: Any
    region: Region
    stop: Any
    values: Sequence[Any]
    constant: bool


def _settle(
    trace: Trace, loop: Loop, carry: Carry, test: Callable[..., Any], body: Callable[..., Any], breaks: bool
) -> Iteration | None:
    """Trace test and body until the carried types converge; ``None`` if the test itself changes something."""
    for attempt in range(MOST_ATTEMPTS):
        first = len(trace.state.guards)
        tested, go_on = _trace_test(trace, loop, carry, test)
        if attempt == 0 and (tested.changes.objects or tested.changes.slots):
            return None
        region, stop, values = _trace_while_body(trace, loop, carry, body, breaks)
        constant = not region.leaves and is_constant(carry, region) and is_constant(carry, tested)
        if constant or region.leaves or not carry.widen(values, region.changes):
            return Iteration(tested, go_on, region, stop, values, constant)
        trace.state.retract(first)
    trace.stop("AT208", "the types of the values that this loop carries do not converge")
    return None


def _in_python(test: Callable[..., Any], body: Callable[..., Any], given: Sequence[Any], breaks: bool) -> Any:
    """Run a loop of constants."""
    values: Sequence[Any] = given
    while _truth_now(test(*values)):
        result = body(*values)
        if breaks and truth(result[0]):
            return (True, *result[1:])
        values = result[1:] if breaks else result
    return (False, *values) if breaks else tuple(values)


def _trace_test(trace: Trace, loop: Loop, carry: Carry, test: Callable[..., Any]) -> tuple[Region, Any]:
    with trace.region() as region, _nothing_done(trace, region):
        given = _enter_while(trace, loop, carry, region)
        go_on = truth(test(*given))
    return region, go_on


@contextlib.contextmanager
def _nothing_done(trace: Trace, region: Region) -> Generator[None]:
    """Check that a test which raises while it is traced has done nothing before; otherwise end the capture."""
    try:
        yield
    except Exception as error:
        if region.recorder.nodes:
            trace.stop("AT202", f"the test of a `while` raises {type(error).__name__}: {error}")
        raise


def _trace_while_body(
    trace: Trace, loop: Loop, carry: Carry, body: Callable[..., Any], breaks: bool
) -> tuple[Region, Any, Sequence[Any]]:
    with trace.region() as region:
        given = _enter_while(trace, loop, carry, region)
        stop, values = call_body(trace, region, body, given, breaks)
    return region, stop, values


def _enter_while(trace: Trace, loop: Loop, carry: Carry, region: Region) -> tuple[Any, ...]:
    """Placeholders for one iteration; those that start as constants would be known if the iteration were run."""
    leaves = iter(list(carry.leaves()))

    def make(spec: Spec, name: str) -> Value:
        value = region.recorder.input(spec, name)
        if loop.peels and is_static(next(leaves).initial):
            loop.indices.add(value)
        return value

    loop.recorder = region.recorder
    trace.loops.append(loop)
    return carry.enter(make)


def _ends_soon(
    trace: Trace, test: Callable[..., Any], body: Callable[..., Any], given: Sequence[Any], breaks: bool
) -> bool:
    """Return whether a loop of constants ends within a number of iterations worth running while tracing."""
    try:
        with trace.region() as region, _nothing_done(trace, region):
            return _ends_within(MOST_STATIC_ITERATIONS, test, body, given, breaks)
    except Leaves:  # by raising
        return True


def _ends_within(
    iterations: int, test: Callable[..., Any], body: Callable[..., Any], values: Sequence[Any], breaks: bool
) -> bool:
    """Return whether a loop of constants, run iteration by iteration, ends within so many iterations."""
    for _ in range(iterations):
        if not _truth_now(test(*values)):
            return True
        result = body(*values)
        if breaks and truth(result[0]):
            return True
        values = result[1:] if breaks else result
    return False


def _write_while(trace: Trace, carry: Carry, iteration: Iteration, breaks: bool) -> Any:
    location = trace.location()
    with writing(trace, iteration.tested):
        go_on = operand(trace, iteration.go_on)
    inputs = carry.initial()
    flag = [] if iteration.stop is None else [iteration.stop]
    certain = not isinstance(iteration.go_on, Tracer)
    finished, results = finish(trace, iteration.region, carry, flag, iteration.values, certain)
    captured = list(dict.fromkeys([*iteration.tested.recorder.captures, *iteration.region.recorder.captures]))
    inputs += [trace.recorder.operand(value) for value in captured]
    blocks = (iteration.tested.recorder.block([go_on], captured), finished.block(captured))
    attrs = {"breaks": bool(flag)}
    trace.append(Node("while_loop", tuple(inputs), tuple(finished.outputs), attrs, blocks, location))
    trace.note("AT003", "`while` is captured as while_loop")
    if not breaks:
        return results
    return (Tracer(trace, finished.outputs[0]) if flag else False, *results)


def _with_test_inside(
    test: Callable[..., Any], body: Callable[..., Any], given: Sequence[Any], breaks: bool
) -> Any:
    """A loop whose test changes something: test and body become one body that leaves the loop by itself."""

    def iteration(_left: Any, *held: Any) -> Any:
        def go_on(*inner: Any) -> Any:
            result = body(*inner)
            return (result[0], result[0], *result[1:]) if breaks else (False, False, *result)

        def end(*inner: Any) -> Any:
            return (True, False, *inner)

        return cond(test(*held), go_on, end, held)

    _, left, *values = while_loop(lambda *_: True, iteration, (False, *given), breaks=True)
    return (left, *values) if breaks else tuple(values)
