"""Conditions under which a specialisation holds, over paths to the objects that they look at.

Takes paths from arguments, globals and cells; gives conditions as data, as code and as text.  It knows neither
tracing, which asks for guards, nor the dispatcher, which runs their code.

================  ===========================================================================================
``access_paths``  `Argument`, `Root`, `Attribute`, `Item`: the way to an object, read as the program reads it
``kinds``         each kind of guard: identity, type, equality, keys, lengths, …
``conditions``    guards as Python expressions
``failures``      which guard a call fails, in words
================  ===========================================================================================
"""
