"""Arithmetic that Numba does in another way than NumPy, as it has to be compiled, and what NumPy's loops do to flags.

===================  ================================================
``complex_numbers``  products and quotients of complex numbers
``flags``            the processor's status flags
``fused_products``   how the library that multiplies matrices adds up, by trial
``loop_flags``       loops that leave the processor's status flags up
``searches``         places in sorted items
``small_products``   products of small matrices, element by element
``small_sums``       sums of few numbers
``sorting``          items in order
===================  ================================================
"""
