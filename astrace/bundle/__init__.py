"""Graphs on disk: a documented, versioned format that is safe to open.

Takes what `astrace.trace` gives, and files; gives files, and the graph again.  It knows the IR, the ops and the frozen
graphs of the compiler; it executes nothing that a file says, imports nothing by name and never unpickles.

====================  ==========================================================
``load``              `astrace.load`
``portable_graph``    what can be saved: calls, ``save``, ``warmup``, ``profile``
``named_arguments``   arguments by the names of parameters as those of a call
``sent_graph``        a graph on its way to other processes
``contents``          the members of a bundle from a graph, and back
``operators``         operators, and the files that they were made from
``operator_data``     their records as JSON, and back
``new_operators``     a graph with operators of its own, for calls that are recorded
``examples``          recorded calls
``verify``            recorded calls, made again
``profile``           the time of each node
``standalone``        the program over NumPy alone
``copied_source``     the functions of astrace that such a program contains
``limits``            the limits
``codes``             the codes of `BundleError`
``codec/``            graphs and values as plain data
``exports/``          graphs in the formats of others
``files/``            manifest, folder and zip file
====================  ==========================================================
"""
