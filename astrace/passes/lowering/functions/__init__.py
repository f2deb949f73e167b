"""Functions of Python and NumPy in a lowered block: the rules of their nodes.

==================  ================================================
``python_calls``    builtins, and ops that only read values
``math_calls``      functions of `math` that Python computes by itself, and NumPy's scalars
``numpy_calls``     functions that NumPy's own loops compute
``products``        products of matrices
``accumulation``    reductions, functions and products that need not be exact
``powers``          powers of numbers and arrays
``array_making``    functions that make arrays, or other views of one
``rearranging``     functions that make arrays of numbers, or of elements at other places
``joining``         arrays beside each other, and parts that lie so
``reshaping``       other axes of the same elements
``axes``            the axes of an array along which a call reduces it
``reductions``      sums, extremes and the like, along some axes
``counting``        running sums, bins, what is not zero, and diagonals
``sorting``         arrays in order, the item in the middle, and places of extremes
``searching``       places in sorted items, and what lies between them
``padding``         arrays with more items around them
``complex_calls``   functions of complex numbers
``linear_algebra``  loops of ``np.linalg`` for one matrix
``list_calls``      lists, and the ranges that they are made of
``of_lists/``       methods of lists of numbers, and places in them
``clipping``        numbers kept between two others
``tuples``          tuples of numbers that are compared
``indices``         the indices of an array, or of its triangles
==================  ================================================
"""
