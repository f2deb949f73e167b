"""Rows of calls on arrays of JAX, which JAX itself infers.

============  ===================================================
``arrays``    rows of functions and methods of JAX
``closures``  functions that are given to JAX, as parts of a node
============  ===================================================
"""
