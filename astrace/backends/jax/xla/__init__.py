"""Arrangements of stores and updates with which XLA changes arrays in place.

==================  =====================================
``inplace_stores``  stores in loops
``row_stores``      stores of rows, and patterns of stores
``barriers``        updates that XLA:CPU gets wrong
==================  =====================================
"""
