"""Branches and loops.

================  ==================================
``branches``      ``cond``
``loops``         ``while_loop`` and ``for_loop``
``loop_sources``  what a ``for_loop`` gives its body
``unrolled``      loops that run when JAX traces
================  ==================================
"""
