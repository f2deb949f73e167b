"""Calls to block: a rewritten function runs over tracers, operators write nodes down, nothing is done.

=============== =====================================================================
``trace``       the stage itself: a function and arguments in, a `Recording` out
``context``     one trace: what all parts share; ``plan``: what earlier attempts taught
``tracer``      the stand-in for a value; ``values``: other trace-level objects
``recorder``    one block in the making; ``record``: from an op to a node
``lifting``     from trace-level objects to operands
``state``       reads of outside state: live reads and guards
``journal``     objects made while tracing, and what a region changes of them
``objects``     whose an object is; how its attributes are found
``merge``       what branches lead to; ``carry``: what loops carry
``concrete``    values that follow from what the specialisation fixes
``callables``   what is known of callables that are not traced through
``waiting``     code that waits while code of another frame runs
``operators``   what rewritten code calls
``results``     what a captured function returns
``stops``       how a trace ends early
=============== =====================================================================
"""
