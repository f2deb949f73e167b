"""From a block to a functional program, for backends that hand programs to an array compiler.

Takes nodes of a block and the forms of their operands; gives the nodes of a program: values without identity, no writes, no
exceptions.  An array is the variable that holds its contents now, and views that lead from there; a check that fails turns
one flag off, and the exact backend runs the call.  What of the array library is called has the name that the array API
standard gives to it (``xp.where``), so it knows no backend.

====================  ===========================================================
``program``           the nodes and values of programs
``ops``               the ops of these nodes, which a backend writes
``dtypes``            the dtypes of Python's numbers
``simplify``          a program made smaller
``refusal``           why a block is refused, or what has to be known for it
``forms``             the forms of values in a program
``state``             the part being written, versions of arrays, the flag ``ok``
``operands``          operands in the dtype that NumPy computes in
``conversions``       what is stored in an array, and truth
``python_numbers``    Python's numbers: no wrap-around, division by zero raises
``unions``            operands of one type or another
``symbolic_sizes``    sizes of arrays, and known differences of unknown indices
``layout/``           tuples, lists and unions as flat variables, identity of arrays
``indexing/``         items, keys, masks, parts whose length depends on data
``control/``          branches and loops
``floats/``           floating-point warnings
====================  ===========================================================
"""
