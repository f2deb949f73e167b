"""Whole libraries: graphs of functions, compiled copies of modules, classes and instances, the import hook.

===============  ==================================================================================
``trace_graph``  the public way in: eager and lazy graphs of one or several objects
``graphs``       what it gives: a graph that captures anew where its guards do not hold, a lazy graph
``state``        which attributes of which objects a graph reads and writes
``compiling``    `astrace.compile` for anything: functions, modules, classes, instances
``modules``      a module seen through compiled functions
``classes``      classes and instances with compiled methods
``members``      which functions of a module or class are compiled at all, and ``skip``
``import_hook``  the finder that compiles packages in place, and its handle
``watched``      one function of such a package: watched, captured, tried, kept or left plain
``policy``       what that depends on
``report``       what became of each function
===============  ==================================================================================
"""
