"""Values other than arrays as flat variables: tuples, lists, unions, identity.

====================  =====================================
``flatten``           forms as variables and back
``unions``            values that are one of a few forms
``containers``        tuples and attributes
``lists``             lists with a capacity and a length
``list_capacity``     room in lists that a loop appends to
``scan_lists``        lists that ``lax.scan`` stacks
``trace_time_lists``  lists that are filled when JAX traces
``array_identity``    identity of the arrays that a branch puts out
``buffer_swaps``      arrays that are permuted by a loop
====================  =====================================
"""
