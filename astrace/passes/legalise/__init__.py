"""Blocks with fewer kinds of node, for backends that may give a program up.

Takes a block; gives an equivalent one, whose ops have the same rules as before.  A backend lowers what is left.

=================  =====================================================
``counted_loops``  loops over arrays and the like as loops over ranges
``filled_lists``   arrays of lists as they are if these have items
``places``         where the nodes stood in the block that was given
``reductions``     loops in the places of Python's sums and extremes
``rows``           tuples in the places of lists that are rows of an array
``tries``          bodies, or handlers, in the places of ``try``
``truths``         truth values in the places of what is only tested
=================  =====================================================
"""
