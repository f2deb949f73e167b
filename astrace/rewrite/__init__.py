"""From source to source: a function's control flow becomes calls of operators.

Takes a Python function; gives rewritten text and a function that runs it.  The operators are only names here;
what they do is the business of ``tracing``.

START HERE: `pipeline`, which has the steps in order.

================  ==================================================================
``pipeline``      the steps in order
``source``        finding a function's source, and proof that it is its source
``excerpt``       the lines of one function, without parsing its file
``unsupported``   syntax that is not supported, by name
``statements``    statements as a small closed tree
``names``         names that syntax reads and binds
``dataflow``      liveness and definite assignment
``seen_names``    the names that ``eval(text)`` sees, handed to it
``desugar``       ``match``, ``try``, ``yield`` and conditions in simpler statements
``match``         patterns as tests and bindings
``walrus``        ``:=`` that is evaluated conditionally
``conditions``    conditions with such as statements
``except_names``  ``except … as name``
``jumps``         ``break``, ``continue`` and ``return`` made structural
``convert``       control flow as calls
``conversion``    the steps from source text to converted text
``converted``     what they give
``text_cache``    what they gave, out of the cache on disk
``templates``     the pieces of libcst it is built from
``load``          rewritten text to code
``dispatch/``     expressions that dispatch, when the text is loaded
================  ==================================================================
"""
