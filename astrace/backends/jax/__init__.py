"""Blocks through XLA: a functional program over ``jax.numpy``, with a way in and out of it.

A program is a block as ``passes/functional`` describes it: values without identity, no writes, no exceptions.

Takes a block; gives a callable that runs the program, or a reason why it does not.  What a program cannot do runs
through the exact backend.

=================  ==============================================================
``backend``        compiling and calling programs
``lower/``         block to program
``emit``           a program as source
``op_text``        the text of ops
``host_wrapper``   the way into a program and out of it
``refused_calls``  calls that the exact backend runs, and when to give up
``runtime/``       functions that generated programs call
``xla/``           arrangements that XLA needs
=================  ==============================================================
"""
