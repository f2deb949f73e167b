"""State outside the function: arguments, globals, cells, attributes and items that it reads.

Takes the path to an object; gives an input of the graph (a live read) or a constant under a guard.

====================  ==================================================================================
``reads``             where an argument or a read becomes an input or a guarded constant: `OutsideReads`
``inputs``            the lists of inputs and guards of a graph in the making
``places``            which outside objects are known, and what they hold
``slots``             one name for each place, whichever way it is reached
``value_identity``    numbers, texts and tuples that leave as the objects they came as
``frozen_inputs``     reads that are fixed on request
``freezer``           the constants of one frozen function
``public_functions``  functions that generated code calls by public names
``opaque_stores``     what an opaque function may store, from its code
``stale_guards``      guards that an opaque call may have made stale
``rechecks``          guards that are checked again in the middle of a program
====================  ==================================================================================
"""
