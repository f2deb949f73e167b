"""Which operations on floats have to be kept by name, so that the processor's status flags tell of them.

LLVM takes an operation on floats to have no effect but its result: it drops, delays or replaces one whose result is not
needed, and its flag is not raised.  Needed is what is stored, at a place of its own in each iteration, and what another
operation is computed from that is needed.  All other results go into a word that is needed when the flags are read, by an empty
piece of assembly (`arithmetic.flags`).  LLVM computes several iterations of a loop at once only where there is none in it; so in
loops over elements the bits of such results are put together, and what comes out of the loop is passed through one.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.specs import GenericSpec
from astrace.ops.lowered_rounding import WHOLE

OPERATIONS: Final = frozenset(
    {"add", "sub", "mul", "truediv", "floordiv", "mod", "neg", "abs", "square_root", "cast"}
    | {"multiply_and_add"}
    | {"complex_product", "complex_quotient", "python_quotient", "complex_number"}
    | WHOLE.keys()
)
"""The operations that may raise a flag, or whose results are such operations' written in another way."""
NEEDING: Final = (OPERATIONS - {"floordiv", "mod"}) | {"power", "single_power", "call_ufunc", "bits_of"}
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
        if node.op in NEEDING and (is_float(node) or node.op == "bits_of"):
            needed.update(node.inputs)
    for node in block.nodes:
        if node.op in OPERATIONS and is_float(node) and node.output not in needed:
            yield node.output
        in_loop = node.op in ("for_loop", "while_loop")
        for region, captures, _ in region_inputs(node):
            own = frozenset(region.inputs) - frozenset(captures) if in_loop else frozenset[Value]()
            yield from _unneeded_in(region, own)


# -- constants ------------------------------------------------------------------------------------------


FOLDED: Final = frozenset({"add", "sub", "mul", "truediv", "select", "minimum", "maximum"})
"""The ops that LLVM folds with neutral constants, unless it does not know these: ``a / select(c, b, 1.0)`` becomes ``select(c, a / b, a)``,
which divides by all ``b``."""


def is_neutral(operand: Operand) -> bool:
    """Return whether LLVM might leave out an operation with a constant, or only turn the sign of the other operand."""
    return (
        isinstance(operand, Constant)
        and isinstance(operand.value, float | complex | np.inexact)
        and (abs(operand.value) in (0, 1) or isinstance(operand.value, complex | np.complexfloating))
    )


# -- loops over elements ---------------------------------------------------------------------------------


def with_kept_bits(block: Block) -> Block:
    """Return a block whose loops over elements put together the bits of what nothing needs for certain.

    Args:
        block: a lowered block, closed.
    """
    return _with_kept_bits(block, unneeded(block))


def _with_kept_bits(block: Block, kept: AbstractSet[Value]) -> Block:
    found: list[Node] = []
    for node in block.nodes:
        if _is_over_elements(node) and any(
            one.outputs and one.output in kept for one in node.regions[0].nodes
        ):
            found += _putting_together(node, kept)
            continue
        regions = tuple(_with_kept_bits(region, kept) for region in node.regions)
        found.append(replace(node, regions=regions) if regions else node)
    return Block(block.inputs, tuple(found), block.outputs)


def _is_over_elements(node: Node) -> bool:
    """Return whether LLVM may compute several iterations of a loop at once: each stores to a place of its own."""
    if node.op != "for_loop" or node.outputs or node.attrs["breaks"]:
        return False
    (region,) = node.regions
    if any(one.regions or one.op not in ELEMENTWISE for one in region.nodes):
        return False
    own = {region.inputs[0], *(output for one in region.nodes for output in one.outputs)}
    return all(not own.isdisjoint(one.inputs[2:]) for one in region.nodes if one.op == "store")


ELEMENTWISE: Final = (
    OPERATIONS
    | {"load", "store", "select", "minimum", "maximum", "and_", "or_", "xor", "not_", "invert"}
    | {"eq", "ne", "lt", "le", "gt", "ge", "is_finite", "real_part", "imaginary_part"}
)
"""The ops that processors have instructions for several numbers at once for, or nearly."""


def _putting_together(loop: Node, kept: AbstractSet[Value]) -> Iterator[Node]:
    """Yield a loop that carries the bits of what is to be kept, and what keeps them."""
    (region,) = loop.regions
    integer = GenericSpec(np.dtype(np.int64))
    so_far, found = Value(integer, "kept"), Value(integer, "kept")
    bits: Operand = so_far
    nodes: list[Node] = []
    for node in region.nodes:
        nodes.append(node)
        for output in node.outputs:
            if output in kept:
                own, joined = Value(integer), Value(integer)
                nodes.append(Node("bits_of", (output,), (own,), location=node.location))
                nodes.append(Node("or_", (bits, own), (joined,), location=node.location))
                bits = joined
    index, *captures = region.inputs
    over, outer = loop.inputs[:3], loop.inputs[3:]
    body = Block((index, so_far, *captures), tuple(nodes), (bits,))
    yield replace(loop, inputs=(*over, Constant(0), *outer), outputs=(found,), regions=(body,))
    yield Node("settled", (found,), (), location=loop.location)


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
