"""From a block to an equivalent block: each pass is one function that keeps the meaning to the bit.

Knows ops and guards, nothing of tracing or backends.  ``pipeline`` has the passes in order.

==================  ==================================================
``pipeline``        the passes in order, until nothing changes
``simplify``        local rules, from a node's own inputs
``constants``       nodes whose inputs are constants
``branches``        branches that are never or always taken
``common_nodes``    the same computation twice
``hoist``           loop-invariant code
``dead_nodes``      nodes that nobody uses
``drop_effects``    effects that cannot be observed
``narrowing``       loops for the types that they have been entered with
``narrowed_nodes``  leaf nodes for other types of their inputs
``loop_checks``     checks in loops, taken out of them
``cache_arrays``    constant arrays that are made once
``regions``         how control flow nodes change shape
``open_blocks``     blocks whose regions see the values around them
``analysis/``       what passes and backends ask about a block
``legalise/``       blocks with fewer kinds of node, for backends that may give up
``lowering/``       blocks on machine numbers, for backends that compute on them
``functional/``     programs without writes, for backends of array compilers
``deferral/``       stores into attributes, moved behind what they are among
``fusion/``         statements of lowered blocks that run together
``bake/``           calls that are made once, while a graph is frozen
==================  ==================================================
"""

from astrace.passes.pipeline import PASSES, Pass, run

__all__ = ["PASSES", "Pass", "run"]
