"""All passes of this package on a block, in their order."""

from __future__ import annotations

from astrace.ir.block import Block, Value
from astrace.passes.fusion.counted_items import with_counted_items
from astrace.passes.fusion.early_tests import with_early_tests
from astrace.passes.fusion.fuse import fused
from astrace.passes.fusion.last_items import with_last_items
from astrace.passes.fusion.loop_constants import with_constants_once
from astrace.passes.fusion.loop_memory import with_memory_around_loops
from astrace.passes.fusion.splitting import split
from astrace.passes.fusion.wrapping import with_wrapped_in_parts
from astrace.passes.lowering.memory import SharedMemory


def run_together(
    block: Block,
    memory: SharedMemory,
    own: set[Value],
    apart: set[tuple[Value, Value]],
    exact: bool = True,
) -> Block:
    """Return a block in which statements run together, and loops do what they need not do at each turn in front of them.

    Args:
        block: a lowered block, whose regions may use the values around them.
        memory: which arrays may share memory; new ones are added.
        own: the arrays that the program makes.
        apart: pairs of arrays that may not share memory; further ones are added.
        exact: results are to be NumPy's to the bit.
    """
    found = with_constants_once(fused(with_counted_items(block), memory, own, apart, exact))
    if exact:
        found = split(found, memory, own)
    found = with_wrapped_in_parts(found)
    return with_last_items(with_early_tests(with_memory_around_loops(found, memory)), memory, own)
