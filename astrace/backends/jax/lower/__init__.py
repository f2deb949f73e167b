"""From a block to a program: one rule for each op, by which nodes become calls of JAX.

What is not JAX's own (the forms of values, control flow, indexing) is in ``passes/functional``.

=================  ===========================================================
``lowering``       the block as a whole, in attempts that assume more to be known
``results``        the outputs of a program, and the source that makes results of them
``leaf_nodes``     nodes in order, leaves by the rule of their op
``jnp_nodes``      nodes of programs of JAX's own functions, and functions given to JAX
``rule``           rules, and what many of them share
``containers``     items, tuples and attributes
``scalars/``       operators and builtin functions
``functions/``     functions of NumPy, and views
=================  ===========================================================
"""
