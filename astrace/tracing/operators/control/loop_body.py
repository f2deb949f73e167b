"""Tracing of one iteration and results of a loop, shared by ``for`` and ``while``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.constants import UNSET, is_static
from astrace.ir.specs import BOOL, Spec
from astrace.ops import OPS
from astrace.tracing.changes.carry import Carry
from astrace.tracing.changes.journal import Site
from astrace.tracing.changes.merge import writing
from astrace.tracing.context import Region, Trace
from astrace.tracing.operators.control.branches import truth
from astrace.tracing.recorder import Recorder
from astrace.tracing.signals import Leaves
from astrace.tracing.values.operands import joined, operand


@dataclass(eq=False)
class Loop:
    """A loop whose body is being traced.

    Args:
        peels: its first iteration can run while tracing.
        indices: the values in its body that would be Python numbers if it were unrolled.
        counted: how many iterations it has is known while tracing, whatever the data.
        site: where it is.
        recorder: what its body is written down by.
    """

    peels: bool = True
    indices: set[Value] = field(default_factory=set[Value])
    counted: bool = True
    site: Site = ()
    recorder: Recorder | None = None


def parameter_names(body: Callable[..., Any], count: int) -> tuple[str, ...]:
    """Return a body's names for its carried values: those of its last parameters."""
    code = body.__code__
    names = code.co_varnames[: code.co_argcount]
    return names[len(names) - count :] if len(names) >= count else ("",) * count


def call_body(
    trace: Trace, region: Region, body: Callable[..., Any], given: Sequence[Any], breaks: bool
) -> tuple[Any, Sequence[Any]]:
    """Call a loop's body once; return the flag that leaves the loop, if there is one, and the carried values."""
    try:
        result = body(*given)
    except Leaves:
        region.leaves = True
        return None, ()
    except Exception as error:
        trace.operators.raise_while_tracing(error, "the body of a loop")
        region.leaves = True
        return None, ()
    trace.hold()
    if not breaks:
        return None, result
    stop = truth(result[0])
    return (None if stop is False else stop), result[1:]


def is_constant(carry: Carry, region: Region) -> bool:
    """Return whether a region uses nothing traced from outside and only computes."""
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


def finish(
    trace: Trace,
    region: Region,
    carry: Carry,
    flag: Sequence[Any],
    values: Sequence[Any],
    certain: bool = False,
) -> tuple[Finished, tuple[Any, ...]]:
    """The outputs of a loop's body and of its node, and the carried values afterwards.

    Args:
        trace: the trace that is going on.
        region: the body, traced.
        carry: what the loop carries.
        flag: whether the body leaves the loop; empty if it can't.
        values: the carried names' values at the body's end.
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
        value = Value(result if certain else joined(trace, spec, result) if not region.leaves else spec, name)
        outputs.append(value)
        return value

    results = carry.enter(make)
    return Finished(region, outputs, operands), results
