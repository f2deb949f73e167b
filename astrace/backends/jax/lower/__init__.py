"""From a block to a program: one rule for each op, one module for each kind of control flow.

=================  ===========================================================
``lowering``       the block as a whole, in attempts that assume more to be known
``results``        the outputs of a program, and the source that makes results of them
``leaf_nodes``     nodes in order, leaves by the rule of their op
``jnp_nodes``      nodes of programs of JAX's own functions, and functions given to JAX
``rule``           rules, and what many of them share
``state``          the part being written, versions of arrays, the flag ``ok``
``value_forms``    the forms of values in a program
``scalars/``       operators, comparisons, Python's numbers, known ranges
``functions/``     functions of NumPy
``indexing/``      items, views, masks
``control/``       branches and loops
``layout/``        tuples, lists and unions as flat variables
``floats/``        floating-point warnings
=================  ===========================================================
"""
