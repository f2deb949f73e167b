"""Control flow: branches, loops, ``try``, ``with``, ``raise``.

=================  =========================================================
``branches``       ``if``, conditional expressions, ``and``, ``or``, ``not``
``while_loop``     ``while``
``for_loop``       ``for``
``loop_body``      the body of both kinds of loop
``loop_sources``   what a ``for`` iterates over
``unrolled_for``   a ``for`` that runs while tracing
``exceptions``     ``try``
``handler_names``  what names hold where a handler starts
``raise_``         ``raise``, ``assert``
``with_``          ``with``
``errstate``       ``np.errstate`` around a body
``with_exits``     managers that never suppress an exception
=================  =========================================================
"""
