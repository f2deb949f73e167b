"""``for`` and ``while``.

A loop over a range, an array or a traced iterable becomes one node whose body is traced once, whatever the
number of turns.  A loop over Python objects (a list of layers) runs here, turn by turn; so does one whose
body computes with constants alone, or needs its index as a Python number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.control import Each, Enumerate, Over, Range, Reversed, Zip
from astrace.ir.interpret import iterate
from astrace.ir.specs import ANY, BOOL, INT, Spec, join
from astrace.ir.statics import UNSET, is_static
from astrace.ops import OPS
from astrace.ops.builtins import element_of
from astrace.tracing.carry import Carry
from astrace.tracing.context import Region, Trace, current
from astrace.tracing.lifting import Lazy, operand, spec_at
from astrace.tracing.merge import writing
from astrace.tracing.operators.logic import cond, truth
from astrace.tracing.stops import Leaves, Unroll
from astrace.tracing.tracer import Tracer
from astrace.tracing.values import Stream, TracedEnumerate, TracedRange, TracedReversed, TracedZip

__all__ = ["each", "for_loop", "static_items", "while_loop"]

MOST_STATIC_TURNS: Final = 256
MOST_UNROLLED_TURNS: Final = 10_000
MOST_ATTEMPTS: Final = 12


@dataclass(eq=False)
class Loop:
    """A loop whose body is being traced.

    Args:
        peels: its first turn can run while tracing.
        indices: the values in its body that would be Python numbers if it were unrolled.
    """

    peels: bool = True
    indices: set[Value] = field(default_factory=set[Value])


# -- for ---------------------------------------------------------------------------------------------------


def for_loop(iterable: Any, body: Callable[..., Any], given: Sequence[Any] = (), breaks: bool = False) -> Any:
    """``for element in iterable: body``.

    Args:
        iterable: what to iterate over.
        body: takes an element and the carried values and returns the carried values, with a flag in front
            that tells whether to leave the loop if ``breaks``.
        given: the carried values before the first turn.
        breaks: whether the body can leave the loop.

    Returns:
        The carried values afterwards; with ``breaks`` whether the loop was left in front of them.
    """
    trace = current()
    if isinstance(iterable, range):
        iterable = TracedRange(iterable.start, iterable.stop, iterable.step)
    if isinstance(iterable, Stream):
        return _for_stream(iterable, body, given, breaks)
    site = trace.site("for")
    method = trace.operators.iteration_method(iterable)
    if method is not None:
        return method(body, given, breaks)
    over = _over(trace, iterable) if site not in trace.plan.unrolled else None
    if over is None:
        return _unrolled(trace, _items(trace, iterable), body, given, breaks)
    try:
        return _recorded(trace, over, body, given, breaks)
    except Unroll as unroll:
        if unroll.loop is not over.loop:
            raise
    trace.plan.unrolled.add(site)
    trace.note("AT005", "this loop is unrolled: its body needs the index as a Python number")
    return _unrolled(trace, _items(trace, iterable), body, given, breaks)


def each(iterable: Any, turn: Callable[[Any], Any]) -> Any:
    """Hand every element to ``turn`` until it has had enough; tells whether it has."""

    def body(element: Any) -> tuple[Any]:
        return (turn(element) or False,)

    (stopped,) = for_loop(iterable, body, (), breaks=True)
    return stopped


def _for_stream(stream: Stream, body: Callable[..., Any], given: Sequence[Any], breaks: bool) -> Any:
    """A loop over a generator: its body is what the generator hands its items to."""
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
    stream.run(take)
    results = tuple(box.get(name) for name in names)
    return (box.get("stop"), *results) if breaks else results


def _items(trace: Trace, iterable: Any) -> list[Any]:
    """The elements of a loop that runs while tracing."""
    found = trace.operators.items_of(trace, iterable)
    if found is None:
        trace.stop("AT201", f"a loop over {type(iterable).__qualname__} can't be unrolled")
    if len(found) > MOST_UNROLLED_TURNS:
        trace.stop("AT207", f"a loop of {len(found)} turns would be unrolled")
    return found


def static_items(iterable: Lazy) -> list[Any] | None:
    """The items of a lazy iterable whose parts are known while tracing; else ``None``."""
    trace = current()
    match iterable:
        case TracedRange():
            bounds = (iterable.start, iterable.stop, iterable.step)
            return list(trace.native(range, *(_number(trace, bound) for bound in bounds)))
        case TracedEnumerate():
            inner = trace.operators.items_of(trace, iterable.inner)
            start = iterable.start
            return None if inner is None else [(trace.operators.binary("add", start, i) if isinstance(start, Tracer) else start + i, item) for i, item in enumerate(inner)]
        case TracedZip():
            parts = [trace.operators.items_of(trace, part) for part in iterable.parts]
            known = [part for part in parts if part is not None]
            return None if len(known) < len(parts) else list(trace.native(_zip, known, iterable.strict))
        case TracedReversed():
            inner = trace.operators.items_of(trace, iterable.inner)
            return None if inner is None else inner[::-1]
        case Stream():
            collected = trace.operators.collect(iterable)
            return list(collected) if isinstance(collected, list) else None
        case _:
            return None


def _number(trace: Trace, value: Any) -> Any:
    return trace.operators.concrete(value) if isinstance(value, Tracer) else value


def _zip(parts: list[list[Any]], strict: bool) -> list[Any]:
    return list(zip(*parts, strict=strict))


def _unrolled(
    trace: Trace, items: Sequence[Any], body: Callable[..., Any], given: Sequence[Any], breaks: bool
) -> Any:
    """Run a loop while tracing; once its end depends on a traced value, the turns left are conditional."""
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

    def turn(*held: Any) -> Any:
        return body(element, *held)

    return cond(stopped, skip, turn, tuple(values))


# -- what a node iterates over ---------------------------------------------------------------------------


@dataclass(eq=False)
class Iteration:
    """What a ``for_loop`` node iterates over.

    Args:
        over: its shape.
        iterated: the operands that ``over`` numbers.
        specs: what is known of the values of one turn, in order.
        counters: which of them count turns: Python numbers, were the loop unrolled.
        static: how many turns there are, where that is known while tracing.
        loop: stands for the loop while its body is traced.
    """

    over: Over
    iterated: list[Any]
    specs: list[Spec]
    counters: set[int]
    static: int | None
    loop: Loop = field(default_factory=Loop)


def _over(trace: Trace, iterable: Any) -> Iteration | None:
    """How a node would iterate over ``iterable``; ``None`` where the loop has to run while tracing."""
    iterated: list[Any] = []
    specs: list[Spec] = []
    over = _place(trace, iterable, iterated, specs, top=True)
    if over is None:
        return None
    return Iteration(over, iterated, specs, _counters(over, iter(range(len(specs)))), _static_turns(iterable))


def _counters(over: Over, positions: Iterator[int]) -> set[int]:
    """Which of a turn's values are numbers that ``range`` or ``enumerate`` counts."""
    match over:
        case Range():
            return {next(positions)}
        case Each():
            next(positions)
            return set()
        case Enumerate():
            return {next(positions)} | _counters(over.inner, positions)
        case Zip():
            return set().union(*(_counters(part, positions) for part in over.parts))
        case Reversed():
            return _counters(over.inner, positions)


