"""Branches and short-circuit logic: ``if``, the ternary, ``and``, ``or``, ``not``, chained comparisons.

On Python values they are Python's; on a tracer both sides are traced and a ``cond`` node holds them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from astrace.ir.block import Node
from astrace.ir.specs import GenericSpec, LiteralSpec, ScalarSpec, TupleSpec, options_of
from astrace.tracing.changes.merge import Merger
from astrace.tracing.context import Region, Trace, current
from astrace.tracing.record import record
from astrace.tracing.signals import Leaves
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.operands import operand

__all__ = ["and_", "chain", "cond", "if_exp", "not_", "or_", "truth", "when"]

Thunk: TypeAlias = Callable[[], Any]
BUILTIN_TYPES: Final = (bool, int, float, str, tuple, list, dict, set, type(None))
"""Types whose truth Python tells without running code of anybody's."""


def truth(test: Any) -> bool | Tracer:
    """Python's truth of a trace-level object: a ``bool`` where it is known, else a tracer."""
    trace = current()
    if isinstance(test, Tracer):
        known = _known_truth(trace, test)
        return trace.operators.truth_of_tracer(test) if known is None else known
    if type(test) in BUILTIN_TYPES and not trace.state.is_outside(test):
        return bool(test)
    return trace.operators.truth_of_object(test)


def _known_truth(trace: Trace, test: Tracer) -> bool | None:
    known = trace.truths.get(trace.recorder.origin(test.value))
    if known is not None:
        return known
    match test.value.spec:
        case LiteralSpec() as spec if spec.value is not NotImplemented:
            return bool(spec.value)
        case TupleSpec() as spec:
            return bool(spec.items)
        case _:
            return None


def trace_region(trace: Trace, function: Callable[..., Any], given: Sequence[Any]) -> Region:
    """Trace a function into a region of its own."""
    with trace.region() as region:
        try:
            region.result = function(*given)
        except Leaves:
            region.leaves = True
        except Exception as error:
            trace.operators.raise_while_tracing(error, "a branch")
            region.leaves = True
    return region


def cond(
    test: Any, then: Callable[..., Any], orelse: Callable[..., Any] | None, given: Sequence[Any] = ()
) -> Any:
    """``if test: … else: …``.

    Args:
        test: decides by its truth.
        then: takes ``given`` and returns what the branch leads to.
        orelse: likewise; without it ``given`` stays as it is.
        given: what the branches are given.

    Returns:
        What the taken branch returns.
    """
    trace = current()
    trace.hold_before()
    decided = truth(test)
    if not isinstance(decided, Tracer):
        if decided:
            return then(*given)
        return given if orelse is None else orelse(*given)
    trace.note("AT001", "`if` is captured as cond")
    return branch(trace, decided, then, orelse or _unchanged, given, expression=False)


def _unchanged(*given: Any) -> Any:
    return given


def branch(
    trace: Trace,
    test: Tracer,
    then: Callable[..., Any],
    orelse: Callable[..., Any],
    given: Sequence[Any] = (),
    expression: bool = True,
) -> Any:
    """Trace both branches and write the ``cond`` node; ``expression`` if it is one in the source."""
    location = trace.location()
    inputs = [operand(trace, test)]
    regions = [trace_region(trace, then, given), trace_region(trace, orelse, given)]
    merger = Merger(trace, regions)
    result = merger.results() if merger.live else None
    blocks, captured = merger.blocks()
    inputs += [trace.recorder.operand(value) for value in captured]
    attrs = {"expression": True} if expression else {}
    trace.append(Node("cond", tuple(inputs), tuple(merger.outputs), attrs, blocks, location))
    if not merger.live:
        raise Leaves
    return result


def if_exp(test: Any, then: Thunk, orelse: Thunk) -> Any:
    """``then if test else orelse``."""
    trace = current()
    trace.hold_before()
    decided = truth(test)
    if not isinstance(decided, Tracer):
        return then() if decided else orelse()
    trace.note("AT001", "a conditional expression is captured as cond")
    return branch(trace, decided, then, orelse)


def and_(first: Any, *rest: Thunk) -> Any:
    """``first and rest…``: the first operand that is false, or the last one."""
    current().hold_before()
    return _short_circuit(first, rest, stop_at=False)


def or_(first: Any, *rest: Thunk) -> Any:
    """``first or rest…``: the first operand that is true, or the last one."""
    current().hold_before()
    return _short_circuit(first, rest, stop_at=True)


def _short_circuit(value: Any, rest: Sequence[Thunk], stop_at: bool) -> Any:
    if not rest:
        return value
    decided = truth(value)

    last: Any = None

    def further() -> Any:
        nonlocal last
        last = _short_circuit(rest[0](), rest[1:], stop_at)
        return last

    def here() -> Any:
        return value

    if not isinstance(decided, Tracer):
        return value if decided is stop_at else further()
    trace, branches = current(), (here, further) if stop_at else (further, here)
    result = branch(trace, decided, *branches)
    if isinstance(result, Tracer) and _is_one_truth(trace, value, last, stop_at):
        trace.truths[result.value] = stop_at
    return result


def _is_one_truth(trace: Trace, value: Any, last: Any, stop_at: bool) -> bool:
    """Return whether ``value and last`` is false, or ``value or last`` true, whichever of the two it is.

    A test of that kind needs no branch.  Values whose truth may change later don't count.
    """
    if isinstance(last, Tracer):
        known = _known_truth(trace, last)
    else:
        known = bool(last) if type(last) in (bool, type(None)) else None
    if known is not stop_at or not isinstance(value, Tracer):
        return False
    return all(isinstance(spec, ScalarSpec | GenericSpec) for spec in options_of(value.value.spec))


def not_(value: Any) -> Any:
    """``not value``."""
    decided = truth(value)
    if not isinstance(decided, Tracer):
        return not decided
    return record(current(), "not_", (decided,))


def chain(left: Any, *links: tuple[str, Thunk]) -> Any:
    """``left < middle < right``: each operand is evaluated at most once, and only if it is needed."""
    (name, thunk), rest = links[0], links[1:]
    right = thunk()
    result = current().operators.compare(name, left, right)
    if not rest:
        return result
    return and_(result, lambda: chain(right, *rest))


def when(test: Any, then: Callable[[], Any]) -> Any:
    """Run one iteration of a comprehension with a condition; return whether the consumer has had enough."""

    def skip() -> bool:
        return False

    def run() -> Any:
        enough = then()
        return False if enough is None else enough

    return if_exp(test, run, skip)
