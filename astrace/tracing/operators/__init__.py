"""The operators that rewritten code calls: ``ag.cond``, ``ag.for_loop``, ``ag.call``, ``ag.attr`` and the rest.

Each operator does at once what involves only Python's own constants and objects made while tracing, and records
nodes for everything else.  Rewritten code reaches them through `astrace.tracing.ag`, the rest of tracing through
``services``.

============  ========================================================
``services``  what other parts of tracing ask of the operators
``control/``  branches, loops, ``try``, ``with``, ``raise``
``calls/``    every call: functions, classes, builtins, opaque calls
``data/``     operators, attributes, items, names, containers, strings
``jax/``      functions and arrays of JAX
============  ========================================================
"""