def _static_turns(iterable: Any) -> int | None:
    match iterable:
        case TracedRange(start, stop, step) if all(type(part) is int for part in (start, stop, step)) and step:
            return len(range(start, stop, step))
        case TracedEnumerate() | TracedReversed():
            return _static_turns(iterable.inner)
        case _:
            return None


def _place(trace: Trace, iterable: Any, iterated: list[Any], specs: list[Spec], top: bool) -> Over | None:
    match iterable:
        case TracedRange():
            first = len(iterated)
            iterated += [iterable.start, iterable.stop, iterable.step]
            specs.append(INT)
            return Range(first, first + 1, first + 2)
        case TracedEnumerate():
            specs.append(INT)
            iterated.append(iterable.start)
            start = len(iterated) - 1
            inner = _place(trace, iterable.inner, iterated, specs, top)
            return None if inner is None else Enumerate(inner, start)
        case TracedZip():
            return _place_zip(trace, iterable, iterated, specs)
        case TracedReversed():
            inner = _place(trace, iterable.inner, iterated, specs, top)
            return None if inner is None else Reversed(inner)
        case range():
            bounds = TracedRange(iterable.start, iterable.stop, iterable.step)
            return _place(trace, bounds, iterated, specs, top)
        case _:
            return _place_each(trace, iterable, iterated, specs, top)


def _place_zip(trace: Trace, iterable: TracedZip, iterated: list[Any], specs: list[Spec]) -> Over | None:
    """A zip is iterated over by a node if one of its parts is; the others become values."""
    traced = [part for part in iterable.parts if isinstance(part, Tracer | Lazy | range)]
    if not traced:
        return None
    parts = [_place(trace, part, iterated, specs, top=False) for part in iterable.parts]
    known = tuple(part for part in parts if part is not None)
    return Zip(known, iterable.strict) if len(known) == len(parts) else None


