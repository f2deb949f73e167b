"""Whether a kernel may give up after it has written, so that what it writes has to be copied first."""

from __future__ import annotations

from typing import Final

from astrace.ir.block import Block, Node
from astrace.passes.lowering.lower import LoweredBlock

WRITES: Final = frozenset({"store", "apply_ufunc", "apply_gufunc", "multiply_matrices", "draw", "fill_draws"})
MAY_GIVE_UP: Final = frozenset({"deopt", "allocate", "true_positions"})
"""Tests that fail, and memory that there is not."""


def may_give_up_late(lowered: LoweredBlock) -> bool:
    """Return whether a kernel may give up when it has written: at its end it looks for what NumPy would warn of.

    Args:
        lowered: the kernel.
    """
    return bool(lowered.written) and (lowered.uses_floats or _gives_up(lowered.block, False)[0])


def _gives_up(block: Block, wrote: bool) -> tuple[bool, bool]:
    """Return whether a block may give up when something is written, and whether it, or what is before it, writes."""
    for node in block.nodes:
        if wrote and node.op in MAY_GIVE_UP:
            return True, True
        late, wrote = _in_regions(node, wrote or node.op in WRITES)
        if late:
            return True, True
    return False, wrote


def _in_regions(node: Node, wrote: bool) -> tuple[bool, bool]:
    """The same for the regions of a node; those of a loop come again, after all that it writes."""
    found = wrote
    turns = 2 if node.op in ("for_loop", "while_loop") else 1
    for _ in range(turns):
        before = found
        for region in node.regions:
            late, after = _gives_up(region, before)
            if late:
                return True, True
            found = found or after
    return False, found
