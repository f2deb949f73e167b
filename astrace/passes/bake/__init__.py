"""Calls that are made once, while a graph is frozen: their results are in the graph.

================  ================================
``calls``         calls that depend on no argument
``random_draws``  random draws, on request
``rng_state``     generators that are put back
``method_calls``  methods that are looked up to be called
``sizes``         sizes that are known where arrays are fixed
================  ================================
"""
