"""Arrangements of stores and updates with which XLA changes arrays in place.

==================  =====================================
``store_patterns``  patterns of stores to elements of arrays
``inplace_stores``  stores in loops
``row_stores``      stores of rows
``barriers``        updates that XLA:CPU gets wrong
==================  =====================================
"""