def _place_each(trace: Trace, iterable: Any, iterated: list[Any], specs: list[Spec], top: bool) -> Over | None:
    python = type(iterable) in (list, tuple, dict, set, str, frozenset) or type(iterable) in trace.operators.VIEW_TYPES
    if python and (top or not all(map(_is_value, iterable))):
        return None
    if isinstance(iterable, Tracer) and spec_at(trace, iterable) and trace.operators.is_tuple(iterable):
        return None
    iterated.append(iterable)
    specs.append(element_of(spec_at(trace, iterable)) or ANY)
    return Each(len(iterated) - 1)


def _is_value(part: Any) -> bool:
    return isinstance(part, Tracer) or is_static(part)


def _element(over: Over, values: list[Any]) -> Any:
    """One turn's element, nested as Python would give it."""
    match over:
        case Range() | Each():
            return values.pop(0)
        case Enumerate():
            return (values.pop(0), _element(over.inner, values))
        case Zip():
            return tuple(_element(part, values) for part in over.parts)
        case Reversed():
            return _element(over.inner, values)


# -- recording a for loop ----------------------------------------------------------------------------------


def _recorded(
    trace: Trace, iteration: Iteration, body: Callable[..., Any], given: Sequence[Any], breaks: bool
) -> Any:
    location = trace.location()
    iterated = [operand(trace, value) for value in iteration.iterated]
    names = _parameter_names(body, len(given))
    carry = Carry.of(trace, names, given)
    for _ in range(MOST_ATTEMPTS):
        region, stop, values = _trace_body(trace, iteration, carry, body, breaks)
        if _runs_in_python(trace, iteration, carry, region):
            return _unrolled(trace, _static_elements(iteration), body, given, breaks)
        if region.leaves or not carry.widen(values, region.changes):
            break
    else:
        trace.stop("AT208", "what this loop carries does not settle")
    flag = [] if stop is None else [stop]
    node, results = _finish(trace, region, carry, flag, values)
    inputs = [*iterated, *carry.initial()]
    captured = list(region.recorder.captures)
    inputs += [trace.recorder.operand(value) for value in captured]
    attrs = {"over": iteration.over, "breaks": bool(flag)}
    trace.append(Node("for_loop", tuple(inputs), tuple(node.outputs), attrs, (node.block(captured),), location))
    trace.note("AT002", "`for` is captured as for_loop")
    trace.operators.named(names, results) if len(names) == len(results) else None
    if not breaks:
        return results
    return (Tracer(trace, node.outputs[0]) if flag else False, *results)


def _static_elements(iteration: Iteration) -> list[Any]:
    """The elements of a loop whose bounds are constants."""
    return list(iterate(iteration.over, iteration.iterated))


def _parameter_names(body: Callable[..., Any], count: int) -> tuple[str, ...]:
    """What a body calls its carried values: the names of its last parameters."""
    code = body.__code__
    names = code.co_varnames[: code.co_argcount]
    return names[len(names) - count :] if len(names) >= count else ("",) * count


def _trace_body(
    trace: Trace, iteration: Iteration, carry: Carry, body: Callable[..., Any], breaks: bool
) -> tuple[Region, Any, Sequence[Any]]:
    """Trace one turn; gives its region, the traced flag that ends the loop, and the carried values."""
    code = body.__code__
    with trace.region() as region:
        elements = [region.recorder.input(spec, "") for spec in iteration.specs]
        iteration.loop.indices = {elements[index] for index in iteration.counters}
        trace.loops.append(iteration.loop)
        given = carry.enter(region.recorder.input)
        element = _element(iteration.over, [Tracer(trace, value) for value in elements])
        if code.co_argcount and isinstance(element, Tracer):
            element.value.rename(code.co_varnames[0])
        stop, values = _call_body(trace, region, body, (element, *given), breaks)
    return region, stop, values


def _call_body(
    trace: Trace, region: Region, body: Callable[..., Any], given: Sequence[Any], breaks: bool
) -> tuple[Any, Sequence[Any]]:
    try:
        result = body(*given)
    except Leaves:
        region.leaves = True
        return None, ()
    except Exception as error:
        if not trace.is_marked(error):
            raise
        trace.stop("AT202", f"the body of a loop raises {type(error).__name__}: {error}")
    if not breaks:
        return None, result
    stop = truth(result[0])
    return (None if stop is False else stop), result[1:]


