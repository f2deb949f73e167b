"""From a block to a callable: each backend writes Python source and compiles it.

Takes a block; gives `Executable`: source and a function.  Knows no tracing and no guards.

==================  ==============================================
``base``            `Executable`, the result of a backend
``select``          which backend runs a block
``python_source/``  pieces of generated source that backends share
``native/``         loops as machine code, through Numba
``numpy/``          the exact backend, which takes every block
``jax/``            blocks through XLA
==================  ==============================================
"""
