"""Operators and numbers: conversions as NumPy converts, Python's integers, ranges.

=====================  =========================================================
``arithmetic``         operators and ufuncs in the dtype NumPy computes in, stores, truth
``operators``          Python's operators, plain and in place
``python_numbers``     Python's numbers: no wrap-around, division by zero raises
``builtins``           builtin functions and ``math``
``symbolic_sizes``     sizes of arrays, and known differences of unknown indices
=====================  =========================================================
"""
