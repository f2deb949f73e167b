"""Where the nodes of a legalised block stood in the block that was given: what is wrong with one is told of the other.

Takes both blocks; gives numbers.  Knows no pass; it relies on their leaving nodes out, or writing several in the place of one.
"""

from __future__ import annotations

from astrace.ir.block import Block


def places(block: Block, legal: Block) -> list[int]:
    """Return for each node of a legalised block the place of the node that it stands for.

    Nodes that compute what another one has may be gone; where several stand for one, the last of them has its outputs.  A node
    without outputs stands for itself.

    Args:
        block: the block that was given.
        legal: what became of it.
    """
    makers = {output: place for place, node in enumerate(block.nodes) for output in node.outputs}
    bare = [place for place, node in enumerate(block.nodes) if not node.outputs]
    found: list[int] = []
    for node in reversed(legal.nodes):
        known = [makers[output] for output in node.outputs if output in makers]
        found.append(bare.pop() if not node.outputs else known[0] if known else found[-1])
    return found[::-1]
