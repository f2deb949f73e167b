"""Operators and numbers: conversions as NumPy converts, Python's integers, ranges.

=====================  =========================================================
``arithmetic``         operators and ufuncs in the dtype NumPy computes in
``operators``          Python's operators, plain and in place
``python_numbers``     Python's numbers: no wrap-around, division by zero raises
``builtins``           builtin functions and ``math``
``conversions``        a value as it is stored, or as a truth value
``symbolic_sizes``     sizes of arrays, and known differences of unknown indices
=====================  =========================================================
"""
