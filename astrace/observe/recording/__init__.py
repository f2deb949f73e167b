"""Calls become records while a trace is going on.

====================  ==========================================================================================
``definition``        what is recorded of a function, and its arguments by name
``recorder``          the recorder of a trace, and the call that a context is in
``wrappers``          functions that record their calls
``entrances``           what stands in the place of a recorded function
``slots``             methods that are instrumented from outside
``followed_items``    which items of a pipeline an object belongs to
``sources``           sources of items under the limit of a trace
====================  ==========================================================================================
"""
