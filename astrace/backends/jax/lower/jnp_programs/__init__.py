"""Programs of JAX's own functions, written as the user wrote them.

===============  ==========================================================
``nodes``        nodes of such programs, and functions that are given to JAX
``weak_dtypes``  weakly typed numbers
===============  ==========================================================
"""
