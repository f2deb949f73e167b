"""Source to source: a function's control flow becomes calls of operators.

============== ==================================================================
``pipeline``   the steps in order; `rewrite`
``source``     finding a function's source, and proof that it is its source
``fence``      what is not supported, by name
``tree``       statements as a small closed tree; ``names``, ``flow``: analysis
``desugar``    ``match``, conditions that bind names, ``try``, ``yield``
``jumps``      ``break``, ``continue``, ``return`` made structural
``convert``    control flow as calls; ``fragments``: pieces of libcst
``lower``      expressions, when the text is loaded; ``load``: text to code
============== ==================================================================

The operators are only names here; what they do is the business of ``tracing``.
"""
