"""Loops whose iterations may hand on arrays of other shapes than they are given."""

from __future__ import annotations

from astrace.ir.block import Block, Node
from astrace.ir.control import loop_of
from astrace.ir.specs import ArraySpec, Spec
from astrace.ir.walk import nodes


def reshaping_loops(block: Block) -> frozenset[Node]:
    """Return the loops that may carry arrays of other shapes in each iteration: a known size becomes unknown."""
    return frozenset(filter(_reshapes, nodes(block)))


def _reshapes(node: Node) -> bool:
    loop = loop_of(node)
    if loop is None:
        return False
    outputs = node.outputs[loop.breaks :]
    return any(_loses_size(one.spec, after.spec) for one, after in zip(loop.carried, outputs, strict=True))


def _loses_size(first: Spec, spec: Spec) -> bool:
    if not isinstance(first, ArraySpec) or not isinstance(spec, ArraySpec):
        return False
    return any(a is not None and b is None for a, b in zip(first.shape, spec.shape, strict=False))
