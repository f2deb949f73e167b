"""Making the leaves of rewritten text dispatch, when it is loaded.

The rewritten text shows what was restructured: statements.  What merely dispatches (loads of globals,
attributes and items, calls, arithmetic, comparisons, short-circuit logic, comprehensions) would bury it
under helper calls, so it is written as the user wrote it and lowered here, on the parsed tree, by one
rule for each kind of node: ``x[i] + self.w`` becomes ``ag.binary("add", ag.item(x, i), ag.attr(self, "w"))``.

==================  ==========================================================
``scopes``          what a name means: a local, a global or a cell
``expressions``     the rules for expressions
``comprehensions``  the rules for comprehensions and generator expressions
``statements``      the rules for stores, deletions, imports, nested functions
==================  ==========================================================
"""

from astrace.rewrite.dispatch.statements import lower

__all__ = ["lower"]
