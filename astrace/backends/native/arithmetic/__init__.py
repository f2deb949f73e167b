"""Arithmetic that Numba does in another way than NumPy, as it has to be compiled, and what NumPy's loops do to flags.

===================  ================================================
``complex_numbers``  products and quotients of complex numbers
``loop_flags``       loops that leave the processor's status flags up
===================  ================================================
"""
