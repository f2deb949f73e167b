"""From a call to a block: the rewritten function runs over tracers, and operators record nodes.

Takes a rewritten function and arguments; gives a `Recording`: a block, guards, inputs and notes.  Nothing of the
user's program is done while tracing.  It knows neither libcst nor backends.

START HERE: `trace`; then `context`, which has what all parts share.

======================  =========================================================
``trace``               the stage itself, with its attempts
``ag``                  the contract with rewritten code: all that ``ag.`` offers
``context``             one trace: recorder, journal, plan, operators, state
``operators_protocol``  what the parts of a trace ask of the operators
``state_protocol``      what the parts of a trace ask of the outside state
``plan``                the lessons of earlier attempts
``lessons``             what captures learn, for themselves and for others
``restart``             when an attempt ends early
``endings``             the reason for a trace that gives no recording
``signals``             exceptions that end an attempt
``tracer``              the stand-in for a value
``recorder``            a block in the making
``record``              from an op on trace-level values to a node
``scopes``              names and lines of original functions
``results``             what a captured function returns
``notes``               notes on each line, for `explain`
``outlining``           callees that are left out of a large capture
``float_errors``        `np.errstate` and floating-point warnings
``line_watchers``       hiding tracing from coverage and debuggers
``operators/``          the operators that rewritten code calls
``values/``             trace-level objects and what is known of them
``external/``           reads of state outside the function
``changes/``            changes made while tracing, across branches and loops
``generators/``         iterators and generators
======================  =========================================================
"""
