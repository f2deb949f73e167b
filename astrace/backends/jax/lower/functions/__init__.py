"""Rules of NumPy's functions.

==================  ========================================================
``table``           functions of the same name in JAX, with their parameters
``call_rows``       writing calls by that table
``several_arrays``  functions of several arrays, sorting, linear algebra
``creation``        functions that make arrays
``views``           other shapes of the same memory
``ufuncs``          ufuncs and their methods
``methods``         methods without a function of the same meaning
==================  ========================================================
"""
