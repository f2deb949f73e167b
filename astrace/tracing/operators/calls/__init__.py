"""Calls: what a callable is, and whether it is traced through, recorded as an op, or left to run as an opaque call.

======================  =============================================================
``calls``               every call comes through here
``functions``           Python functions, traced at each call
``classes``             making instances
``op_calls``            calls of ops
``opaque_calls``        calls at run time, after which everything is read again
``declared_purity``     functions that users declare pure or impure
``operator_calls``      operators of pipelines: inlined, or nodes of their own
``builtins``            builtins that look at types, take functions or make iterables
``printing``            ``print``, whose arguments' texts are made one after the other
``evaluation``          ``eval(text)``, which sees the function's names
``iterable_builtins``   ``len``, ``range``, ``zip``, ``sum``, ``next``, …
``sort_builtins``       ``sorted``, ``max``, ``min`` with a key
``attribute_builtins``  ``getattr``, ``setattr``, ``hasattr``, ``vars``, …
``builtin_signatures``  which arguments a builtin accepts
``argument_packing``    arguments as inputs and attributes of a node
``star_args``           ``f(*items)`` of unknown length
``known_results``       functions of NumPy that are decided while tracing
``recursion``           functions that call themselves
``runtime_functions``   local functions made at run time
``dataclass_replace``   ``dataclasses.replace``, ``_replace``
``tracebacks``          functions that look at tracebacks and frames
``warnings``            ``warnings.warn`` in a traced callee
======================  =============================================================
"""
