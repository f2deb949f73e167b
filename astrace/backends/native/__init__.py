"""Loops and array code as machine code, through Numba, whose results are NumPy's to the bit.

Takes a block; gives a NumPy program in which loops and array code that have a lowered form are calls of compiled
kernels.  A kernel that meets what machine numbers can't do, such as an exception or a warning, undoes what it has
written, and the NumPy source of the same code runs in its place.  Knows no tracing.

================= ======================================================
``backend``       the NumPy program with kernels in it
``warm_up``       NumPy source whose loops are timed, until they are hot
``judge``         the choice between a kernel and NumPy's program
``hints``         what earlier processes have found out about loops
``partition``     the parts of a block that become kernels
``runs``          array code and loops that are consecutive
``undoing``       whether a kernel may give up when it has written
``seams``         what goes into such a run, and what comes out
``kernel``        a compiled loop: calls, and undoing
``entry/``        the way of a call into a kernel: tests of its arguments, and whose turn it is
``direct/``       calls of compiled functions that go to machine code with no Python in between
``watched``       operations that have to be kept for the processor's status flags
``source``        the text of a kernel, which also runs without Numba
``modes/``        kernels that need not be exact, or run in several threads
``host``          the names in the text, where Python runs it
``machine``       the names in the text, as Numba compiles them
``callees``       functions that kernels call
``polling``       signals and other threads, while a kernel runs
``numpy_loops``   NumPy's own loops, called from compiled code
``number_lists``  lists of machine numbers in compiled code
``numpy_arrays``  arrays of NumPy's own, made by compiled code
``signature``     the types of a kernel's arguments
``machine_code``  pieces of machine code out of the cache on disk, or compiled
``object_code``   machine code as bytes, and as a function of Python
``symbols``       the names that machine code calls, and their addresses
``arithmetic/``   arithmetic that Numba does in another way than NumPy
``products/``     products of matrices and vectors, as the library adds them up
``drawing/``      draws from random generators
``background/``   kernels that another process compiles meanwhile
================= ======================================================
"""
