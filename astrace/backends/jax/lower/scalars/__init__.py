"""Operators and numbers: conversions as NumPy converts, Python's integers, ranges.

=====================  =========================================================
``arithmetic``         operators and ufuncs in the dtype NumPy computes in
``comparisons``        comparisons of integers of any size
``operators``          Python's operators, plain and in place
``python_numbers``     Python's numbers: no wrap-around, division by zero raises
``builtins``           builtin functions and ``math``
``truth``              truth of a value
``store_cast``         conversion of what is stored
``symbolic_sizes``     sizes of arrays
``index_differences``  known differences of unknown indices
=====================  =========================================================
"""
