"""Helpers that are needed everywhere and know nothing of compiling.

=====================  =======================================================================
``trees``              nested containers as leaves and a pattern
``parsing``            Python text to syntax trees and code
``signatures``         the parameters of a Python function
``validation``         options of public functions: accepted or refused by name
``events``             messages to `logging`, by topic
``code_stubs``         a function whose calls go elsewhere and which stays the object it is
``entrances``          calls between compiled functions that take one frame
``replaced_builtins``  whether a program has replaced a builtin that astrace is made of
``own_work``           the time that astrace takes for itself inside calls of the program
``unwarned``           warnings of astrace's own work, silenced without touching the program's
``uncollected``        no search for garbage for a moment
``module_finders``     finders that are told when a module has been loaded
``frames_seen``        functions that look at the frames of their callers
``frame_stack``        room on the stack of Python's frames
``audit_hooks``        files and processes that running code touches
``call_text``          how the user's line writes a call
``capture_budget``     the work that one capture may take
``array_memory``       copies of arrays, and their bytes
``atomic_files``       files that are written as a whole or not at all
``progress``           progress on a terminal
``terminal``           lines of source with carets, colours where they are shown
``html_tables``        small pieces of HTML for notebooks
``disk_cache/``        what one process has worked out, kept for the next one
=====================  =======================================================================
"""
