"""Which operations on floats have to be kept by name, so that the processor's status flags tell of them.

LLVM takes an operation on floats to have no effect but its result: it drops, delays or replaces one whose result is not
needed, and its flag is not raised.  Needed is what is stored, at a place of its own in each iteration, and what another
operation is computed from that is needed.  All other results are passed through an empty piece of assembly.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from astrace.ir.block import Block, Node, Operand, Value, region_inputs

OPERATIONS: Final = frozenset(
    {"add", "sub", "mul", "truediv", "floordiv", "mod", "neg", "abs", "square_root", "cast"}
    | {"complex_product", "complex_quotient", "python_quotient", "complex_number"}
)
"""The operations that may raise a flag, or whose results are such operations' written in another way."""
NEEDING: Final = (OPERATIONS - {"floordiv", "mod"}) | {"power", "call_ufunc"}
"""The operations that LLVM computes from their operands as they are."""


def unneeded(block: Block) -> frozenset[Value]:
    """Return the results of operations on floats that nothing needs for certain.

    Args:
        block: a lowered block.
    """
    return frozenset(_unneeded_in(block, frozenset()))


def _unneeded_in(block: Block, varying: frozenset[Value]) -> Iterator[Value]:
    """Yield those of a block and its regions; ``varying`` are the inputs that each iteration has its own of."""
    needed: set[Operand] = set(_stored(block, varying))
    for node in block.nodes:
        if node.op in NEEDING and is_float(node):
            needed.update(node.inputs)
    for node in block.nodes:
        if node.op in OPERATIONS and is_float(node) and node.output not in needed:
            yield node.output
        in_loop = node.op in ("for_loop", "while_loop")
        for region, captures, _ in region_inputs(node):
            own = frozenset(region.inputs) - frozenset(captures) if in_loop else frozenset[Value]()
            yield from _unneeded_in(region, own)


def is_float(node: Node) -> bool:
    """Return whether a node has a float or a complex number as its only output."""
    spec: Any = node.outputs[0].spec if len(node.outputs) == 1 else None
    dtype = getattr(spec, "dtype", None)
    return dtype is not None and dtype.kind in "fc" and not getattr(spec, "shape", ())


def _stored(block: Block, varying: frozenset[Value]) -> Iterator[Operand]:
    """Yield the values that iterations of a region store, each to a place of its own that nothing else stores to."""
    own = varying and {*varying, *(output for node in block.nodes for output in node.outputs)}
    stores = [node for node in block.nodes if node.op == "store"]
    for node in stores:
        base, value, *indices = node.inputs
        alone = sum(other.inputs[0] is base for other in stores) == 1
        if alone and any(index in own for index in indices):
            yield value
