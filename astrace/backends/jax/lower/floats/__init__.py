"""Floating-point warnings and errors of NumPy, which a program detects.

===============  ==========================================================
``watch``        the values that have to be checked
``warnings``     checks of values against those that they were computed from
``propagation``  values that need no check since their results are checked
===============  ==========================================================
"""
