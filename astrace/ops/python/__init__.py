"""Rows of Python: operators, builtins, ``math``, containers, items, attributes, calls, strings.

====================  ===============================================
``operators``         unary, binary, comparing and in-place operators
``builtins``          builtin functions and ``math``
``objects``           specs of containers, items and attributes
``object_rows``       rows of containers, items and attributes
``unpacking``         what unpacking binds
``random_streams``    draws from Python's ``random.Random``
``special_methods``   how Python takes the result of a special method
``argument_binding``  which parameter gets which argument of a call
====================  ===============================================
"""
