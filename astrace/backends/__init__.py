"""Block to callable: each backend writes Python source and compiles it.

============  ====================================================================
``base``      what a backend gives: source and a function
``names``     names for values, reused as soon as what they hold is not needed
``spelling``  how each op is written, of pieces of expressions (``code``)
``forms``     which nodes become expressions, statements, assignments in place
``emitter``   statements and expressions in order; one for all backends
``branches``  regions, branches, ways out of a loop
``loops``     loops
``numpy``     the backend that takes every block and is exact to the bit
============  ====================================================================
"""
