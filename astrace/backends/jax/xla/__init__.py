"""How stores and updates are arranged so that XLA changes arrays in place.

==================  =====================================
``store_patterns``  what steps do with elements of arrays
``inplace_stores``  stores in loops
``row_stores``      stores of rows
``barriers``        updates that XLA:CPU gets wrong
==================  =====================================
"""
