"""Functions that generated programs call, where NumPy or Python and JAX differ.

================  =====================================================
``support``       conversions and operations as NumPy does them
``checks``        conditions under which a call runs through XLA
``control_flow``  branches and loops over values that do not match
``padded_axes``   parts of arrays whose length depends on data
================  =====================================================
"""
