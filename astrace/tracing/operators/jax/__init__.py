"""Functions and arrays of JAX in a trace.

===============  =================================================================
``arrays``       attributes and methods of JAX's arrays, calls of its functions
``transforms``   functions given to JAX: ``jax.grad(f)(x)``, ``lax.scan(step, …)``
``application``  one such call, evaluated abstractly
``callbacks``    the functions given, traced when JAX calls them
===============  =================================================================
"""
