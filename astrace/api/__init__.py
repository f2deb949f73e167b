"""The public functions that take anything: functions, classes, modules, objects.

Takes what a user hands over, with options; gives compiled functions, copies and graphs.  It decides by kind
and calls `compiler` and `library`; nothing below imports from here.

===============  ============================================================
``compile``      `astrace.compile`
``trace``        `astrace.trace`: a function as a graph that can be saved
``trace_graph``  `astrace.trace_graph`, with the options of `ivy.trace_graph`
``map``          `astrace.map`: a graph over many inputs
``freeze``       `astrace.freeze`: some reads become constants
===============  ============================================================
"""
