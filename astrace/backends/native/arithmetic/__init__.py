"""Arithmetic that Numba does in another way than NumPy: as it has to be compiled.

===================  ================================================
``complex_numbers``  products and quotients of complex numbers
===================  ================================================
"""
