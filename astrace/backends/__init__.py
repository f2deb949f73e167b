"""Block to callable: each backend writes Python source and compiles it.

============  ====================================================================
``base``      what a backend gives: source and a function
``names``     names for values, reused as soon as what they hold is not needed
``spelling``  how each op is written
``emitter``   statements and expressions in order; one for all backends
``numpy``     the backend that takes every block and is exact to the bit
============  ====================================================================
"""
