"""The state that a run can change, kept before it and put back after it.

===================  =========================================================
``world``            all state that the function can reach
``reachable``        what can be reached from a function
``process_state``    environment, arguments, paths, streams, random generators
``savers``           how each kind of object is kept and put back
``stateful_savers``  objects with inner state
``unrestorable``     objects that cannot be put back
``copies``           copies of arguments that keep identity and memory layout
``files``            files that are written
``impure_sources``   callables whose results no argument decides
===================  =========================================================
"""
