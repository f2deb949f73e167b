"""Blocks through XLA: a functional program over ``jax.numpy``, with a way in and out of it.

Takes a block; gives a callable that runs the program, or a reason why it does not.  What a program cannot do runs
through the exact backend.

=================  ==============================================================
``backend``        compiling and calling programs
``program_ir``     the program, a block: values without identity, no writes, no exceptions
``lower/``         block to program
``simplify``       a program made smaller
``emit``           a program as source
``host_wrapper``   the way into a program and out of it
``refusal``        why a program or a call is refused
``refused_calls``  calls that the exact backend runs, and when to give up
``runtime/``       functions that generated programs call
``xla/``           arrangements that XLA needs
=================  ==============================================================
"""
