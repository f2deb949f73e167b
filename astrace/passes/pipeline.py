"""The pipeline of passes: an ordered tuple, verified after each step where that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from astrace.ir.block import Block, Node
from astrace.ir.specs import Spec
from astrace.ir.verify import verify
from astrace.ops import OPS
from astrace.ops.infer import infer
from astrace.passes.branches import simplify_branches
from astrace.passes.common_nodes import merge_common_nodes
from astrace.passes.constants import fold_constants
from astrace.passes.dead_nodes import drop_dead_nodes
from astrace.passes.hoist import hoist_invariants
from astrace.passes.simplify import simplify
from astrace.util.events import emit

BlockPass: TypeAlias = Callable[[Block], Block]


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass.

    Args:
        name: what messages and logs call it.
        run: gives a block of the same meaning.
    """

    name: str
    run: BlockPass


PASSES: Final = (
    Pass("simplify", simplify),
    Pass("branches", simplify_branches),  # after simplify, which finds tests that are constant
    Pass("constants", fold_constants),
    Pass("dead_nodes", drop_dead_nodes),  # before the two below: they compare and move what is left
    Pass("common_nodes", merge_common_nodes),
    Pass("hoist", hoist_invariants),
    Pass("branches", simplify_branches),  # folding may have decided more branches
    Pass("dead_nodes", drop_dead_nodes),
)


def run(block: Block, passes: Sequence[Pass] = PASSES, check: bool = False) -> Block:
    """Pass a block through the pipeline.

    Args:
        block: what a trace recorded.
        passes: the passes, in order.
        check: verify the block before the first pass and after each.

    Returns:
        A block of the same meaning.

    Raises:
        BrokenBlock: with ``check``, a pass broke a rule; the message names it.
    """
    checked: dict[int, Node] = {}
    if check:
        verify(block, inferred, checked=checked)
    unchanged: dict[str, Block] = {}
    for one in passes:
        if unchanged.get(one.name) is block:
            continue
        before, block = block, one.run(block)
        if block is before:
            unchanged[one.name] = block
            continue
        emit("passes", f"after {one.name}", block)
        if check:
            verify(block, inferred, f"the pass {one.name}", checked)
    return block


def inferred(node: Node) -> tuple[Spec, ...] | None:
    """The specs that a leaf node's op infers for its outputs."""
    if node.op not in OPS:
        return None
    return infer(OPS[node.op], node.inputs, node.attrs, len(node.outputs))
