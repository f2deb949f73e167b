"""Compilers of others, whose functions are checked beside the plain ones.

Takes what they made of a function, gives the function, and what is to be known of them: which errors are their own, how
their results stand beside NumPy's, what they allow themselves.

===============  ==========================================================
``table``        the compilers: how each is called, recognised and asked
``other_side``   the compiled function as a side of a check
``tolerances``   how far apart floats may be, for each dtype
``deviations``   what they are known to do otherwise, and what to do then
===============  ==========================================================
"""
