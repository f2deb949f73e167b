"""Block to block: each pass is one function that keeps the meaning of a block to the bit.

==================  ==========================================================================
``constants``       nodes whose inputs are all constants are computed
``simplify``        local rules: what is known from a node's own inputs
``branches``        a branch that is never or always taken, captures that are constants
``common_nodes``    the same computation twice
``hoist``           computations that are the same at every turn of a loop
``dead_nodes``      nodes whose results nobody uses
==================  ==========================================================================

``base`` holds the pipeline; ``liveness`` which values are needed; ``sharing`` what passes must know of arrays
that share memory; ``identity`` which numbers are told from equal ones; ``regions`` how control flow nodes change shape.
"""

from astrace.passes.base import PASSES, Pass, run

__all__ = ["PASSES", "Pass", "run"]
