"""The exact backend: readable Python source over NumPy, to the bit as plain Python.

===================  ================================================================
``backend``          block to source to function
``emitter``          statements and expressions in the block's order
``statements``       assignments in place and of several items
``statement_forms``  which nodes become expressions, statements, assignments in place
``branches``         branches, regions and ways out of a loop
``loops``            ``for`` and ``while``
===================  ================================================================
"""
