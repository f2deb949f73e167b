"""Functions that generated programs call, where NumPy or Python and JAX differ.

=================  ================================================
``support``        conversions and operations as NumPy does them
``checks``         conditions under which a call runs through XLA
``float_checks``   floating-point warnings and subnormal numbers
``extremes``       ``max`` and ``min`` with NaN
``control_flow``   branches and loops over values that do not match
``bounded_while``  loops with a known bound
``padded_axes``    parts of arrays whose length depends on data
=================  ================================================
"""
