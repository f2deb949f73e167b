"""Arrays whose shape or type the program sets in place: ``x.shape = …``, ``x.dtype = …``.

Whoever refers to such an array sees the change, so that from its making on nothing but its class may be known of it.
That is learned when the assignment is met: the trace starts again with the place where the array is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from astrace.ir.block import Node, Operand, Value
from astrace.ir.specs import AnySpec, ArraySpec, Spec, TupleSpec, UnionSpec, is_immutable
from astrace.ir.verify import OWN_INPUTS
from astrace.ops.effects import is_fresh, makes_anew
from astrace.tracing.changes.journal import Site
from astrace.tracing.context import Trace
from astrace.tracing.signals import Restart
from astrace.tracing.tracer import Tracer

CODE: Final = "AT210"

RESHAPING: Final = frozenset({"shape", "dtype", "strides", "data"})
"""Attributes of arrays whose assignment changes the array's spec."""

METHODS: Final = frozenset({"resize", "__setattr__", "__setstate__"})
"""Methods of arrays that do so."""

VIEWING: Final = frozenset(
    {
        *("get_item", "unpack", "np.meshgrid"),
        *("np.reshape", "ndarray.reshape", "np.transpose", "ndarray.transpose"),
    }
)
"""Ops that give new array objects where they are given an array."""


def loosened(trace: Trace, name: str, outputs: tuple[Value, ...]) -> tuple[Value, ...]:
    """Loosen the specs of an op's outputs: of arrays whose shape or type is set later, only the class is kept."""
    if trace.plan.reshaped is None or not any(map(_may_hold_array, outputs)):
        return outputs
    found: list[Value] = []
    for index, output in enumerate(outputs):
        site = (*trace.site(name), index)
        kept = output if site not in trace.plan.reshaped else replace(output, spec=_loose(output.spec))
        trace.sites[kept] = site
        found.append(kept)
    return tuple(found)


def _may_hold_array(value: Value) -> bool:
    return not is_immutable(value.spec)


def _loose(spec: Spec) -> Spec:
    match spec:
        case ArraySpec():
            return AnySpec(np.ndarray)
        case TupleSpec():
            return TupleSpec(tuple(map(_loose, spec.items)), spec.cls)
        case UnionSpec():
            return AnySpec()
        case _:
            return spec


def loosen_array(trace: Trace, array: Tracer, name: str) -> None:
    """Loosen the spec of an array, where it is made here, before an attribute of it is set.

    Raises:
        Restart: the trace has to start again, to know where arrays are made.
    """
    if trace.plan.reshaped is None:
        trace.plan.reshaped = set()
        raise Restart
    origin = trace.recorder.origin(array.value)
    makers = _makers(trace, origin)
    known = makers is not None and makers <= trace.plan.reshaped
    if known and not isinstance(origin.spec, ArraySpec):
        return
    if makers is None or known:
        hint = "use `reshape`, `view` or `astype`"
        trace.stop(CODE, f"`{name}` of an array that others may refer to is set in place", hint)
    trace.plan.reshaped |= makers
    trace.learnt = True  # this attempt goes on, to find other arrays


def refuse_reshaping(trace: Trace, cls: type | None, method: str) -> None:
    """End the capture where a method changes the shape or type of a possible array."""
    if method in METHODS and cls in (None, np.ndarray):
        trace.stop(CODE, f"`{method}` may change an array's shape in place", "make a new array")


def _makers(trace: Trace, array: Value) -> set[Site] | None:
    """Return the sites that make all arrays that a value may be, or ``None`` where they are not known."""
    pending, found = [array], set[Site]()
    while pending:
        value = pending.pop()
        node, site = trace.producers.get(value), trace.sites.get(value)
        if node is not None and node.op == "cond":
            pending += _of_branches(trace, node, node.outputs.index(value))
            continue
        if node is None or node.regions or site is None:
            return None
        found.add(site)
        if not _is_new(node):
            may_be = node.inputs[:1] if _is_method_of_array(node) else node.inputs
            given = (operand for operand in may_be if isinstance(operand, Value))
            pending += [trace.recorder.origin(one) for one in given if not is_immutable(one.spec)]
    return found


def _is_method_of_array(node: Node) -> bool:
    """Return whether a node calls a method of NumPy's arrays, which returns no argument but the array."""
    return node.op == "call_method" and node.inputs[0].spec == AnySpec(np.ndarray)


def _of_branches(trace: Trace, node: Node, index: int) -> Iterator[Value]:
    """Yield the values that the branches of a ``cond`` give for one of its outputs, if they may be arrays."""
    captured = node.inputs[OWN_INPUTS["cond"] :]
    for region in node.regions:
        given = dict(zip(region.inputs, captured, strict=True))
        output = region.outputs[index]
        source = given.get(output, output) if isinstance(output, Value) else output
        if isinstance(source, Value) and not is_immutable(source.spec):
            yield trace.recorder.origin(source)


def _is_new(node: Node) -> bool:
    """Return whether the outputs of a leaf node are objects that nothing else refers to."""
    made = is_fresh(node) or (makes_anew(node) and all(map(_is_array, node.outputs)))
    return made or (node.op in VIEWING and _is_array(node.inputs[0]))


def _is_array(operand: Operand) -> bool:
    """Return whether an operand is one of NumPy's own arrays; of a loosened one only the class is known."""
    return isinstance(operand.spec, ArraySpec) or operand.spec == AnySpec(np.ndarray)
