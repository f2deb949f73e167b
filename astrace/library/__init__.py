"""Whole libraries: the import hook, compiled copies of modules, classes and instances, graphs that stay valid.

Takes packages, modules, classes and instances; gives hooks, copies and reports.  It compiles function by function
with `compiler` and knows nothing of how.

=====================  =======================================================================
``import_hook``        the finder that compiles packages in place, and its handle
``lazy_modules``       modules that get stubs when they are used
``function_watcher``   one function of a package: watched, captured, tried, kept or left plain
``watched_functions``  the functions of one hook; most are never called
``call_times``         what its calls take
``capture_time``       what all captures of a hook take
``hook_state``         what the functions of a hook share
``past_decisions``     what earlier processes have decided about its functions
``outcomes``           what this one tells later ones
``watched_compiled``   the compiled form of a watched function
``written_code``       Numba's reading of functions, past their stubs
``policy``             when a function is captured
``compilable``         which functions are compiled at all; `skip`
``report``             the outcome of each function
``module_copy``        a module seen through compiled functions
``class_copy``         classes and instances with compiled methods
``copies``             from a copy to its original
``lazy_graph``         graphs that are captured anew where their guards do not hold
``graph_state``        which attributes of which objects a graph reads and writes
``array_conversion``   arguments and results between NumPy and JAX
``jax_graphs``         lazy graphs that run on JAX's arrays
=====================  =======================================================================
"""