def _runs_in_python(trace: Trace, iteration: Iteration, carry: Carry, region: Region) -> bool:
    """Whether a loop computes with constants alone, so that it can simply be run."""
    return (
        iteration.static is not None
        and iteration.static <= MOST_STATIC_TURNS
        and not region.leaves
        and all(isinstance(value, int) for value in iteration.iterated)
        and _is_constant(carry, region)
    )


def _is_constant(carry: Carry, region: Region) -> bool:
    """Whether a region uses nothing traced from outside and does nothing but compute."""
    return (
        not region.recorder.captures
        and not region.changes.slots
        and all(is_static(leaf.initial) for leaf in carry.leaves())
        and all(_is_pure(node) for node in region.recorder.nodes)
    )


def _is_pure(node: Node) -> bool:
    if node.regions:
        return all(_is_pure(inner) for region in node.regions for inner in region.nodes)
    op = OPS[node.op]
    return not op.ordered and not op.writes and not op.creates


@dataclass(eq=False)
class Finished:
    """A loop's region with its outputs, ready to become a node."""

    region: Region
    outputs: list[Value]
    operands: list[Operand]

    def block(self, captured: Sequence[Value]) -> Block:
        """The body as a block."""
        return self.region.recorder.block(self.operands, captured)


def _finish(
    trace: Trace, region: Region, carry: Carry, flag: Sequence[Any], values: Sequence[Any], certain: bool = False
) -> tuple[Finished, tuple[Any, ...]]:
    """The outputs of a loop's body and of its node, and the carried values afterwards.

    Args:
        certain: the body has run at least once when the loop ends.
    """
    with writing(trace, region):
        operands = [operand(trace, value) for value in flag]
        if region.leaves:
            operands += [Constant(UNSET) for _ in carry.leaves()]
        else:
            operands += carry.outputs(values, region.changes)
    outputs = [Value(BOOL) for _ in flag]
    found = iter(operands[len(outputs) :])

    def make(spec: Spec, name: str) -> Value:
        result = next(found).spec
        value = Value(result if certain else join(spec, result) if not region.leaves else spec, name)
        outputs.append(value)
        return value

    results = carry.enter(make)
    return Finished(region, outputs, operands), results


# -- while -------------------------------------------------------------------------------------------------


def while_loop(
    test: Callable[..., Any], body: Callable[..., Any], given: Sequence[Any] = (), breaks: bool = False
) -> Any:
    """``while test: body``.

    Args:
        test: takes the carried values, tells whether to go on.
        body: takes the carried values and returns them, with a flag in front that tells whether to leave
            the loop if ``breaks``.
        given: the carried values before the first turn.
        breaks: whether the body can leave the loop.

    Returns:
        The carried values afterwards; with ``breaks`` whether the loop was left in front of them.
    """
    trace = current()
    values: Sequence[Any] = given
    for _ in range(MOST_UNROLLED_TURNS):
        start = _probe(trace, test, values)
        if start is False:
            test(*values)
            return (False, *values) if breaks else tuple(values)
        recorded = _try_recording(trace, test, body, values, breaks, start)
        if recorded is not None:
            return recorded
        result = body(*values) if _truth_now(test(*values)) else None
        stop, values = (result[0], result[1:]) if breaks else (False, result)  # type: ignore[index]
        stop = truth(stop)
        if isinstance(stop, Tracer):
            return _rest_of_while(test, body, stop, values)
        if stop:
            return (True, *values)
    trace.stop("AT207", f"a loop of more than {MOST_UNROLLED_TURNS} turns would be unrolled")


def _truth_now(value: Any) -> bool:
    return bool(truth(value))


def _rest_of_while(test: Callable[..., Any], body: Callable[..., Any], stop: Tracer, values: Sequence[Any]) -> Any:
    """The turns after one that may have left the loop."""

    def left(*held: Any) -> Any:
        return (True, *held)

    def further(*held: Any) -> Any:
        return while_loop(test, body, held, breaks=True)

    return cond(stop, left, further, tuple(values))


def _probe(trace: Trace, test: Callable[..., Any], values: Sequence[Any]) -> bool | None:
    """The truth of a loop's test before the first turn, where it is known while tracing."""
    with trace.region():
        found = truth(test(*values))
        return None if isinstance(found, Tracer) else found


def _try_recording(
    trace: Trace, test: Callable[..., Any], body: Callable[..., Any], given: Sequence[Any], breaks: bool, start: bool | None
) -> Any:
    """The loop as a node; ``None`` where its first turn has to run while tracing."""
    loop = Loop(start is not None)
    names = _parameter_names(body, len(given))
    carry = Carry.of(trace, names, given)
    try:
        found = _settle(trace, loop, carry, test, body, breaks)
    except Unroll as unroll:
        if unroll.loop is not loop:
            raise
        return None
    if found is None:
        return _with_test_inside(trace, test, body, given, breaks)
    if start and found.constant and _ends_soon(trace, test, body, given, breaks):
        return _in_python(test, body, given, breaks)
    return _write_while(trace, carry, found, breaks)


