"""Branches and loops.

================  ==================================
``branches``      ``cond``
``loops``         ``while_loop`` and ``for_loop``
``loop_sources``  the elements of a ``for_loop``
``unrolled``      loops that run when JAX traces
================  ==================================
"""
