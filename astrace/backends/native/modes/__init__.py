"""What kernels may do where they need not be exact, and where several threads may run them.

Takes loops and results; gives which loops can be divided, machine code for both, and whether results are near enough.

====================  ======================================================
``agreement``         whether a kernel's results are those of NumPy's program
``tolerance``         how far results may be off where they need not be exact
``unwritten_memory``  memory that a loop never writes, where nothing has to agree
``vector_math``       functions of the C library for several elements at once
``independence``      loops whose iterations do not depend on each other
``threads``           such loops in several threads
====================  ======================================================
"""
