"""Functions of NumPy that are written in its other functions, as NumPy's own source is.

==============  ================================================
``terms``       arrays and numbers that write nodes, and the steps of functions on them
``table``       the rules of all functions here
``calculus``    differences, integrals and polynomials
==============  ================================================
"""
