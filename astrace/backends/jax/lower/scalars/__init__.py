"""Operators and numbers: conversions as NumPy converts.

=====================  =========================================================
``arithmetic``         operators and ufuncs in the dtype NumPy computes in
``operators``          Python's operators, plain and in place
``builtins``           builtin functions and ``math``
=====================  =========================================================
"""
