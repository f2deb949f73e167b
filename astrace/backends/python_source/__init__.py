"""Pieces of generated Python source: expressions, names, how ops are written, loading.

=================  ==================================================
``expressions``    pieces of expressions and how tightly they bind
``spelling``       how each op is written
``names``          names for values
``public_names``   functions that are called by their public names
``jax_callables``  functions that are given to JAX
``views``          elements and views of arrays
``lines``            rows of long statements, the user's lines
``loading``        source to function, with the user's file and lines
=================  ==================================================
"""
