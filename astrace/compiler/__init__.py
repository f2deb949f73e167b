"""One function compiled: calls are taken in, specialisations are made, found and run.

Takes a Python function and the arguments of each call; gives its result, and the stages behind it.  It calls
`rewrite`, `tracing`, `passes` and `backends` in a row and knows nothing of libraries or checks.

START HERE: `compiled`, then `specialise`, which has the stages in order.

=======================  ===============================================================
``compiled``             a compiled function: what a call does, `Compiled`
``target``               what is compiled: the function inside a callable, its signature
``dispatcher``           generated code that finds the specialisation whose guards hold
``specialise``           one specialisation: rewrite, trace, passes, backend
``stages``               what each stage gave, options, statistics
``recompiles``           why no specialisation fits, and what becomes an input then
``option_passes``        which passes the options ask for
``callee_entrances``     compiled functions that a graph calls directly
``frozen_graph``         `astrace.trace`: a graph for one call
``graph``                `Graph`, what a user looks at, runs and shows
``signature_check``      whether a call fits a frozen graph
``explain``              the source with what became of each line
``function_attributes``  what a compiled function shares with its function
=======================  ===============================================================
"""
