"""Trace-level objects: what is known of them, who made them, which of the user's code they may run.

===================  ======================================================
``operands``         from a trace-level object to a node's operand
``static_values``    values that follow from what the specialisation fixes
``objects``          how an object's attributes are found and changed
``special_methods``  which special methods of a class are the user's
``special_lookup``   which code answers for a special method
``callables``        what is known of a callable that is not traced through
``closures``         local functions and their variables
``lazy``             lazy iterables, methods of tracers
``list_specs``       one spec for all items of a list
``long_sequences``   long lists that are walked at run time
``jax_trees``        registered trees of JAX's arrays
``annotations``      annotations of local functions
===================  ======================================================
"""
