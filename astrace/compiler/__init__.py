"""One function compiled: calls are taken in, specialisations are made, found and run.

Takes a Python function and the arguments of each call; gives its result, and the stages behind it.  It calls
`rewrite`, `tracing`, `passes` and `backends` in a row and knows nothing of libraries or checks.

START HERE: `compiled`, then `specialise`, which has the stages in order.

=======================  ======================================================================================
``compiled``             `Compiled`, what users hold; the slow path of a call
``bound_compiled``       a compiled method, bound to an instance
``target``               the function inside a callable, and its signature
``dispatcher``           generated code where every call arrives: it finds the specialisation whose guards hold
``direct_calls``         machine code in front of the dispatcher
``specialise``           one specialisation: rewrite, trace, passes, backend in a row
``stages``               the results of the stages; options; statistics
``recordable``           a recorder in front of the calls, and the report of one function
``recompiles``           why no specialisation fits, and what becomes an input then
``option_passes``        the passes that options ask for
``callee_entrances``     compiled functions that a graph calls directly
``frozen_graph``         `astrace.trace`: a graph for one call
``operator_nodes``       the operators that a frozen graph calls, and their state
``graph``                `Graph`, what a user looks at, runs and shows
``signature_check``      whether a call fits a frozen graph
``explain``              the source with the outcome of each line
``function_attributes``  attributes that a compiled function shares with its function
=======================  ======================================================================================
"""
