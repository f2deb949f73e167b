"""Direct calls: machine code that takes the call of a compiled function, with no Python between it and the kernel.

It tests the guards of one specialisation, runs the only kernel of its program and makes the result of what that puts out; for other programs, it
calls generated source behind the guards.  Whatever is not as expected is left to the dispatcher, and nothing has happened by then.  Each
specialisation is a table of instructions; the machine code that follows them is the same for all, is compiled by llvmlite and kept on disk.
Knows guards, and nothing of tracing.

======================= =====================================================================================
``program``             what a program does where its only kernel comes to its end, if that is all that it does
``opcodes``             the instructions
``guard_instructions``  guards and access paths as instructions
``instructions``        all instructions for the calls of one specialisation
``interpreter``         the machine code that follows them, written in LLVM's language
``call``                the function that Python calls
======================= =====================================================================================
"""
