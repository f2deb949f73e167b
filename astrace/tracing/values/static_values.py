"""Values that are known after all: those that follow from what the specialisation fixes.

A Python number given as an argument, or the size of an array's dimension, is traced like any other value.
Where its value is needed (a shape, an index into a Python list, a dict key), it becomes static for this
specialisation: a guard on it is added, and the nodes that lead to the wanted value are evaluated.  The
contents of arrays are never looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from astrace.errors import Reason
from astrace.ir.block import Node, Operand, Value
from astrace.ir.interpret import call_arguments, step
from astrace.ir.specs import GenericSpec, LiteralSpec, ScalarSpec, is_immutable
from astrace.ops import OPS
from astrace.ops.constant_folding import must_wait
from astrace.tracing.context import Trace
from astrace.tracing.signals import Uncapturable, Unroll
from astrace.tracing.tracer import Tracer


class _Unsettled(Exception):
    """A value does not follow from what is fixed; ``value`` is the one that stands in the way."""

    def __init__(self, value: Value) -> None:
        super().__init__(value)
        self.value = value


def concrete(trace: Trace, tracer: Tracer) -> Any:
    """The value of a tracer, made static for this specialisation.

    Raises:
        Unroll: it follows from the index of a loop that can be unrolled.
        Uncapturable: it does not exist before the program runs.
    """
    try:
        return _evaluate(trace, tracer.value, _fix)
    except _Unsettled as unknown:
        _unroll(trace, unknown.value)
        location = trace.location()
        name = unknown.value.name
        what = (
            f"the value of `{name}`"
            if name
            else "a value that is computed here, or in a function called here,"
        )
        message = f"{what} is needed while tracing, as a number, a position, a length or a key"
        raise Uncapturable(Reason("AT201", message, location, HINT)) from None


HINT: Final = (
    "keep the items that it selects or counts in an array; name the argument that it follows from in `static_argnames`; "
    "or move that line into a function of its own: then only its call is left to plain Python"
)


def depends_on_loop(trace: Trace, value: Any, counted: bool = False) -> bool:
    """Return whether a value follows from the index of an enclosing loop that can be unrolled.

    Args:
        trace: the capture.
        value: the value.
        counted: only loops are meant that have as many iterations whatever the data.
    """
    if not isinstance(value, Tracer):
        return False
    try:
        _evaluate(trace, value.value, lambda _, unknown: _refuse(unknown))
    except _Unsettled as unknown:
        loops = [loop for loop in trace.loops if loop.counted or not counted]
        return any(unknown.value in loop.indices for loop in loops)
    return False


def _unroll(trace: Trace, value: Value) -> None:
    for loop in reversed(trace.loops):
        if value in loop.indices:
            raise Unroll(loop)


Fix = Callable[[Trace, Value], Any]


def _fix(trace: Trace, value: Value) -> Any:
    """Make an input static by a guard."""
    return trace.state.fix(value) if trace.state.can_fix(value) else _refuse(value)


def _refuse(value: Value) -> Any:
    raise _Unsettled(value)


def _evaluate(trace: Trace, wanted: Value, fix: Fix) -> Any:
    """Evaluate the nodes that lead to a value, without recursion: they may form a long chain."""
    origin = trace.recorder.origin
    found: dict[Value, Any] = {}
    wanted = origin(wanted)
    pending = [wanted]
    while pending:
        value = pending[-1]
        if value in found:
            pending.pop()
            continue
        node = trace.producers.get(value)
        if node is None:
            found[value] = fix(trace, value)
            continue
        missing = [operand for operand in _needed(trace, node, value) if operand not in found]
        if missing:
            pending.extend(missing)
            continue
        found.update(zip(node.outputs, _run(trace, node, value, found), strict=True))
    return found[wanted]


def _needed(trace: Trace, node: Node, value: Value) -> list[Value]:
    """The values a node's result follows from; raises if it may follow from anything else."""
    if node.op == "dim":
        return []
    op = OPS.by_name.get(node.op)
    numbers = all(
        isinstance(output.spec, ScalarSpec | GenericSpec | LiteralSpec) or is_immutable(output.spec)
        for output in node.outputs
    )
    pure = op is not None and not op.ordered and not op.writes and numbers and not node.regions
    if not pure or not all(map(_is_number, node.inputs)):
        raise _Unsettled(value)
    return [trace.recorder.origin(operand) for operand in node.inputs if isinstance(operand, Value)]


def _is_number(operand: Operand) -> bool:
    return is_immutable(operand.spec)


def _run(trace: Trace, node: Node, value: Value, found: dict[Value, Any]) -> tuple[Any, ...]:
    if node.op == "dim":
        return (trace.state.fix_dim(node) if trace.state.can_fix_dim(node) else _refuse(value),)
    origin = trace.recorder.origin
    given = [found[origin(item)] if isinstance(item, Value) else item.value for item in node.inputs]
    if must_wait(OPS.implementation(node.op), call_arguments(node, given)[0]):
        raise _Unsettled(value)
    return trace.native(lambda: step(node, given, OPS.implementation(node.op)))
