"""Branches and loops.

================  ==================================
``branches``      ``cond``
``loops``         ``while_loop`` and ``for_loop``
``loop_sources``  the iterations of loops, which run over ranges
``unrolled``      loops that run at compile time
================  ==================================
"""
