"""The way of a call into a kernel: what it has to be like, and whose turn it is, kernel's or NumPy's.

A call that is as most calls are takes one small frame of Python: machine code tests its arguments, looks into the ledger,
and runs.  All others are asked about at length.

===================  ==================================================================
``argument_copies``  copies of the arguments of a call
``admission``        the test of a kernel's arguments at length, generated for it
``checks``           what machine code tests of its arguments, as data, and its objects
``checking``         that test as machine code
``entrance``         the function of machine code: tests, copies, calls, puts back
``keeping``          which parts of arrays a kernel copies before it writes them
``freed_memory``     memory that kernels have freed, kept for the next call
``kept_parts``       parts of arrays that a kernel copies before it writes them, and their way back
``log_places``       the loops in front of which a kernel copies the items that they overwrite
``item_logs``        these copies, as machine code
``memory``           the memory of a kernel's own arrays, and its end
``ledger``           the numbers of calls for which nobody need be asked
``list_results``     lists of Python's objects, of the arrays that a kernel gives
``seen_types``       with which types loops are entered, and the test that they are the same again
``fitting``          the lowered form of a kernel for the sizes of its arguments
``plain_stores``     kernels in front of stores into attributes, which run where a store only stores
``frame``            the function of Python that a program calls, generated for a kernel
===================  ==================================================================
"""
