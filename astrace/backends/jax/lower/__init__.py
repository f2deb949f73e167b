"""From a block to a program: one rule for each op, one module for each kind of control flow.

=================  ===========================================================
``lowering``       the block as a whole: what goes in and comes out
``body``           nodes in order
``leaf_nodes``     leaf nodes, by the rule of their op
``rule``           what a rule is
``state``          the part being written, versions of arrays, the flag ``ok``
``value_forms``    what a value is in a program
``retry``          attempts that take more to be known
``scalars/``       operators, comparisons, Python's numbers, known ranges
``functions/``     functions of NumPy
``indexing/``      items, views, masks
``control/``       branches and loops
``layout/``        tuples, lists and unions as flat variables
``floats/``        floating-point warnings
``jnp_programs/``  programs of JAX's own functions
=================  ===========================================================
"""
