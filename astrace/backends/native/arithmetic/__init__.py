"""Arithmetic that Numba does in another way than NumPy, as it has to be compiled, and what NumPy's loops do to flags.

=====================  ================================================
``block_sums``         sums of some floats, eight at a time
``complex_numbers``    products and quotients of complex numbers
``c_functions``        calls of the C library's functions
``extremes``           the larger and the smaller of two numbers
``error_settings``     which errors of floats NumPy tells of now
``flags``              the processor's status flags
``hypotenuses``        `np.hypot` of arrays, as the C library computes it
``loop_calls``         calls of NumPy's inner loops, as compiled code writes them
``loop_flags``         loops that leave the processor's status flags up
``product_orders``     in what order the library that multiplies adds up, by trial
``python_math``        functions of `math` that Python computes by itself
``rounded_powers``     squares and roots that are written as powers
``negative_powers``    whole powers of arrays with negative items
``searches``           places in sorted items
``small_products``     products of small matrices and vectors, element by element
``small_reductions``   sums and other reductions of few numbers
``solution_ways``      in what way the library that NumPy calls solves few equations, by trial
``sorting``            items in order
``unrolled_products``  products of small matrices, written out
=====================  ================================================
"""
