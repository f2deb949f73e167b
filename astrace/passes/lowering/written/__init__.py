"""Functions of NumPy that are written in its other functions, as NumPy's own source is.

==============  ================================================
``table``       the rules of all functions here
``terms``       arrays and numbers that write nodes, and the steps of functions on them
``operators``   Python's operators, as the ops that they are
``loops``       what functions need beside ops
``calculus``    differences, integrals and polynomials
``statistics``  means, spreads, and items in order
``signals``     convolutions, histograms and shifts
``algebra``     products, norms and bounds
``summation``   `einsum` of two arrays
``transforms``  Fourier transforms, and windows
``shapes``      copies of elements at other places
``ranges``      arrays that follow from numbers, or from one array
``views``       other axes of the same elements
``signatures``  calls that a function does not take
==============  ================================================
"""
