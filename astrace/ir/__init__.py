"""The graph: specs, values, nodes and blocks, and what can be done with them without knowing any op.

A *block* is a closed tuple of nodes in execution order.  Control flow nodes hold *regions*, which are
blocks themselves.  Arrays and other mutable objects are references, exactly as Python variables are:
a node that writes (``set_item``) changes the object its input refers to, and every other value that
shares the object sees it (``docs/design/0002-references-not-versions.md``).

======================  ===================================================
``specs``               what is known of a value before it exists
``unions``              which option of a union a value is
``values``              `Value`, `Constant`: inputs and outputs of nodes
``constants``           when two Python constants are the same constant
``block``               `Node`, `Block`; a block as text
``iteration``           iteration spaces of loops
``control``             named views of the control flow nodes
``builder``             makes blocks, from scratch or from other blocks
``trees``               nodes whose arguments are trees
``walk``                all nodes, all uses
``verify``              the rules of a block
``text``                trees as text
``interpret``           a block run node by node: its meaning
``interpret_observed``  the same, with an observer
``jax_arrays``          what is known of JAX's arrays without importing JAX
======================  ===================================================
"""