@dataclass(eq=False)
class Turn:
    """One turn of a ``while`` loop, traced.

    Args:
        tested: the region of the test.
        go_on: what the test gave.
        region: the region of the body.
        stop: the traced flag that ends the loop, if there is one.
        values: the carried values after the turn.
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
) -> Turn | None:
    """Trace test and body until what they carry is settled; ``None`` if the test itself changes something."""
    for attempt in range(MOST_ATTEMPTS):
        tested, go_on = _trace_test(trace, loop, carry, test)
        if attempt == 0 and (tested.changes.objects or tested.changes.slots):
            return None
        region, stop, values = _trace_while_body(trace, loop, carry, body, breaks)
        constant = not region.leaves and _is_constant(carry, region) and _is_constant(carry, tested)
        if constant or region.leaves or not carry.widen(values, region.changes):
            return Turn(tested, go_on, region, stop, values, constant)
    trace.stop("AT208", "what this loop carries does not settle")


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
    with trace.region() as region:
        given = _enter_while(trace, loop, carry, region)
        go_on = truth(test(*given))
    return region, go_on


def _trace_while_body(
    trace: Trace, loop: Loop, carry: Carry, body: Callable[..., Any], breaks: bool
) -> tuple[Region, Any, Sequence[Any]]:
    with trace.region() as region:
        given = _enter_while(trace, loop, carry, region)
        stop, values = _call_body(trace, region, body, given, breaks)
    return region, stop, values


def _enter_while(trace: Trace, loop: Loop, carry: Carry, region: Region) -> tuple[Any, ...]:
    """Placeholders for one turn; those that start as constants would be known if the turn were run."""
    leaves = iter(list(carry.leaves()))

    def make(spec: Spec, name: str) -> Value:
        value = region.recorder.input(spec, name)
        if loop.peels and is_static(next(leaves).initial):
            loop.indices.add(value)
        return value

    trace.loops.append(loop)
    return carry.enter(make)


def _ends_soon(
    trace: Trace, test: Callable[..., Any], body: Callable[..., Any], given: Sequence[Any], breaks: bool
) -> bool:
    """Whether a loop of constants ends within a number of turns worth running while tracing."""
    values: Sequence[Any] = given
    with trace.region():
        for _ in range(MOST_STATIC_TURNS):
            if not _truth_now(test(*values)):
                return True
            result = body(*values)
            if breaks and truth(result[0]):
                return True
            values = result[1:] if breaks else result
    return False


def _write_while(trace: Trace, carry: Carry, turn: Turn, breaks: bool) -> Any:
    location = trace.location()
    with writing(trace, turn.tested):
        go_on = operand(trace, turn.go_on)
    inputs = carry.initial()
    flag = [] if turn.stop is None else [turn.stop]
    certain = not isinstance(turn.go_on, Tracer)
    finished, results = _finish(trace, turn.region, carry, flag, turn.values, certain)
    captured = list(dict.fromkeys([*turn.tested.recorder.captures, *turn.region.recorder.captures]))
    inputs += [trace.recorder.operand(value) for value in captured]
    blocks = (turn.tested.recorder.block([go_on], captured), finished.block(captured))
    attrs = {"breaks": bool(flag)}
    trace.append(Node("while_loop", tuple(inputs), tuple(finished.outputs), attrs, blocks, location))
    trace.note("AT003", "`while` is captured as while_loop")
    if not breaks:
        return results
    return (Tracer(trace, finished.outputs[0]) if flag else False, *results)


def _with_test_inside(
    trace: Trace, test: Callable[..., Any], body: Callable[..., Any], given: Sequence[Any], breaks: bool
) -> Any:
    """A loop whose test changes something: test and body become one body that leaves the loop by itself."""

    def turn(left: Any, *held: Any) -> Any:
        def go_on(*inner: Any) -> Any:
            result = body(*inner)
            return (result[0], result[0], *result[1:]) if breaks else (False, False, *result)

        def end(*inner: Any) -> Any:
            return (True, False, *inner)

        return cond(test(*held), go_on, end, held)

    _, left, *values = while_loop(lambda *held: True, turn, (False, *given), breaks=True)
    return (left, *values) if breaks else tuple(values)
