"""Floating-point warnings and errors of NumPy, which a program detects.

===============  ==========================================================
``warnings``     checks of values against those that they were computed from
``watch``        the values that have to be checked
===============  ==========================================================
"""
