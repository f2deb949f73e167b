"""On request: arrays that follow from constants alone are computed once and kept, instead of at each call.

An array is kept only if nothing in the block writes it and nothing outside ever gets hold of it, so one call
can't see what an earlier one did.
"""

from __future__ import annotations

import numpy as np

from astrace.ir.block import Block, Constant, Node, Origin, Value
from astrace.ir.builder import Builder, rebuild
from astrace.ir.interpret import call_arguments, step
from astrace.ir.specs import ArraySpec
from astrace.ops import OPS
from astrace.ops.effects import is_ordered, written
from astrace.ops.numpy.size_limits import is_large
from astrace.passes.analysis.aliasing import Sharing

MOST_BYTES = 1 << 24
"""Larger arrays are made at each call: filling them is cheaper than keeping them."""


def cache_arrays(block: Block) -> Block:
    """Compute arrays that depend on constants alone; their origin is ``cached``."""
    sharing = Sharing(block)

    def visit(node: Node, builder: Builder) -> None:
        node = builder.updated(node)
        found = _computed(node, sharing)
        if found is None:
            builder.nodes.append(node)
        else:
            builder.replace(node.outputs, [Constant(found, Origin("cached", location=node.location))])

    return rebuild(block, visit)


def _computed(node: Node, sharing: Sharing) -> np.ndarray | None:
    """Return the array that a node makes at every call; nothing where it may differ."""
    if node.regions or len(node.outputs) != 1 or is_ordered(node) or written(node):
        return None
    if not all(isinstance(operand, Constant) for operand in node.inputs) or not _is_kept(
        node.output, sharing
    ):
        return None
    if OPS[node.op].function in (np.empty, np.empty_like):
        return None
    given = [operand.value for operand in node.inputs if isinstance(operand, Constant)]
    if is_large(OPS.implementation(node.op), call_arguments(node, given)[0]):
        return None
    try:
        with np.errstate(all="raise"):
            (found,) = step(node, given, OPS.implementation(node.op))
    except Exception:  # the program's own exception, raised when it runs
        return None
    return found if type(found) is np.ndarray and found.nbytes <= MOST_BYTES else None


def _is_kept(value: Value, sharing: Sharing) -> bool:
    spec = value.spec
    if not isinstance(spec, ArraySpec) or spec.dtype.hasobject:
        return False
    return all(isinstance(size, int) for size in spec.shape) and sharing.is_private(value)
